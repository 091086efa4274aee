# hint: 1 and -1 add up to zero, and neither is: look at each element.
def state(leaf):
    if leaf.stop_gradient:
        return "not wanted"
    if leaf.grad is None:
        return "not reached"
    return "there" if leaf.grad.numpy().sum() != 0 else "zero"
