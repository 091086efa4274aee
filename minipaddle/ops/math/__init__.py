"""Arithmetic and functions of each element. Read first: ``arithmetic``."""
