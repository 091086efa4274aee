"""A value without numbers: shape, dtype, and the operator symbols between two values. Read first: ``value``."""
