"""A call on the tape: edges, saved arrays, and whether somebody wrote over them."""
