# hint: The scale was repeated down the rows: sum over axis 0.
def home(x, scale, dy):
    return dy * scale, (dy * x).sum(axis=1), dy.sum(axis=0)
