# hint: No gradient of data was wanted: ask `stop_gradient` first.
def state(leaf):
    if leaf.grad is None:
        return "not reached"
    return "there" if (leaf.grad.numpy() != 0).any() else "zero"
