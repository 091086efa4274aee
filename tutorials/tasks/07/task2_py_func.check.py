"""Grader of task2_py_func.py: forward alone, and both within a Program."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`np.abs` gives `|x|`. Both functions are one line.",
    "What comes in, `dy`, is multiplied by the slope.",
    "`backward` is `dy` times the slope on paper, and the slope needs only `|x|` again.",
)


def run(student, numbers, dy):
    """Run both functions within a Program."""
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [6], "float64")
            x.stop_gradient = False
            out = main.current_block().create_var(name="out", shape=[6], dtype="float64")

            def back(x, y, dy):
                return student.backward(np.array(x), np.array(y), np.array(dy))

            y = paddle.static.py_func(lambda x: student.forward(np.array(x)), x, out, back)
            (dx,) = paddle.static.gradients(y, x, paddle.assign(dy))
        return paddle.static.Executor().run(main, feed={"x": numbers}, fetch_list=[y, dx])
    finally:
        paddle.disable_static()


def plainly(student, x):
    return student.forward(x)


def both_signs(draw):
    return draw.permutation(draw.uniform(0.2, 2, 6) * [1, -1, 1, -1, 1, -1])


@claim(40, "forward")
def value(ask, draw):
    x = both_signs(draw)
    y = ask(plainly, x)
    if close(y, x / (1 + np.abs(x))):
        return None
    if close(y, x / (1 + x)):
        return "Below zero `1 + x` may be zero or less: it is `1 + |x|`."
    if close(y, np.abs(x) / (1 + np.abs(x))):
        return "The value has the sign of `x`: only below the line `|x|` stands."
    return "`forward` does not give `x / (1 + |x|)`."


@claim(60, "backward, within a Program")
def gradient(ask, draw):
    x, dy = both_signs(draw), draw.uniform(1, 2, 6)
    _, dx = ask(run, x, dy)
    below = 1 + np.abs(x)
    if close(dx, dy / below**2):
        return None
    if close(dx, 1 / below**2):
        return "`backward` ignores `dy`: the chain rule multiplies the slope by it."
    if close(dx, dy / below):
        return "The slope is `1 / (1 + |x|)` squared."
    if close(dx, np.sign(x) * dy / below**2):
        return "The slope is positive on both sides: the curve rises everywhere."
    return "`backward` does not give `dy / (1 + |x|) ** 2`."
