# hint: All rows felt the scale, so they are added; a mean makes it too small.
def home(x, scale, dy):
    return dy * scale, (dy * x).mean(axis=0), dy.sum(axis=0)
