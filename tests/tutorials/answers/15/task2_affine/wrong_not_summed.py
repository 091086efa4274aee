# hint: A gradient has the shape of its array: sum over the rows, which all used the same scale.
def home(x, scale, dy):
    return dy * scale, dy * x, dy.sum(axis=0)
