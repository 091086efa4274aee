"""A call on the tape: edges, saved arrays, and whether those were overwritten."""
