"""Elementwise losses: one number per element or per row; and smoothed labels.

Reductions (mean, sum) are separate operators, applied in ``nn.functional``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.activation.sigmoids import sigmoid, softplus
from minipaddle.ops.creation.promotion import alike, alike_pair, promote_floats
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, mark, operator, require, tried_with
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.math.exponential import log
from minipaddle.ops.math.maximum_minimum import clip
from minipaddle.ops.reduction.sum import unbroadcast


def same_shapes(x: Meta, label: Meta, **attrs: Any) -> Meta:
    """Shape rule: two inputs of the same shape."""
    if len(x.shape) != len(label.shape) or any(
        a != b and -1 not in (a, b) for a, b in zip(x.shape, label.shape)
    ):
        raise invalid(
            f"The Input(X) and Input(Label) should have the same shape, but received input shape {list(x.shape)} != "
            f"label shape {list(label.shape)}",
            "a loss does not broadcast its label; reshape or expand it first",
        )
    return x


@listed(kind="binary_cross_entropy")
@tried_with((2, 3), (2, 3), within=(0.2, 0.8))
@operator("bce_loss", kinds="biuf", prepare=alike_pair, infer=same_shapes)
def bce_loss(x: Array, label: Array) -> Array:
    """Cross entropy of probabilities `x` for labels in [0, 1]; logarithms are clipped at -100."""
    require(x.shape == label.shape)
    if x.size and not (x.min() >= 0 and x.max() <= 1):
        raise invalid(
            "Illegal input, input must be greater than or equal to 0 and less than or equal to 1",
            "binary_cross_entropy_with_logits takes scores of any size",
        )
    return -(label * np.maximum(np.log(x), -100) + (1 - label) * np.maximum(np.log(1 - x), -100))


bce_loss.gradient("x")(lambda dy, x, label: dy * (x - label) / clip(x * (1 - x), 1e-12, 1.0))
bce_loss.gradient("label")(lambda dy, x: dy * (log(1 - x) - log(x)))


@listed(Listing(normalize=False, ignore_index=-100), inputs="X, Label, pos_weight")
@tried_with(
    lambda rng: ([rng.uniform(-2, 2, (2, 3)), rng.uniform(0.1, 0.9, (2, 3)), rng.uniform(0.5, 2, (2, 3))], {})
)
@operator(
    "sigmoid_cross_entropy_with_logits",
    kinds="biuf",
    prepare=alike,
    infer=lambda x, label, pos_weight, **attrs: same_shapes(x, label),
)
def sigmoid_cross_entropy_with_logits(x: Array, label: Array, pos_weight: Array | None = None) -> Any:
    """Cross entropy of ``sigmoid(x)`` without overflow; `pos_weight` weighs the positive part."""
    require(x.shape == label.shape)
    smooth = np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)
    if pos_weight is not None:
        smooth *= 1 + (pos_weight - 1) * label
    return (1 - label) * x + smooth


mark("takes scores", sigmoid_cross_entropy_with_logits)


@sigmoid_cross_entropy_with_logits.gradient("x")
def _(dy: Value, x: Value, label: Value, pos_weight: Value | None) -> Value:
    if pos_weight is None:
        return dy * (sigmoid(x) - label)
    return dy * ((1 - label) - (1 + (pos_weight - 1) * label) * sigmoid(-x))


@sigmoid_cross_entropy_with_logits.gradient("label")
def _(dy: Value, x: Value, pos_weight: Value | None) -> Value:
    return -dy * x if pos_weight is None else dy * ((pos_weight - 1) * softplus(-x) - x)


@sigmoid_cross_entropy_with_logits.gradient("pos_weight")
def _(dy: Value, x: Value, label: Value, pos_weight_shape: Shape) -> Value:
    return unbroadcast(dy * label * softplus(-x), pos_weight_shape)


@tried_with((5,), [0.1, -0.2, 3.0, -3.0, 0.3], within=(-1, 1), delta=1.5)
@operator("huber_loss", kinds="biuf", infer=same_shapes, prepare=promote_floats)
def huber_loss(x: Array, y: Array, *, delta: float = 1.0) -> Array:
    """Half the square of a small difference; beyond `delta` a straight line."""
    require(x.shape == y.shape)
    distance = np.abs(x - y)
    return np.where(distance < delta, 0.5 * distance * distance, delta * (distance - 0.5 * delta))


mark("elementwise", huber_loss)
huber_loss.gradient("x")(lambda dy, x, y, delta: dy * clip(x - y, -delta, delta))
huber_loss.gradient("y")(lambda dy, x, y, delta: dy * clip(y - x, -delta, delta))


@listed(Listing(reduction="none"), kind="kl_div", grad_keeps="X")
@tried_with((2, 3), (2, 3), within=(0.2, 0.8))
@operator("kldiv_loss", kinds="biuf", prepare=alike_pair, outputs=("loss",))
def kldiv_loss(x: Array, target: Array) -> Array:
    """Divergence of log-probabilities `x` from probabilities `target`; 0 where the target is 0."""
    return np.where(target > 0, target * (np.log(np.where(target > 0, target, 1)) - x), 0).astype(x.dtype)


kldiv_loss.gradient("x")(lambda dy, target: -dy * clip(target, 0.0, None))
mark("takes log probabilities", kldiv_loss)


def _log_loss_infer(input: Meta, label: Meta, **attrs: Any) -> Meta:
    for name, meta in (("Predicted", input), ("Labels", label)):
        if meta.ndim != 2 or meta.shape[1] not in (1, -1):
            raise invalid(
                f"Each row of Input({name}) contains a real value, so the 2nd dimension of Input(X) must be 1, "
                f"but its shape is {list(meta.shape)}."
            )
    return input


@listed(inputs="Predicted, Labels")
@tried_with((3, 1), (3, 1))
@operator("log_loss", infer=_log_loss_infer, kinds="f", outputs=("loss",))
def log_loss(input: Array, label: Array, *, epsilon: float = 1e-4) -> Array:
    """Return the cross entropy of probabilities, [N, 1]; `epsilon` keeps the logarithms finite."""
    require(input.ndim == 2 and input.shape == label.shape and input.shape[1] == 1)
    return -label * np.log(input + epsilon) - (1 - label) * np.log(1 - input + epsilon)


@log_loss.gradient("input")
def _(dy: Value, input: Value, label: Value, epsilon: float) -> Value:
    return dy * ((1 - label) / (1 - input + epsilon) - label / (input + epsilon))


@listed(inputs="X, PriorDist")
@tried_with((2, 3), (1, 3))
@operator("label_smooth", kinds="f")
def label_smooth(label: Array, prior_dist: Array | None = None, *, epsilon: float = 0.1) -> Array:
    """Take the share `epsilon` of each one-hot label and spread it over all classes, or by `prior_dist`.

    Labels are [..., classes], `prior_dist` [1, classes].
    """
    spread = 1 / (label.shape or (1,))[-1] if prior_dist is None else prior_dist
    kept, taken = label.dtype.type(1 - epsilon), label.dtype.type(epsilon)
    return label * kept + taken * spread


label_smooth.gradient("label")(lambda dy, epsilon: dy * (1 - epsilon))
