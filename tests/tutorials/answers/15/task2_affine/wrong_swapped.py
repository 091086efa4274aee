# hint: The slope for `x` is `scale`, and not `x`.
def home(x, scale, dy):
    return dy * x, (dy * x).sum(axis=0), dy.sum(axis=0)
