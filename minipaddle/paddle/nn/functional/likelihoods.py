"""Losses that are negative log probabilities: focal loss and CTC."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.loss import elementwise as ops
from minipaddle.ops.loss.ctc import warpctc
from minipaddle.ops.math.arithmetic import divide, multiply
from minipaddle.ops.reduction.sum import mean
from minipaddle.ops.views.reshape import squeeze
from minipaddle.paddle.nn.functional.loss import check_reduction, reduce


def sigmoid_focal_loss(
    logit: Any,
    label: Any,
    normalizer: Any = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Any:
    """Cross entropy of ``sigmoid(logit)`` times ``(1 - p) ** gamma``: easy examples count little.

    Args:
        logit: any float type and shape.
        label: 0 or 1, in the type and shape of `logit`.
        normalizer: the divisor of the loss, such as the number of labels 1; one number, optional.
        alpha: weight of the label 1; the label 0 has ``1 - alpha``.
        gamma: the larger it is, the less easy examples count.
        reduction: 'sum', 'mean' or 'none'.

    Raises:
        ValueError: **reduction**, **normalizer**, or shapes that differ.
    """
    check_reduction(reduction, "sigmoid_focal_loss")
    if normalizer is not None and len(normalizer.shape) > 1:
        raise invalid(
            f"Expected zero or one dimension of normalizer in sigmoid_focal_loss but got {len(normalizer.shape)}."
        )
    loss = ops.sigmoid_cross_entropy_with_logits(logit, label, None)
    chance, other = sigmoid(logit), 1 - label
    right = multiply(chance, label) + multiply(1 - chance, other)
    loss = multiply(label * alpha + other * (1 - alpha), loss)
    loss = multiply((1 - right) ** gamma, loss)
    loss = loss if normalizer is None else divide(loss, normalizer)
    return reduce(loss, reduction)


def ctc_loss(
    log_probs: Any,
    labels: Any,
    input_lengths: Any,
    label_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    norm_by_times: bool = False,
    zero_infinity: bool = False,
) -> Any:
    """Return the negative log probability of a label sequence, whatever its timing (CTC, Graves 2006).

    Args:
        log_probs: scores [steps, batch, classes + 1], any float type; the softmax is done here.
        labels: class numbers [batch, longest].
        input_lengths: the number of valid steps [batch].
        label_lengths: the number of valid labels [batch].
        blank: the class for "no label".
        reduction: 'mean' (of losses divided by label lengths), 'sum' or 'none'.
        norm_by_times: divide gradients by the number of steps.
        zero_infinity: accepted; where a label sequence is too long for its steps the loss is 0 in any case.

    Returns:
        [batch], or one number.

    Raises:
        AssertionError: an unknown `reduction`.
        ValueError: if shapes do not match, or the blank is no class.
    """
    assert reduction in ("mean", "sum", "none"), f"reduction is {reduction!r}"
    loss = warpctc(log_probs, labels, input_lengths, label_lengths, blank=blank, norm_by_times=norm_by_times)
    loss = squeeze(loss, [-1])
    if reduction == "mean":
        return mean(loss / cast(label_lengths, loss.dtype))
    return reduce(loss, reduction)
