# hint: The slope of `tanh` is missing: `1 - tanh(a @ w) ** 2`.


def home(a, w, db):
    bent = db @ w.T
    return db, bent, db + bent
