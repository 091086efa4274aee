# hint: A gradient of zeros is an array like any other: look at its numbers.
def state(leaf):
    if leaf.stop_gradient:
        return "not wanted"
    if leaf.grad is None:
        return "not reached"
    return "there"
