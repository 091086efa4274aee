"""Arithmetic and functions of each element."""
