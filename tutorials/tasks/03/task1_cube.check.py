"""Grader of task1_cube.py: forward, the context, and backward under gradients that are not ones."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`forward` computes with `x`; what `backward` needs of it goes into `ctx.save_for_backward`.",
    "On paper the slope of `x * x * x` is `3 * x * x`. `ctx.saved_tensor()` gives a tuple: `(x,) = ...`.",
    "`backward` has two factors: what comes in, and the slope of the cube at the `x` that `forward` has kept.",
)


def value(student, x):
    return student.Cube.apply(paddle.to_tensor(x)).numpy()


def gradient(student, x, dy):
    t = paddle.to_tensor(x, stop_gradient=False)
    student.Cube.apply(t).backward(paddle.to_tensor(dy))
    return t.grad.numpy()


def between(student, x, dy):
    """Two calls before the first backward: each context keeps its own."""
    one, two = (paddle.to_tensor(part, stop_gradient=False) for part in x)
    first, second = student.Cube.apply(one), student.Cube.apply(two)
    first.backward(paddle.to_tensor(dy))
    second.backward(paddle.to_tensor(dy))
    return one.grad.numpy(), two.grad.numpy()


@claim(30, "forward gives the cube")
def cubes(ask, draw):
    x = draw.normal(size=(3, 4))
    y = ask(value, x)
    if close(y, x**3):
        return None
    if close(y, x):
        return "`forward` gives back `x` itself, and not its cube."
    if close(y, x * x):
        return "`forward` gives the square; the cube has one factor more."
    if close(y, np.abs(x) ** 3):
        return "`forward` loses the sign: the cube of a negative number is negative."
    return "`forward` does not give `x * x * x`."


@claim(30, "backward gives the slope, 3 * x * x")
def slopes(ask, draw):
    x = draw.normal(size=5)
    dx = ask(gradient, x, np.ones(5))
    if "Cube_grad" not in ask.ran(gradient, x, np.ones(5)):
        return (
            "`Cube` has to be a PyLayer whose own `backward` runs; here the tape differentiates the formula."
        )
    if close(dx, np.ones(5)):
        return "`backward` gives `dy` back: the slope of the cube is missing."
    if close(dx, 2 * x) or close(dx, 3 * x):
        return "`backward` has the slope of another power: that of `x * x * x` is `3 * x * x`."
    if close(dx, x * x):
        return "`backward` lacks the factor 3: `x` stands three times in `x * x * x`."
    return (
        None
        if close(dx, 3 * x * x)
        else ask.wrong_gradient(gradient, x, np.ones(5)) or ("`backward` does not give `3 * x * x`.")
    )


@claim(25, "backward multiplies by dy")
def follows_dy(ask, draw):
    x, dy = draw.normal(size=(2, 3)), draw.normal(size=(2, 3))
    dx = ask(gradient, x, dy)
    if close(dx, 3 * x * x):
        return "`backward` ignores `dy`: the chain rule multiplies the slope by it."
    if close(dx, dy + 3 * x * x):
        return "`backward` adds `dy`: the chain rule multiplies by it."
    return (
        None
        if close(dx, dy * 3 * x * x)
        else ask.wrong_gradient(gradient, x, dy) or ("`backward` does not give `dy * 3 * x * x`.")
    )


@claim(15, "each call has a context of its own")
def contexts(ask, draw):
    x, dy = draw.normal(size=(2, 4)), draw.normal(size=4)
    first, second = ask(between, x, dy)
    if close(second, dy * 3 * x[1] ** 2) and close(first, second):
        return "The second call overwrites what the first one kept: keep it in `ctx`, not in the class."
    if not close(second, dy * 3 * x[1] ** 2):
        return "Of two calls the second one does not get `dy * 3 * x * x`."
    right = close(first, dy * 3 * x[0] ** 2)
    return (
        None
        if right
        else "Of two calls the first one loses its gradient: what it kept has changed meanwhile."
    )
