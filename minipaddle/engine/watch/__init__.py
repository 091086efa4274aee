"""Observers of a run: the mode around another mode, and the events it reports."""
