"""Calling: an operator as a function (public), and what functions take besides their parameters (keywords)."""
