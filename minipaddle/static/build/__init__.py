"""Building: applying an operator appends it to a Program."""
