"""Losses and labels that few scripts need: log_loss, label_smooth, identity_loss."""

from __future__ import annotations

import math

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import listed
from minipaddle.ops.reduction.broadcast import expand_view


def _log_loss_infer(input: Meta, label: Meta, *, epsilon: float = 1e-4) -> Meta:
    for name, meta in (("Predicted", input), ("Labels", label)):
        if meta.ndim != 2 or meta.shape[1] not in (1, -1):
            raise failure(
                ValueError,
                f"Each row of Input({name}) contains a real value, so the 2nd dimension of Input(X) must be 1, "
                f"but its shape is {list(meta.shape)}.",
            )
    return input


@operator(
    "log_loss",
    "Predicted, Labels -> Loss^",
    infer=_log_loss_infer,
    kinds="f",
    latex=r"-y\ln(p+\epsilon) - (1-y)\ln(1-p+\epsilon)",
    example=lambda rng: (list(rng.uniform(0.2, 0.9, (2, 3, 1))), {}),
    page="nn/functional/log_loss",
)
def log_loss(input: Array, label: Array, epsilon: float = 1e-4) -> Array:
    """Return the cross entropy of probabilities, [N, 1]; `epsilon` keeps the logarithms finite.

    Raises:
        ValueError: for another shape.
    """
    if input.ndim != 2 or input.shape != label.shape or input.shape[1] != 1:
        raise ValueError  # worded by the shape rule
    return -label * np.log(input + epsilon) - (1 - label) * np.log(1 - input + epsilon)


@log_loss.gradient("input")
def _(dy: Value, input: Value, label: Value, epsilon: float) -> Value:
    return dy * ((1 - label) / (1 - input + epsilon) - label / (input + epsilon))


@operator(
    "label_smooth",
    "X, PriorDist? -> Out",
    kinds="f",
    latex=r"(1-\epsilon)\,y + \epsilon\, p",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3)), rng.uniform(0.2, 0.9, (1, 3))], {}),
    page="nn/functional/label_smooth",
)
def label_smooth(label: Array, prior_dist: Array | None, epsilon: float = 0.1) -> Array:
    """Take the share `epsilon` of each one-hot label and spread it over all classes, or by `prior_dist`.

    Labels are [..., classes], `prior_dist` [1, classes].
    """
    spread = 1 / label.shape[-1] if prior_dist is None else prior_dist
    kept, taken = label.dtype.type(1 - epsilon), label.dtype.type(epsilon)
    return label * kept + taken * spread


@label_smooth.gradient("label")
def _(dy: Value, epsilon: float) -> Value:
    return dy * (1 - epsilon)


def _identity_infer(x: Meta, *, reduction: int = 1) -> Meta:
    return x if reduction == 2 else Meta((), x.dtype)


@listed(kind="identity_loss")
@operator(
    "identity_loss", "X -> Out", infer=_identity_infer, kinds="f", latex=r"x", page="incubate/identity_loss"
)
def identity_loss(x: Array, reduction: int = 1) -> Array:
    """Return `x` as the loss: its sum (0), its mean (1) or itself (2)."""
    return x.copy() if reduction == 2 else np.asarray(x.mean() if reduction else x.sum())


@identity_loss.gradient("x")
def _(dy: Value, x_shape: Shape, reduction: int) -> Value:
    if reduction == 2:
        return dy
    return expand_view(dy / math.prod(x_shape) if reduction else dy, x_shape)
