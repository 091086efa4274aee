# hint: A gradient of zeros is not told right.
def state(leaf):
    if leaf.stop_gradient:
        return "not wanted"
    if leaf.grad is None:
        return "not reached"
    return "not wanted"
