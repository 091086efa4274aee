"""A recording as a program of arithmetic: instructions for its events, which a page runs on other numbers."""
