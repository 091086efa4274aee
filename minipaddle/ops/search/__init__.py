"""Sorting, searching, choosing."""
