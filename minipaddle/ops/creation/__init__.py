"""New tensors, and tensors of another dtype."""
