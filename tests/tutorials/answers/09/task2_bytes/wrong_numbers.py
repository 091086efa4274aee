# hint: Those are numbers; a float32 has 4 bytes.
def kept(rows, width, layers):
    return rows * width * (layers + 1)
