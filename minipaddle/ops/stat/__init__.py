"""Variance and norms."""
