# hint: The first product keeps `x`: the gradient of its weight asks for it.
def kept(rows, width, layers):
    return 4 * rows * width * layers
