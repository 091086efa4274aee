"""Grader of task2_start.py: spread, mean, shape, and twenty layers in a row."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`rng.normal(size=(rows, columns))` has the standard deviation 1. What makes it smaller?",
    "Multiply by the standard deviation that you want: `np.sqrt(2 / rows)`.",
    "A factor changes the standard deviation and not the mean: draw with 1, and make all numbers smaller alike.",
)


def draws(student, seed, rows, columns):
    return np.asarray(student.start(np.random.default_rng(seed), rows, columns))


@claim(50, "the size of the numbers")
def size(ask, draw):
    rows, columns = int(draw.integers(120, 170)), int(draw.integers(500, 700))
    w = ask(draws, int(draw.integers(1000)), rows, columns)
    if w.shape == (columns, rows):
        return "The shape is [rows, columns]."
    wide = w.std() / np.sqrt(2 / rows)
    if close(wide, np.sqrt(0.5), 0.02):
        return "That keeps a network without `relu` alive: here half of the numbers are blocked."
    if close(wide, np.sqrt(rows / columns), 0.02):
        return "The width that counts is the number of rows: so many numbers are added up."
    if close(wide, np.sqrt(2 / rows), 0.02):
        return "`2 / rows` is the variance; the standard deviation is its root."
    if close(abs(w.mean()) / np.sqrt(2 / rows), 1.0, 0.1):
        return "The mean of the weights is to be 0."
    return None if close(wide, 1.0, 0.02) else "The standard deviation is not `sqrt(2 / rows)`."


@claim(20, "normal numbers around 0, drawn anew")
def normal(ask, draw):
    w = ask(draws, 1, 300, 300)
    if close(w, ask(draws, 2, 300, 300)):
        return "Another `rng` has to give other weights: draw them from it."
    share = (np.abs(w) < w.std()).mean()
    return (
        None
        if close([w.mean() * 10, share], [0.0, 0.683], 0.02)
        else "The numbers are not normal ones around 0."
    )


@claim(30, "numbers of the same size after 20 layers")
def deep(ask, draw):
    h = draw.normal(size=(50, 100))
    for layer in range(20):
        h = np.maximum(h @ ask(draws, layer, 100, 100), 0)
    return None if 0.1 < h.std() < 10 else "After 20 layers the numbers have grown or shrunk."
