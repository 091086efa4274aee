"""Eager differentiation: Tensor, backward, grad, hooks, PyLayer."""
