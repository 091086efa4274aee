"""Grader of task1_round.py: a Program, run with numbers within 4 and beyond."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "The first function computes the result from `x`; the other is given `dy` and answers with the gradient of `x`.",
    "The forward function is `paddle.round`. In backward, `paddle.abs(x) <= 4` is true or false: make numbers of it.",
    "Backward multiplies what comes in by a mask of ones and zeros, made of `|x|`; `x` is at hand from outside.",
)


def run(student, numbers, dy):
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [8], "float64")
            x.stop_gradient = False
            y = student.rounded(x)
            (dx,) = paddle.static.gradients(y, x, paddle.assign(dy))
        fetch = [y] if dx is None else [y, dx]
        return paddle.static.Executor().run(main, feed={"x": numbers}, fetch_list=fetch)
    finally:
        paddle.disable_static()


def drawn(draw):
    """Return numbers within 4 and beyond; 4 itself is within, and 4.3 is not."""
    inside, beyond = draw.uniform(-3.5, 3.5, 3) + 0.01, draw.uniform(5, 9, 2) + 0.01
    return np.array([*inside, 4.0, 4.3, beyond[0], -4.3, -beyond[1]])


@claim(30, "forward rounds")
def forward(ask, draw):
    x = drawn(draw)
    y, *_ = ask(run, x, draw.uniform(1, 2, 8))
    if close(y, x):
        return "Forward has to round: it is backward alone that pretends not to."
    return None if close(y, np.round(x)) else "Forward does not give the nearest whole numbers."


@claim(70, "backward lets the gradient pass, within 4")
def backward(ask, draw):
    x, dy = drawn(draw), draw.uniform(1, 2, 8)
    _, *found = ask(run, x, dy)
    dx = found[0] if found else 0 * dy
    inside = np.abs(x) <= 4
    if close(dx, 0 * dy):
        return "The gradient is zero: that is the slope of `round`, and a backward of its own is asked for."
    if close(dx, dy):
        return "Beyond 4 no gradient shall pass."
    if close(dx, 1.0 * inside):
        return "Backward ignores the gradient that comes in: multiply by it."
    if close(dx, dy * (x <= 4)):
        return "Numbers below -4 are beyond 4, too: compare `|x|`."
    return None if close(dx, dy * inside) else "The gradient is not right."
