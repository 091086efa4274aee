"""An eager run, as events."""
