"""Grader of task2_round_plus.py: each of the three arrays, at drawn numbers."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "A sum hands on what it gets. The other way leads through `tanh`, and then through the product `a @ w`.",
    "At `tanh`: `db * (1 - np.tanh(a @ w) ** 2)`. At the product, what comes in is multiplied by `w.T`.",
    "`bent` takes two steps home, `tanh` first, then the product. Where both roads meet, they are added.",
)


def asked(student, a, w, db):
    return list(student.home(a, w, db))


def drawn(draw):
    return draw.normal(size=(4, 3)), draw.normal(size=(3, 3)), draw.normal(size=(4, 3))


def bent_of(a, w, db):
    return (db * (1 - np.tanh(a @ w) ** 2)) @ w.T


@claim(20, "straight through the sum")
def straight(ask, draw):
    a, w, db = drawn(draw)
    found = ask(asked, a, w, db)[0]
    if ask.ran(asked, a, w, db):
        return "In NumPy: here operators of Paddle ran."
    if close(found, db * (1 + 1 - np.tanh(a @ w) ** 2)):
        return "A sum hands on what it gets, to each of its operands."
    return None if close(found, db) else "What comes straight through the sum is `db` itself."


@claim(50, "bent, through tanh and the product")
def bent(ask, draw):
    a, w, db = drawn(draw)
    found = ask(asked, a, w, db)[1]
    if close(found, db * (1 - np.tanh(a @ w) ** 2)):
        return "Behind `tanh` there is the product: its gradient for `a` is `... @ w.T`."
    if close(found, db @ w.T):
        return "The slope of `tanh` is missing: `1 - tanh(a @ w) ** 2`."
    if close(found, (db * (1 - np.tanh(a @ w) ** 2)) @ w):
        return "`w` is turned round on the way home: `w.T`."
    return None if close(found, bent_of(a, w, db)) else "What comes through `tanh` is not right."


@claim(30, "both together")
def together(ask, draw):
    a, w, db = drawn(draw)
    found = ask(asked, a, w, db)[2]
    if close(found, db * bent_of(a, w, db)):
        return "Where two gradients meet they are added, and not multiplied."
    return None if close(found, db + bent_of(a, w, db)) else "The gradient of `a` is the sum of both."
