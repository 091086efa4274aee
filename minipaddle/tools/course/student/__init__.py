"""A student's file in a separate process: the code that runs there, and its restrictions."""
