# hint: At the ends the kernel does not fit everywhere: the first number is used once.
def used(size, width, stride):
    return [width] * size
