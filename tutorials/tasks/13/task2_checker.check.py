"""Grader of task2_checker.py: one right rule and five wrong ones."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Two gradients are compared: `layer.apply(t).backward(dy)` leaves one in `t.grad`; nudging gives the other.",
    "Nudge the number `(layer(x) * dy).sum()`, for each element of `x`: a row of `1e-5 * np.eye(len(x))` is one step.",
    "Nudge each element both ways, with one drawn `dy` for both gradients, and compare with a small tolerance.",
)


def verdict(student, rule, x):
    """Ask about a layer x ** 3 / 3 + x, whose rule is named."""

    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x / 3 + x

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            slope = x * x + 1
            last = paddle.to_tensor(np.arange(len(x)) == len(x) - 1).astype(x.dtype)
            return {
                "right": dy * slope,
                "sign": -dy * slope,
                "no dy": slope,
                "mean dy": dy.mean() * slope,
                "last": dy * (slope + 0.5 * last),
                "slightly": dy * slope * 1.01,
            }[rule]

    return student.agrees(Layer, x)


def drawn(draw):
    return draw.uniform(0.5, 2, 4)


@claim(30, "it tells layers apart")
def apart(ask, draw):
    right, wrong = (ask(verdict, rule, drawn(draw)) for rule in ("right", "sign"))
    if not (close(right, True) or close(right, False)):
        return "The answer is to be `True` or `False`."
    if close(right, False):
        return (
            "A right rule is called wrong: nudging is exact to some digits only, so compare with a tolerance."
        )
    if close(wrong, True):
        same = close(ask(verdict, "slightly", drawn(draw)), True)
        return (
            "It calls every layer right." if same else "A gradient that points the other way is called right."
        )
    return None


@claim(40, "rules that are nearly right are wrong")
def wrong(ask, draw):
    if not close(ask(verdict, "slightly", drawn(draw)), False):
        return "A rule that is wrong by one part in a hundred is called right: the tolerance is too large."
    if not close(ask(verdict, "last", drawn(draw)), False):
        return "A rule that is wrong for the last element alone is called right: compare all elements."
    return None


@claim(30, "also those that are right for ones")
def ignores(ask, draw):
    answers = [ask(verdict, rule, drawn(draw)) for rule in ("no dy", "mean dy", "right")]
    if close(answers, [False, False, True]):
        return None
    return "A rule that ignores `dy` is called right: ones hide that, so draw a `dy`."
