# hint: A size that goes twice into the other does not fit: only 1 is repeated.
def together(one, other):
    length = max(len(one), len(other))
    one, other = [1] * (length - len(one)) + one, [1] * (length - len(other)) + other
    if any(max(a, b) % min(a, b) for a, b in zip(one, other)):
        return None
    return [max(a, b) for a, b in zip(one, other)]
