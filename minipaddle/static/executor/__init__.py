"""Running Programs."""
