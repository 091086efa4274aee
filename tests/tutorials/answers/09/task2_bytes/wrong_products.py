# hint: Nobody asks for the product itself: the slope of `tanh` is `1 - y * y`, and `y` is its result.
def kept(rows, width, layers):
    return 4 * rows * width * (2 * layers + 1)
