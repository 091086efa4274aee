"""Graphs and Programs as trees in the terminal."""
