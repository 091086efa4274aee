# hint: `x` was not repeated, so nothing is summed for it.
def home(x, scale, dy):
    return (dy * scale).sum(axis=0), (dy * x).sum(axis=0), dy.sum(axis=0)
