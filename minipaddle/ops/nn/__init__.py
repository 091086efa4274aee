"""Convolution, pooling, normalization, dropout, embedding."""
