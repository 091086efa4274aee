# hint: What one operator keeps as its result and the next as its operand is one array.
def kept(rows, width, layers):
    return 4 * rows * width * 2 * layers
