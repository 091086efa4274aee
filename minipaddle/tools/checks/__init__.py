"""Verdicts on a whole run: NaN and Inf, gradient flow, correctness of gradients, differences of two runs."""
