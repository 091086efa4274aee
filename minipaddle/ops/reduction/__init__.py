"""Sums, means, extrema over axes; and their inverse, broadcasting."""
