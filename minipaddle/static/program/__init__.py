"""Programs, Blocks, Operators, Variables."""
