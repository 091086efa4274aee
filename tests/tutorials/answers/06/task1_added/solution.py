def added(types):
    return ["fill_constant", *(f"{name}_grad" for name in reversed(types))]
