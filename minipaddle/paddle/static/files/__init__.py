"""Programs and their parameters in files."""
