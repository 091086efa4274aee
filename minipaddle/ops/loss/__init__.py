"""Losses. Read first: ``cross_entropy``."""
