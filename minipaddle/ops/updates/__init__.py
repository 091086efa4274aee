"""What optimizers do to a parameter."""
