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
    """Return the arrays that are kept for the way back: those that are saved, and attributes of the context."""
    noted, own, contexts = [], [], []

    class Watched(student.Swish):
        @staticmethod
        def forward(ctx, x):
            contexts.append(ctx)
            return student.Swish.forward(ctx, x)

    def pack(tensor):
        noted.append(tensor.numpy())
        return tensor

    with paddle.autograd.saved_tensors_hooks(pack, lambda tensor: tensor):
        Watched.apply(paddle.to_tensor(x, stop_gradient=False))
    for ctx in contexts:
        values = [value for name, value in vars(ctx).items() if name[0] != "_"]
        flat = [one for value in values for one in (value if isinstance(value, list | tuple) else [value])]
        own += [np.asarray(one) for one in flat if np.size(one) > 1]
    return noted, own


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
    saved, own = ask(kept, x)
    arrays = saved + own
    if saved and own:
        return "What is put on `ctx` is kept as well: compute it again in `backward`."
    if len(arrays) > 1:
        return "More than one array is kept: compute the rest again in `backward`."
    return None if len(arrays) == 1 and close(arrays[0], x) else "It is `x` that has to be kept."
