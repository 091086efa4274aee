"""Losses between two tensors of one shape: the operators of ``ops.loss``, weighted and reduced."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.activation.rectifiers import relu
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.definition.arguments import known_size
from minipaddle.ops.loss import elementwise as ops
from minipaddle.ops.math.arithmetic import multiply, subtract
from minipaddle.ops.math.exponential import exp, square
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.reduction.sum import mean, mean_all, sum


def check_reduction(reduction: str, function: str, *more: str) -> None:
    """Raise for an unknown `reduction`.

    Raises:
        ValueError: **reduction**.
    """
    if reduction not in ("sum", "mean", "none", *more):
        raise invalid(
            f"The value of 'reduction' in {function} should be 'sum', 'mean' or 'none', but received "
            f"{reduction}, which is not allowed."
        )


def reduce(loss: Value, reduction: str, mean: Any = mean_all) -> Value:
    """Return the mean or the sum of `loss`, or `loss` itself. Paddle has two operators for means."""
    return mean(loss) if reduction == "mean" else sum(loss) if reduction == "sum" else loss


def mse_loss(input: Value, label: Value, reduction: str = "mean", name: str | None = None) -> Value:
    """Square of the difference. `reduction`: 'mean', 'sum' or 'none'.

    Raises:
        ValueError: **reduction**.
    """
    check_reduction(reduction, "mse_loss")
    return reduce(square(subtract(input, label)), reduction, mean)


def square_error_cost(input: Value, label: Value) -> Any:
    """Square of the difference, elementwise."""
    return square(subtract(input, label))


def l1_loss(input: Value, label: Value, reduction: str = "mean", name: str | None = None) -> Value:
    """Absolute difference. `reduction`: 'mean', 'sum' or 'none'.

    Raises:
        ValueError: **reduction**.
    """
    check_reduction(reduction, "L1Loss")
    return reduce(abs(subtract(input, label)), reduction)


def smooth_l1_loss(
    input: Value, label: Value, reduction: str = "mean", delta: float = 1.0, name: str | None = None
) -> Value:
    """Half the square of a difference below `delta`, linear beyond.

    Raises:
        ValueError: **reduction**, or shapes that differ.
    """
    check_reduction(reduction, "smooth_l1_loss")
    return reduce(ops.huber_loss(input, label, delta=delta), reduction, mean)


def binary_cross_entropy(
    input: Value, label: Value, weight: Value | None = None, reduction: str = "mean", name: str | None = None
) -> Value:
    """Cross entropy of probabilities for labels in [0, 1]; `weight` broadcasts.

    Raises:
        ValueError: **reduction**, shapes that differ, or an input outside [0, 1].
    """
    check_reduction(reduction, "binary_cross_entropy")
    loss = ops.bce_loss(input, label)
    return reduce(loss if weight is None else multiply(loss, weight), reduction)


def binary_cross_entropy_with_logits(
    logit: Value,
    label: Value,
    weight: Value | None = None,
    reduction: str = "mean",
    pos_weight: Value | None = None,
    name: str | None = None,
) -> Value:
    """Cross entropy of ``sigmoid(logit)`` for labels in [0, 1]; `pos_weight` weighs the positive part.

    Raises:
        ValueError: **reduction**, or shapes that differ.
    """
    check_reduction(reduction, "binary_cross_entropy_with_logits")
    loss = ops.sigmoid_cross_entropy_with_logits(logit, label, pos_weight)
    return reduce(loss if weight is None else multiply(loss, weight), reduction)


def kl_div(
    input: Value, label: Value, reduction: str = "mean", log_target: bool = False, name: str | None = None
) -> Value:
    """Divergence of log-probabilities `input` from probabilities `label` (logarithms, if `log_target`).

    `reduction`: 'mean' over all elements, 'batchmean' (sum divided by the batch), 'sum' or 'none'.

    Raises:
        ValueError: **reduction**.
    """
    check_reduction(reduction, "kl_div", "batchmean")
    if {numpy_dtype(one).kind for one in (input, label)} == {"f"}:
        input, label = promote(ops.kldiv_loss, input, label)
    loss = multiply(exp(label), subtract(label, input)) if log_target else ops.kldiv_loss(input, label)
    if reduction == "batchmean":
        return sum(loss) / (known_size(loss, 0) if loss.shape else 1)
    return reduce(loss, reduction, mean)


def margin_ranking_loss(
    input: Value,
    other: Value,
    label: Value,
    margin: float = 0.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Value:
    """Penalty ``max(0, -label * (input - other) + margin)`` for a wrong order; `label` is 1 or -1.

    Raises:
        ValueError: **reduction**.
    """
    check_reduction(reduction, "MarginRankingLoss")
    wrong = multiply(subtract(other, input), label)
    return reduce(relu(wrong + margin if margin else wrong), reduction)


__getattr__ = missing(__name__, globals())
