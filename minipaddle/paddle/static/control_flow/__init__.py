"""Operators with Blocks: cond and while_loop."""
