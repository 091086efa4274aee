# hint: The gradient that comes in is summed, and not ones.
def home(x, scale, dy):
    return dy * scale, (dy * x).sum(axis=0), (dy * 0 + 1).sum(axis=0)
