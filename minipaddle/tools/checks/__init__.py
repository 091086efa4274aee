"""Verdicts on a whole run: what is not finite, how gradients flow, whether they are right, where two runs differ."""
