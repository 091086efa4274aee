"""The user's own code: frames, lines, layers, variables."""
