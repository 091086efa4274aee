"""The current meaning of applying an operator: eager execution first of all. Read first: ``eager``."""
