# hint: The list has to have as many numbers as the row, those that nobody uses as well.
def used(size, width, stride):
    counts = [0] * size
    for start in range(0, size - width + 1, stride):
        for at in range(start, start + width):
            counts[at] += 1
    return [count for count in counts if count]
