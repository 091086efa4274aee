"""Grader of task2_second.py: a cube, and a function that is no polynomial."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`paddle.static.gradients(y, x)` returns a list with one Variable. A Variable can be differentiated in turn.",
    "Ask for the gradient of `y`, and then for the gradient of what you got.",
    "The first derivative is a Variable of the Program like `y`: what you did with `y`, do with it.",
)


def run(student, which, numbers):
    """Return both derivatives of a function, at numbers."""
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [5], "float64")
            x.stop_gradient = False
            y = x * x * x if which == "cube" else paddle.sin(x) * x
            fetch = list(student.slopes(y, x))
        return paddle.static.Executor().run(main, feed={"x": numbers}, fetch_list=fetch)
    finally:
        paddle.disable_static()


@claim(60, "of a cube")
def cube(ask, draw):
    x = draw.uniform(1, 2, 5)
    first, second = ask(run, "cube", x)
    if close(first, 6 * x) and close(second, 3 * x * x):
        return "The first derivative comes first, and then the second."
    if close(second, 3 * x * x):
        return "The second is the first once more: differentiate the first derivative, and not `y`."
    if close(second, 9 * x**4):
        return "The second derivative is the slope of the first, and not its square."
    if close(first, 1 + 0 * x):
        return "The derivative of `x` by itself is asked: take the derivative of `y`."
    if not close(first, 3 * x * x):
        return "The first derivative is not right."
    return None if close(second, 6 * x) else "The second derivative is not right."


@claim(40, "of x * sin(x)")
def wave(ask, draw):
    x = draw.uniform(1, 2, 5)
    first, second = ask(run, "wave", x)
    right = np.sin(x) + x * np.cos(x), 2 * np.cos(x) - x * np.sin(x)
    return None if close(first, right[0]) and close(second, right[1]) else "It holds for a cube alone."
