# hint: The factor `y` is missing.
def home(y, dy):
    return dy - (y * dy).sum(axis=1, keepdims=True)
