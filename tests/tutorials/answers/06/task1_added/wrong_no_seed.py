# hint: The seed is missing: the gradient of the loss itself, written by a `fill_constant`.
def added(types):
    return [f"{name}_grad" for name in reversed(types)]
