"""Verdicts on a whole run: NaN and Inf, how gradients flow, whether they are right, where two runs differ."""
