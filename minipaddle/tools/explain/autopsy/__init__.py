"""Why the gradient of a leaf is missing, zero, tiny, huge or NaN: one root, one line of the user's code."""
