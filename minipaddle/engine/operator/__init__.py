"""Operators: kernel, gradient rules, the plan of a call, and the function that users call."""
