"""Parameters: Tensors that are trained, and how they are made."""
