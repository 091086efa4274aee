# hint: `-y[i] * y[j]` has a minus.
def home(y, dy):
    return y * (dy + (y * dy).sum(axis=1, keepdims=True))
