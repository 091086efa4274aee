"""Source to source: from a function of Tensors to one whose control flow works in Programs. Read :mod:`.rewrite`."""
