"""Tensor: numbers with a history. It is above ops, because its methods are operators."""
