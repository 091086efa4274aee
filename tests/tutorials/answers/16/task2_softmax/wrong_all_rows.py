# hint: The rows have nothing to do with each other: sum within each row.
def home(y, dy):
    return y * (dy - (y * dy).sum())
