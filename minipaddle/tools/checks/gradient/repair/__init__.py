"""The search for the change, or the two, that make a wrong backward right."""
