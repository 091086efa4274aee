"""The reference of `paddle.*`, made of the product itself: signatures, docstrings, operators and their rules."""
