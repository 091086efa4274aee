"""The user's own code in a Program: static_pylayer, py_func, Print."""
