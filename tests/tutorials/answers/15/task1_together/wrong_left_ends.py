# hint: Shapes meet at their right ends: the shorter one has no first axes.
def together(one, other):
    length = max(len(one), len(other))
    one, other = one + [1] * (length - len(one)), other + [1] * (length - len(other))
    if any(a != b and 1 not in (a, b) for a, b in zip(one, other)):
        return None
    return [max(a, b) for a, b in zip(one, other)]
