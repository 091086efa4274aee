# hint: The seed comes first: without it no gradient operator has anything to begin with.
def added(types):
    return [*(f"{name}_grad" for name in reversed(types)), "fill_constant"]
