"""Operators on images that are made of others."""
