def state(leaf):
    if leaf.stop_gradient:
        return "not wanted"
    if leaf.grad is None:
        return "not reached"
    return "there" if (leaf.grad.numpy() != 0).any() else "zero"
