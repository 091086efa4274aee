"""Losses that are minus the logarithm of a probability, or made like one."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.core.errors import failure
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.activation.softmax import log_softmax
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.loss import elementwise as ops
from minipaddle.ops.loss.ctc import warpctc
from minipaddle.ops.math.arithmetic import divide, multiply
from minipaddle.ops.math.exponential import exp, log, square
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape, squeeze, unsqueeze
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn.functional.common import one_hot
from minipaddle.paddle.nn.functional.loss import check_reduction, reduce
from minipaddle.paddle.nn.functional.margins import same_shapes


def sigmoid_focal_loss(
    logit: Any,
    label: Any,
    normalizer: Any = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Any:
    """Cross entropy of ``sigmoid(logit)`` in which what is easy counts little: times ``(1 - p) ** gamma``.

    Args:
        logit: any float type and shape.
        label: 0 or 1, in the type and shape of `logit`.
        normalizer: what the loss is divided by, such as how many labels are 1; one number, optional.
        alpha: share of the label 1 against that of the label 0.
        gamma: how little the easy counts.
        reduction: 'sum', 'mean' or 'none'.
        name: not used.

    Raises:
        ValueError: **reduction**, **normalizer**, or shapes that differ.
    """
    check_reduction(reduction, "sigmoid_focal_loss")
    if normalizer is not None and len(normalizer.shape) > 1:
        raise failure(
            ValueError,
            f"Expected zero or one dimension of normalizer in sigmoid_focal_loss but got {len(normalizer.shape)}.",
        )
    loss = ops.sigmoid_cross_entropy_with_logits(logit, label, None)
    chance, other = sigmoid(logit), 1 - label
    right = multiply(chance, label) + multiply(1 - chance, other)
    loss = multiply(label * alpha + other * (1 - alpha), loss)
    loss = multiply((1 - right) ** gamma, loss)
    loss = loss if normalizer is None else divide(loss, normalizer)
    return reduce(loss, reduction)


def dice_loss(input: Any, label: Any, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """Return 1 minus twice the overlap over the sum of two sets: probabilities [N, ..., C], labels [N, ..., 1].

    Raises:
        AssertionError: if ranks, shapes or types do not fit.
    """
    assert numpy_dtype(input).kind == "f", "The data type of input must be float32 or float64."
    assert numpy_dtype(label).kind in "iu", "The data type of label must be int32 or int64."
    assert len(input.shape) >= 2, "The rank of input should be greater than or equal to 2."
    assert len(input.shape) == len(label.shape), (
        "The rank of input and label should be equal, but received input: "
        f"{len(input.shape)}, label: {len(label.shape)}."
    )
    assert label.shape[-1] == 1, f"The last dimension of label should be 1, but received {label.shape[-1]}."
    assert list(input.shape[:-1]) == list(label.shape[:-1]), (
        "All dimensions should be equal except the last one."
    )
    chosen = cast(one_hot(squeeze(label, [-1]), input.shape[-1]), input.dtype)
    axes = list(range(1, len(input.shape)))
    overlap = sum(multiply(input, chosen), axis=axes)
    whole = sum(input, axis=axes) + sum(chosen, axis=axes)
    return mean(1 - overlap * 2 / (whole + epsilon))


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """Cross entropy of the similarities of anchors [N, D] with all positives [N, D], those of one label being right.

    `l2_reg` weighs the squared lengths that are added.

    Raises:
        ValueError: for empty inputs.
    """
    for name, tensor in (("anchor", anchor), ("positive", positive)):
        if 0 in tensor.shape:
            raise failure(ValueError, f"The dims of {name} should be greater than 0.")
    rows = reshape(labels, [-1, 1])
    same = cast(rows == transpose(rows, [1, 0]), anchor.dtype)
    share = same / sum(same, axis=1, keepdim=True)
    lengths = (mean(sum(square(anchor), 1)) + mean(sum(square(positive), 1))) * (0.25 * l2_reg)
    logarithms = log_softmax(matmul(anchor, positive, transpose_y=True), -1)
    entropy = -sum(multiply(share, logarithms), axis=1, keepdim=True)
    return lengths + mean(sum(multiply(share, entropy), 0))


def gaussian_nll_loss(
    input: Any,
    label: Any,
    variance: Any,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the logarithm of the normal density: ``(ln v + (input - label)^2 / v) / 2``.

    As in Paddle, the variance gets a gradient in a Program only.

    Args:
        input: means, any float type.
        label: what was seen; the shapes broadcast.
        variance: of the shape of `input`, or with size 1 (or nothing) for its last axis.
        full: whether the constant ``ln(2 pi) / 2`` is added.
        epsilon: the least variance.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **variance**, **is not valid**.
    """
    if list(variance.shape) != list(input.shape):
        if list(input.shape[:-1]) == list(variance.shape):
            variance = unsqueeze(variance, [-1])
        elif list(input.shape[:-1]) != list(variance.shape[:-1]) or variance.shape[-1] != 1:
            raise failure(ValueError, "variance is of incorrect shape")
    if reduction not in ("none", "mean", "sum"):
        raise failure(ValueError, f"{reduction} is not valid")
    if hasattr(variance, "array") and (variance.array < 0).any():
        raise failure(ValueError, "variance has negative entry/entries")
    with no_grad():
        safe = variance.clip(epsilon)
    loss = (log(safe) + square(input - label) / safe) * 0.5
    return reduce(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction, mean)


def poisson_nll_loss(
    input: Any,
    label: Any,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the logarithm of the Poisson probability: ``exp(input) - label * input``.

    Args:
        input: logarithms of the rates, any float type; the rates, if not `log_input`.
        label: what was counted, in the same shape.
        log_input: whether `input` is a logarithm.
        full: whether Stirling's approximation of ``ln(label!)`` is added where the label is above 1.
        epsilon: keeps the logarithm of a rate finite.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **epsilon**, **reduction**, **shape**.
    """
    if epsilon <= 0:
        raise failure(
            ValueError,
            f"The value of `epsilon` in poisson_nll_loss should be positive, but received {epsilon:f}, which is not "
            "allowed",
        )
    check_reduction(reduction, "poisson_nll_loss")
    same_shapes("poisson_nll_loss", input=input, label=label)
    loss = exp(input) - multiply(label, input) if log_input else input - multiply(label, log(input + epsilon))
    if full:
        stirling = multiply(label, log(label)) - label + log(label * (2 * math.pi)) * 0.5
        loss = loss + where(label > 1, stirling, zeros_like(stirling))
    return reduce(loss, reduction, mean)


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
    """Minus the logarithm of the probability of a label sequence, whatever its timing (CTC, Graves 2006).

    Args:
        log_probs: scores [steps, batch, classes + 1], any float type; the softmax is done here.
        labels: class numbers [batch, longest].
        input_lengths: how many steps count [batch].
        label_lengths: how many labels count [batch].
        blank: the class that stands for nothing.
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
