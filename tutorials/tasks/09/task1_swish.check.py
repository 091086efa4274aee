"""Grader of task1_swish.py: value, gradient, and what is kept."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "What goes into `ctx.save_for_backward` is kept. The sigmoid can be computed again from `x`.",
    "`forward`: save `x`, return `x * F.sigmoid(x)`. `backward`: take `x` back, and compute `s = F.sigmoid(x)`.",
    "By the product rule the slope has two terms: one where `x` moves, one where the sigmoid does.",
)


def run(student, x, dy):
    t = paddle.to_tensor(x, stop_gradient=False)
    y = student.Swish.apply(t)
    y.backward(paddle.to_tensor(dy))
    return y.numpy(), t.grad.numpy()


def kept(student, x):
    """Return the arrays that are kept for the way back."""
    noted = []

    def pack(tensor):
        noted.append(tensor.numpy())
        return tensor

    with paddle.autograd.saved_tensors_hooks(pack, lambda tensor: tensor):
        student.Swish.apply(paddle.to_tensor(x, stop_gradient=False))
    return noted


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@claim(20, "forward")
def value(ask, draw):
    x = draw.normal(size=7)
    y, _ = ask(run, x, np.ones(7))
    if close(y, sigmoid(x)):
        return "`forward` gives the sigmoid: `x` times it is asked for."
    return None if close(y, x * sigmoid(x)) else "`forward` does not give `x * sigmoid(x)`."


@claim(40, "backward")
def gradient(ask, draw):
    x, dy = draw.normal(size=7), draw.uniform(1, 2, 7)
    _, dx = ask(run, x, dy)
    s = sigmoid(x)
    if "Swish_grad" not in ask.ran(run, x, dy):
        return (
            "`Swish` has to be a PyLayer whose own `backward` runs; here the tape differentiates the formula."
        )
    if close(dx, dy * s):
        return "`x` stands twice in the formula: the sigmoid moves, too."
    if close(dx, dy * s * (1 - s)):
        return "It is the slope of the sigmoid alone: the product rule has two terms."
    if close(dx, s + x * s * (1 - s)):
        return "`backward` ignores `dy`: the chain rule multiplies the slope by it."
    right = dy * (s + x * s * (1 - s))
    return None if close(dx, right) else ask.wrong_gradient(run, x, dy) or "The gradient of `x` is wrong."


@claim(40, "one array is kept")
def memory(ask, draw):
    x = draw.normal(size=50)
    arrays = ask(kept, x)
    if len(arrays) > 1:
        return "More than one array is kept: compute the rest again in `backward`."
    return None if len(arrays) == 1 and close(arrays[0], x) else "It is `x` that has to be kept."
