def home(x, scale, dy):
    return dy * scale, (dy * x).sum(axis=0), dy.sum(axis=0)
