"""What applying an operator means now: eager execution first of all."""
