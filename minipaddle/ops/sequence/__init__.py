"""Operators on sequences of different lengths that stand one after the other in one tensor: those of 2.6.2 alone."""
