"""Layers: classes with parameters."""
