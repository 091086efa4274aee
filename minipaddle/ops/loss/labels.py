"""Losses and labels that few scripts need: log_loss, label_smooth."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.engine.value.value import Value


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
    "Predicted, Labels -> Loss",
    infer=_log_loss_infer,
    kinds="f",
    latex=r"-y\ln(p+\epsilon) - (1-y)\ln(1-p+\epsilon)",
    example=lambda rng: (list(rng.uniform(0.2, 0.9, (2, 3, 1))), {}),
    page="nn/functional/log_loss",
)
def log_loss(input: Array, label: Array, epsilon: float = 1e-4) -> Array:
    """Return the cross entropy of probabilities, [N, 1]; `epsilon` keeps the logarithms finite."""
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


label_smooth.gradient("label")(lambda dy, epsilon: dy * (1 - epsilon))
