"""Grader of task1_rmsprop.py: one step, and twenty."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Two lines, in this order: first the mean, then `w`, with the mean that is new.",
    "`mean = decay * mean + (1 - decay) * grad**2` makes a new array, and leaves the old one alone.",
    "Two formulas, two results: `w` uses the mean that has just been made, and comes first.",
)


def one(student, w, grad, mean, rate, decay):
    """Return what it returns, and what became of what it was given."""
    w, grad, mean = np.array(w), np.array(grad), np.array(mean)
    new_w, new_mean = student.step(w, grad, mean, rate, decay)
    return [new_w, new_mean, w, grad, mean]


def several(student, w, slopes, rate, decay, steps):
    """Walk on a bowl with these slopes."""
    mean = np.zeros_like(w)
    for _ in range(steps):
        w, mean = student.step(w, slopes * w, mean, rate, decay)
    return w


def rule(w, grad, mean, rate, decay):
    mean = decay * mean + (1 - decay) * grad**2
    return w - rate * grad / (np.sqrt(mean) + 1e-8), mean


@claim(60, "one step")
def once(ask, draw):
    w, grad, mean = draw.normal(size=3), draw.normal(size=3), draw.uniform(1, 2, 3)
    rate, decay = 0.1, 0.8
    new_w, new_mean, *kept = ask(one, w, grad, mean, rate, decay)
    if ask.ran(one, w, grad, mean, rate, decay):
        return "In NumPy: here operators of Paddle ran."
    if not all(close(after, before) for after, before in zip(kept, (w, grad, mean))):
        return "What came in was written over: make new arrays."
    if close(new_mean, decay * mean + (1 - decay) * grad):
        return "It is the squared gradients whose mean is kept."
    if close(new_mean, (1 - decay) * mean + decay * grad**2):
        return "`decay` is the share of the old mean that stays."
    if close(new_mean, mean):
        return "The mean has to move: it is the second result."
    right = rule(w, grad, mean, rate, decay)
    if close(new_mean, right[0]) and close(new_w, right[1]):
        return "The two results are swapped: `w` comes first."
    if not close(new_mean, right[1]):
        return "The running mean is not right."
    if close(new_w, w - rate * grad / (right[1] + 1e-8)):
        return "The gradient is divided by the root of the mean."
    if close(new_w, w - rate * grad / (np.sqrt(mean) + 1e-8)):
        return "The mean is brought up to date first, and then divides."
    if close(new_w, w + rate * grad / (np.sqrt(right[1]) + 1e-8)):
        return "The step goes against the gradient."
    return None if close(new_w, right[0]) else "The new `w` is not right."


@claim(40, "many steps down a bowl")
def bowl(ask, draw):
    w, slopes = draw.normal(size=3), draw.uniform(0.1, 10, 3)
    right, mean = w, np.zeros(3)
    for _ in range(20):
        right, mean = rule(right, slopes * right, mean, 0.05, 0.9)
    return None if close(ask(several, w, slopes, 0.05, 0.9, 20), right) else "After 20 steps it is elsewhere."
