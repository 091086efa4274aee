"""Explains one value: its formula, the formula with numbers, sentences, causes."""
