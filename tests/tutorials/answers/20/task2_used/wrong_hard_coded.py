# hint: With a stride of 1 it is wrong.
def used(size, width, stride):
    return [1, 2, 3, 3, 2, 1]
