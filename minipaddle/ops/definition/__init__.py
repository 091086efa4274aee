"""What definitions of operators share."""
