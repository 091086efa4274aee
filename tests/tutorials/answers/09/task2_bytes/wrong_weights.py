# hint: The weights are not to be counted.
def kept(rows, width, layers):
    return 4 * rows * width * (layers + 1) + 4 * layers * width * width
