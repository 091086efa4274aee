"""Tensor: numbers with a history. It stands above ops, for its methods are operators."""
