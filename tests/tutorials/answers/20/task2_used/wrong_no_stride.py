# hint: The stride is left out: with larger steps a number is used less often.
def used(size, width, stride):
    counts = [0] * size
    for start in range(size - width + 1):
        for at in range(start, start + width):
            counts[at] += 1
    return counts
