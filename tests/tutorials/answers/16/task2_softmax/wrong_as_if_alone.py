# hint: Each result depends on all numbers of the row: the part with `-y[i] * y[j]` is missing.
def home(y, dy):
    return y * dy
