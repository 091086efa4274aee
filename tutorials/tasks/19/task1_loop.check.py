"""Grader of task1_loop.py: drawn factors and payments."""

from minipaddle.tools.course.claims import claim, close, uses

HINTS = (
    "Keep `h` of before each round. On the way back, `dh` begins with 1.",
    "In each round, from the last: `dw` gains `dh * before`, `db` gains `dh`, and `dh` is multiplied by `w`.",
    "Walk over the kept values in reverse. In each round three numbers change, and `dh` changes last.",
)


def asked(student, w, b, start, goal):
    return [float(number) for number in student.gradients(w, b, start, goal)]


def rounds(w, b, start, goal):
    """Return h before each round, and after the last."""
    kept = [start]
    while kept[-1] < goal:
        kept.append(kept[-1] * w + b)
    return kept


def right(w, b, start, goal):
    *kept, h = rounds(w, b, start, goal)
    dh, dw, db = 1.0, 0.0, 0.0
    for before in reversed(kept):
        dw, db, dh = dw + dh * before, db + dh, dh * w
    return h, dw, db


def drawn(draw):
    return [float(draw.uniform(1.2, 1.6)), float(draw.uniform(1, 2)), float(draw.uniform(3, 4)), 100.0]


@claim(30, "the last h")
def last(ask, draw):
    numbers = drawn(draw)
    h, *_ = ask(asked, *numbers)
    if uses(ask, "paddle"):
        return "By hand: without Paddle."
    if close(h, rounds(*numbers)[-2]):
        return "One round is missing: the loop goes on until `goal` is reached."
    return None if close(h, right(*numbers)[0]) else "The last `h` is not right."


@claim(40, "the gradient of w")
def of_w(ask, draw):
    numbers = drawn(draw)
    _, dw, _ = ask(asked, *numbers)
    w, kept = numbers[0], rounds(*numbers)
    if close(dw, sum(kept[:-1])):
        return "What an early round gains is multiplied by `w` in each later one: carry `dh` back."
    if close(dw, sum(w**at * h for at, h in enumerate(reversed(kept[1:])))):
        return "The slope for `w` is `h` before the round, and not after it."
    if close(dw, sum(w**at * h for at, h in enumerate(kept[:-1]))):
        return "Go back from the last round to the first."
    if close(dw, kept[-2]):
        return "That is the last round alone: `w` is used in every round."
    return None if close(dw, right(*numbers)[1]) else "The gradient of `w` is not right."


@claim(30, "the gradient of b")
def of_b(ask, draw):
    numbers = drawn(draw)
    *_, db = ask(asked, *numbers)
    if close(db, len(rounds(*numbers)) - 1.0):
        return "What is paid in early grows with `w` until the end: it counts for more than 1."
    return None if close(db, right(*numbers)[2]) else "The gradient of `b` is not right."
