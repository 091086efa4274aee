# hint: The standard deviation is not `sqrt(2 / rows)`.
def start(rng, rows, columns):
    return 0.1 * rng.normal(size=(rows, columns))
