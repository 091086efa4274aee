# hint: Only what is added is asked for, and not what was there before.
def added(types):
    return [*types, "fill_constant", *(f"{name}_grad" for name in reversed(types))]
