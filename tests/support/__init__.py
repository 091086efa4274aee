"""Helpers for several tests: any test may import them; none of them imports a test."""
