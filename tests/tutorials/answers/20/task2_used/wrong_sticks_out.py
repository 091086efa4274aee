# hint: The kernel stops when it no longer fits: what sticks out at the end does not count.
def used(size, width, stride):
    counts = [0] * size
    for start in range(0, size - width + stride, stride):
        for at in range(start, min(size, start + width)):
            counts[at] += 1
    return counts
