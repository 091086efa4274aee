"""Graphs as trees in the terminal."""
