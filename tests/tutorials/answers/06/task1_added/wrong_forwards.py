# hint: The walk goes from the loss to `x`: the gradient operators stand in reverse order.
def added(types):
    return ["fill_constant", *(f"{name}_grad" for name in types)]
