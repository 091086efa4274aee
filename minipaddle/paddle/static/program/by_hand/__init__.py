"""Calls written by hand: ``Block.append_op``, with attributes that our definitions hold constant."""
