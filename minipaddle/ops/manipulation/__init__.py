"""Joining, splitting, repeating, turning round."""
