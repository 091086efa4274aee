"""The run of a Program, as events."""
