"""Grader of task1_both.py: the same numbers with Tensors and in a Program."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`paddle.in_dynamic_mode()` says which of the two it is.",
    "With Tensors: `return Clip.apply(x)`. With Variables: `paddle.static.nn.static_pylayer(forward, [x], backward)`.",
    "Both ways have the same two functions: one that cuts off, one that hands on what it is given.",
)


def eager(student, numbers, dy):
    x = paddle.to_tensor(numbers, stop_gradient=False)
    y = student.clipped(x)
    y.backward(paddle.to_tensor(dy))
    return y.numpy(), x.grad.numpy()


def in_program(student, numbers, dy):
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [6], "float64")
            x.stop_gradient = False
            y = student.clipped(x)
            (dx,) = paddle.static.gradients(y, x, paddle.assign(dy))
        fetch = [y] if dx is None else [y, dx]
        return paddle.static.Executor().run(main, feed={"x": numbers}, fetch_list=fetch)
    finally:
        paddle.disable_static()


def mistake(found, x, dy):
    y, dx = found[0], found[1] if len(found) > 1 else 0 * dy
    if close(y, x):
        return "Nothing is cut off: the value is `paddle.clip(x, -1.0, 1.0)`."
    if not close(y, np.clip(x, -1, 1)):
        near = close(y, np.clip(x, -2, 2)) or close(y, np.clip(x, 0, 1))
        return "The bounds are -1 and 1." if near else "The value is not what `clip` gives."
    if close(dx, dy * (np.abs(x) <= 1)):
        return "That is the slope of `clip` itself: nothing comes back from what was cut off."
    if close(dx, np.ones(6)):
        return "The gradient that comes in is to be passed on, and not ones."
    return None if close(dx, dy) else "The gradient does not pass as it is."


def drawn(draw):
    x = [draw.uniform(-0.9, 0.9, 2), draw.uniform(2, 3, 2), -draw.uniform(2, 3, 2)]
    return np.concatenate(x), draw.uniform(2, 3, 6)


@claim(40, "with Tensors")
def tensors(ask, draw):
    x, dy = drawn(draw)
    return mistake(ask(eager, x, dy), x, dy)


@claim(60, "with Variables")
def variables(ask, draw):
    x, dy = drawn(draw)
    return mistake(ask(in_program, x, dy), x, dy)
