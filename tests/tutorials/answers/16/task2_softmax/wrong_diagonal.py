# hint: That is the diagonal alone: each result depends on all numbers of its row.
def home(y, dy):
    return y * (1 - y) * dy
