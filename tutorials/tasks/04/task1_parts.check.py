"""Grader of task1_parts.py: both results used, and each alone."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Where `x` is positive only the first result moves with it; where it is negative, only the second.",
    "`ctx.set_materialize_grads(False)` in `forward`; in `backward` begin with zeros, and add what is not `None`.",
    "Each gradient passes through a mask of its own, by the sign of `x`; one that is `None` is left out of the sum.",
)


def both(student, x, up, down):
    t = paddle.to_tensor(x, stop_gradient=False)
    above, below = student.Parts.apply(t)
    (above * paddle.to_tensor(up) + below * paddle.to_tensor(down)).sum().backward()
    return t.grad.numpy()


def one_of_them(student, x, dy, which):
    """Return the gradient when one result is used, and what `backward` was given."""
    given = []

    class Watched(student.Parts):
        @staticmethod
        def backward(ctx, *grads):
            given[:] = [grad is None for grad in grads]
            return student.Parts.backward(ctx, *grads)

    t = paddle.to_tensor(x, stop_gradient=False)
    (Watched.apply(t)[which] * paddle.to_tensor(dy)).sum().backward()
    return t.grad.numpy(), given


def both_signs(draw, count):
    return draw.permutation(draw.uniform(0.2, 2, count) * np.resize([1, -1], count))


@claim(50, "the gradient when both are used")
def of_both(ask, draw):
    x, up, down = both_signs(draw, 8), draw.uniform(1, 2, 8), draw.uniform(3, 4, 8)
    dx = ask(both, x, up, down)
    if close(dx, up * (x > 0) - down * (x < 0)):
        return None
    if close(dx, up * (x > 0) + down * (x < 0)):
        return "Below zero the second result is `-x`: its slope is -1."
    if close(dx, up * (x > 0)):
        return "The second result is used as well: its gradient is missing."
    if close(dx, up - down):
        return "Each gradient counts only where its result is not cut off: use the sign of `x`."
    if close(dx, down * (x > 0) - up * (x < 0)):
        return "The two gradients are swapped: they come in the order of the results."
    return "The gradient of `x` is not right."


@claim(50, "the gradient when one is used")
def of_one(ask, draw):
    x, dy = both_signs(draw, 6), draw.uniform(1, 2, 6)
    for which, right in enumerate((dy * (x > 0), -dy * (x < 0))):
        dx, given = ask(one_of_them, x, dy, which)
        if not any(given):
            return "`backward` was given zeros: call `ctx.set_materialize_grads(False)` in `forward`."
        if not close(dx, right):
            return "When only one result is used, the gradient of `x` is not right."
    return None
