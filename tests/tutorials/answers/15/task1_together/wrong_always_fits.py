# hint: Two sizes that differ, neither of them 1, do not fit: the answer is `None`.
def together(one, other):
    length = max(len(one), len(other))
    one, other = [1] * (length - len(one)) + one, [1] * (length - len(other)) + other
    return [max(a, b) for a, b in zip(one, other)]
