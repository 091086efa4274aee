# hint: The row has two ends: the last number is used once, as the first.
def used(size, width, stride):
    return [min(at + 1, width) for at in range(size)]
