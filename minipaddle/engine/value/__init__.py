"""A value without numbers: shape, dtype, and what the signs between two values mean."""
