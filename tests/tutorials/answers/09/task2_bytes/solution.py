def kept(rows, width, layers):
    return 4 * rows * width * (layers + 1)
