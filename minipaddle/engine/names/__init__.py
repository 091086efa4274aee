"""Names: Paddle names that exist, unique names, and the errors for missing names."""
