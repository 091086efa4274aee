"""Fourier transforms, and signals cut into frames."""
