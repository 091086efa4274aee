"""Activations: softmax, piecewise linear ones (``rectifiers``), smooth ones (``sigmoids``), random ones."""
