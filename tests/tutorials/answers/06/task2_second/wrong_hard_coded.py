# hint: It holds for a cube alone.


def slopes(y, x):
    first, second = 3 * x * x, 6 * x
    return first, second
