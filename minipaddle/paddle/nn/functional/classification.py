"""Classification losses: the operators of ``ops.cross_entropy``, weighted and reduced."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.meta import sizes_fit
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.loss import cross_entropy as fused
from minipaddle.ops.loss import nll
from minipaddle.ops.loss.elementwise import label_smooth
from minipaddle.ops.math.arithmetic import multiply
from minipaddle.ops.math.exponential import log
from minipaddle.ops.nn.embedding import embedding
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape, squeeze, unsqueeze2
from minipaddle.ops.views.transpose import moveaxis
from minipaddle.paddle.nn.functional.common import one_hot
from minipaddle.paddle.nn.functional.loss import check_reduction, reduce


def nll_loss(
    input: Value,
    label: Value,
    weight: Value | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the log-probability [N, C, ...] of each label [N, ...].

    Args:
        input: log-probabilities.
        label: class numbers; [N, 1] is also accepted if `input` is [N, C].
        weight: one factor per class, optional; 'mean' divides by the factors used.
        ignore_index: a label that is ignored.
        reduction: 'mean', 'sum' or 'none'.

    Raises:
        ValueError: **reduction**, a label that is no class, or shapes that differ.
    """
    check_reduction(reduction, "nll_loss")
    return nll.nll_loss(input, label, weight, ignore_index=ignore_index, reduction=reduction)[0]


def softmax_with_cross_entropy(
    logits: Value,
    label: Value,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """Cross entropy of ``softmax(logits)`` for labels with size 1 on `axis`; the loss keeps that shape.

    Args:
        logits: [..., classes], any float type, not normalised.
        label: [..., 1], integers; with `soft_label` probabilities, of the shape and type of `logits`.
        soft_label: whether labels are probabilities.
        ignore_index: integer labels of this value have loss 0.
        numeric_stable_mode: accepted; the computation is always stable.
        return_softmax: return (loss, softmax).
        axis: the axis of the classes.

    Raises:
        IndexError: if a label is no class.
        ValueError: if shapes do not match.
    """
    softmax, loss = fused.softmax_with_cross_entropy(
        logits, label, soft_label=soft_label, ignore_index=ignore_index, axis=axis
    )
    return (loss, softmax) if return_softmax else loss


def cross_entropy(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Any:
    """Return the cross entropy between scores of classes and labels.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/cross_entropy_en.html

    Args:
        input: scores [..., C] (classes on `axis`), or probabilities if not `use_softmax`.
        label: class numbers [...] or [..., 1]; with `soft_label` a weight for every class, in the shape of
            `input`.
        weight: one factor per class, optional; 'mean' divides by the factors used.
        ignore_index: a label that is ignored; if it is not negative, 'mean' divides by the number of the other
            labels.
        reduction: 'mean', 'sum' or 'none'. 'none' has the shape of a hard label.
        soft_label: whether `label` has weights.
        axis: the axis of the classes.
        use_softmax: whether `input` has scores.
        label_smoothing: share of every label that is spread evenly over all classes.

    Raises:
        IndexError: **label value**, if a label is no class.
        ValueError: **reduction**, or shapes that do not match.
    """
    check_reduction(reduction, "softmax_cross_entropy")
    ndim = input.ndim
    if ndim == 0:
        raise invalid("The dimension of input should be larger than zero!")
    if soft_label and ignore_index > 0:
        raise invalid(
            f"When soft_label == True, the value of 'ignore_index' should be '-100', but received {ignore_index}.",
            "a row of weights is left out by weights of 0",
        )
    if weight is not None and not sizes_fit(weight.shape[-1:], (input.shape[axis],)):
        raise invalid(
            f"input's class_dimension({input.shape[axis]}) must equal to weight's "
            f"class_dimension({weight.shape[-1]}) when weight is provided"
        )
    if label_smoothing > 0 and not soft_label:
        soft_label = True
        if label.ndim < ndim or label.shape[axis] == 1:  # else it is one-hot
            label = one_hot(squeeze(_hard(label, ndim, axis), [axis]), input.shape[axis])
            label = moveaxis(label, -1, axis) if axis % ndim != ndim - 1 else label
    if label_smoothing > 0:
        label = label_smooth(cast(label, input.dtype), epsilon=label_smoothing)
    if soft_label:
        return _soft(input, label, weight, reduction, axis, use_softmax)
    column = _hard(label, ndim, axis)
    loss = _fused_or_not(input, column, False, ignore_index, axis, use_softmax)
    if weight is None and (reduction == "sum" or (reduction == "mean" and ignore_index < 0)):
        return reduce(loss, reduction)
    if label.ndim < ndim:
        loss, column = squeeze(loss, [axis]), label
    if weight is None and reduction == "none":
        return loss
    used = cast(column != ignore_index, loss.dtype)
    if weight is not None:
        place = where(column == ignore_index, column * 0, column)
        used = used * reshape(embedding(reshape(weight, [-1, 1]), place), loss.shape)
        loss = multiply(loss, used)
    if reduction != "mean":
        return reduce(loss, reduction)
    total = sum(used)
    return sum(loss) / (total + cast(total == 0, total.dtype))


def _hard(label: Value, ndim: int, axis: int) -> Any:
    """Return class numbers with size 1 on `axis`."""
    if label.ndim == ndim - 1:
        return unsqueeze2(label, (axis,))
    if label.ndim == ndim:
        return label
    raise invalid(
        f"Expected input_dims - 1 = label_dims or input_dims == label_dims (got input_dims{ndim}, "
        f"label_dims{label.ndim}); the scores come first, then the labels"
    )


def _fused_or_not(
    input: Value, label: Value, soft: bool, ignore_index: int, axis: int, use_softmax: bool
) -> Any:
    """Return the loss with size 1 on `axis`."""
    if use_softmax:
        return fused.softmax_with_cross_entropy(
            input, label, soft_label=soft, ignore_index=ignore_index, axis=axis
        )[1]
    if soft:
        return -sum(multiply(label, log(input)), axis=axis, keepdim=True)
    rows = moveaxis(log(input), axis, 1) if axis % input.ndim != 1 else log(input)
    loss, _ = nll.nll_loss(rows, squeeze(label, [axis]), None, ignore_index=ignore_index)
    return unsqueeze2(loss, (axis,))


def _soft(input: Value, label: Value, weight: Any, reduction: str, axis: int, use_softmax: bool) -> Value:
    """Cross entropy for labels that are weights."""
    alike(fused.softmax_with_cross_entropy, input, label)
    loss = _fused_or_not(input, label, True, -100, axis, use_softmax)
    if weight is None:
        return reduce(loss, reduction)
    along = [1] * len(input.shape)
    along[axis] = -1
    used = sum(multiply(label, reshape(weight, along)), axis=axis, keepdim=True)
    loss = multiply(loss, used)
    return sum(loss) / sum(used) if reduction == "mean" else reduce(loss, reduction)
