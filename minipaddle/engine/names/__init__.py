"""Names: which Paddle names there are, unique names, and what a missing name is told."""
