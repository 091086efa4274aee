def used(size, width, stride):
    counts = [0] * size
    for start in range(0, size - width + 1, stride):
        for at in range(start, start + width):
            counts[at] += 1
    return counts
