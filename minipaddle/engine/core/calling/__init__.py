"""Calling: an operator as a function, as users get it."""
