"""The reverse walk, those who drain it (backward, grad), and hooks on the way."""
