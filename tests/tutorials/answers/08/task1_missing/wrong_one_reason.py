# hint: A gradient of this one was wanted, and did not arrive: `.grad` is `None` for two reasons.
def state(leaf):
    if leaf.stop_gradient:
        return "not wanted"
    if leaf.grad is None:
        return "not wanted"
    return "there" if (leaf.grad.numpy() != 0).any() else "zero"
