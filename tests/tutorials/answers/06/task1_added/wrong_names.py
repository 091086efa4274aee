# hint: The gradient operator of `tanh` is called `tanh_grad`, and so for all.
def added(types):
    return ["fill_constant", *(name for name in reversed(types))]
