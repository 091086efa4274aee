# hint: `2 / rows` is the variance; the standard deviation is its root.


def start(rng, rows, columns):
    return 2 / rows * rng.normal(size=(rows, columns))
