"""Losses that keep things apart: margins between scores, distances and angles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.activation.sigmoids import log_sigmoid
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.logic.logical import all
from minipaddle.ops.math.arithmetic import multiply
from minipaddle.ops.math.cumulative import cumprod
from minipaddle.ops.math.exponential import exp, log, sqrt
from minipaddle.ops.math.minimum import maximum, minimum
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape, squeeze, unsqueeze
from minipaddle.paddle.nn.functional.common import one_hot
from minipaddle.paddle.nn.functional.distance import pairwise_distance
from minipaddle.paddle.nn.functional.loss import check_reduction, reduce

__all__ = [
    "cosine_embedding_loss", "multi_label_margin_loss", "multi_label_soft_margin_loss",
    "multi_margin_loss", "soft_margin_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss",
]  # fmt: skip


def same_shapes(function: str, **tensors: Any) -> None:
    """Refuse tensors of different shapes.

    Raises:
        ValueError: **shape**.
    """
    (first, x), *others = tensors.items()
    for name, other in others:
        if list(x.shape) != list(other.shape):
            raise failure(
                ValueError,
                f"{function}: {first}'s shape must equal to {name}'s shape, but received {list(x.shape)} and "
                f"{list(other.shape)}",
            )


def _above_zero(x: Any) -> Any:
    return maximum(x, zeros_like(x))


def triplet_margin_with_distance_loss(
    input: Any,
    positive: Any,
    negative: Any,
    distance_function: Callable[[Any, Any], Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Penalty ``max(0, distance to positive - distance to negative + margin)``.

    Args:
        input: anchors [N, D], any float type.
        positive: what should be near, in the same shape.
        negative: what should be far, in the same shape.
        distance_function: of two tensors; by default the Euclidean one.
        margin: by how much the negative should be farther.
        swap: take the distance between positive and negative, if that is smaller.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **reduction**, **margin**, **shape**, or a distance below 0.
    """
    check_reduction(reduction, "triplet_margin_with_distance_loss")
    if margin < 0:
        raise failure(
            ValueError, "The margin between positive samples and negative samples should be greater than 0."
        )
    same_shapes("triplet_margin_loss", input=input, positive=positive, negative=negative)
    distance = distance_function or pairwise_distance
    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    for one in (near, far):
        if hasattr(one, "array") and not bool(all(one >= 0)):
            raise failure(
                ValueError,
                "The positive distance or negative distance should be greater than 0, The distance functions "
                "should be checked.",
            )
    return reduce(_above_zero(near - far + margin), reduction, mean)


def triplet_margin_loss(
    input: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2.0,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Penalty for a negative that is not farther than the positive by `margin`, in the p-norm.

    The arguments are those of :func:`triplet_margin_with_distance_loss`; `epsilon` is added to differences.
    """
    check_reduction(reduction, "triplet_margin_loss")

    def distance(x: Any, y: Any) -> Any:
        return pairwise_distance(x, y, p, epsilon)

    return triplet_margin_with_distance_loss(input, positive, negative, distance, margin, swap, reduction)


def multi_margin_loss(
    input: Any,
    label: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Mean over the other classes of ``max(0, margin - score of the label + score) ** p``.

    Args:
        input: scores [N, C], any float type.
        label: class numbers [N].
        p: 1 or 2.
        margin: by how much the label should win.
        weight: one factor per class [C], optional.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **reduction**, or shapes that do not match.
    """
    check_reduction(reduction, "multi_margin_loss")
    if -1 not in (input.shape[0], label.shape[0]) and input.shape[0] != label.shape[0]:
        raise failure(
            ValueError,
            "The label's shape[0] should be equal to input's shape[0], but received input's shape[0] "
            f"{input.shape[0]} and label's shape[0]:{label.shape[0]}. ",
        )
    classes, places = input.shape[1], reshape(label, [-1, 1])
    score = take_along_axis(input, places, 1)
    wrong = _above_zero(margin - score + input) ** p
    if weight is None:
        return reduce(mean(wrong, 1) - margin**p / classes, reduction, mean)
    if weight.shape[0] != classes:
        raise failure(
            ValueError,
            f"The weight's shape[0] should be equal to input's shape[1]but received weight's shape[0]: "
            f"{weight.shape[0]} and input's shape[1]: {classes}",
        )
    factor = reshape(gather(weight, reshape(label, [-1])), [-1, 1])
    loss = mean(multiply(factor, wrong), 1) - squeeze(factor, [1]) * (margin**p / classes)
    return reduce(loss, reduction, mean)


def multi_label_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """Sum over labels and other classes of ``max(0, 1 - (score of the label - score)) / C``.

    Args:
        input: scores [N, C], any float type.
        label: class numbers [N, C], of each row those before the first -1.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **reduction**, **2D**, or a label that is no class.
    """
    check_reduction(reduction, "multi_label_margin_loss")
    for what, tensor in (("input", input), ("label", label)):
        if len(tensor.shape) != 2:
            raise failure(ValueError, f"Expected 2D {what} tensor, but got {len(tensor.shape)}D")
    classes = input.shape[1]
    if hasattr(label, "array") and label.array.size:
        if label.array.min() < -1:
            raise failure(ValueError, "label values should be >= -1")
        if label.array.max() >= classes:
            raise failure(ValueError, f"label values should be < {classes}")
    valid = cumprod(cast(label != -1, "int64"), 1)
    used = cast(valid, input.dtype)
    places = multiply(cast(label, "int64"), valid)
    chosen = one_hot(places, classes) * unsqueeze(cast(valid, "float32"), [-1])  # [N, labels, C]
    others = cast(sum(chosen, 1, keepdim=True) == 0, input.dtype)  # [N, 1, C]
    score = unsqueeze(take_along_axis(input, places, 1), [-1])  # [N, labels, 1]
    wrong = _above_zero(1 - score + unsqueeze(input, [1]))
    loss = sum(multiply(multiply(wrong, others), unsqueeze(used, [-1])), [1, 2]) / classes
    return reduce(loss, reduction, mean)


def multi_label_soft_margin_loss(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None
) -> Any:
    """Mean over the classes of the cross entropy of ``sigmoid(input)``; labels [N, C] are 0 or 1.

    Raises:
        ValueError: **reduction**, or shapes that differ.
    """
    check_reduction(reduction, "multi_label_soft_margin_loss")
    if list(input.shape) != list(label.shape):
        raise failure(
            ValueError,
            f"The input and label should have same dimension,but received {list(input.shape)}!={list(label.shape)}",
        )
    label = cast(label, input.dtype)
    loss = -(multiply(label, log_sigmoid(input)) + multiply(1 - label, log_sigmoid(-input)))
    loss = loss if weight is None else multiply(loss, weight)
    return reduce(mean(loss, -1), reduction, mean)


def soft_margin_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """Penalty ``ln(1 + exp(-label * input))``; labels are 1 or -1.

    Raises:
        ValueError: **reduction**, or shapes that differ.
    """
    check_reduction(reduction, "soft_margin_loss")
    same_shapes("soft_margin_loss", input=input, label=label)
    return reduce(log(1 + exp(multiply(-cast(label, input.dtype), input))), reduction, mean)


def cosine_embedding_loss(
    input1: Any, input2: Any, label: Any, margin: float = 0, reduction: str = "mean", name: str | None = None
) -> Any:
    """Penalty ``1 - cos`` for pairs with label 1, ``max(0, cos - margin)`` for those with label -1.

    Args:
        input1: [N, D] or [D], any float type.
        input2: the same shape.
        label: [N] or [], 1 or -1.
        margin: between -1 and 1.
        reduction: 'mean', 'sum' or 'none'.
        name: not used.

    Raises:
        ValueError: **1D target**, **shape**, **ranges from**, **reduction**.
    """
    if len(label.shape) != 1:
        raise failure(ValueError, "1D target tensor expected, multi-target not supported")
    if list(input1.shape) != list(input2.shape):
        raise failure(
            ValueError,
            "the shape of input tensor 1 should be equal to input tensor 2, but found inputs with different sizes",
        )
    if len(input1.shape) > 2:
        raise failure(
            ValueError,
            "1D target tensor expects 1D or 2D input tensors, but found inputs with different sizes",
        )
    if not -1 <= margin <= 1:
        raise failure(
            ValueError,
            f"The value of 'margin' in cosine_embedding_loss ranges from -1 to 1, but got {margin}",
        )
    check_reduction(reduction, "cosine_embedding_loss")
    axis = len(input1.shape) - 1
    product = sum(multiply(input1, input2), axis=axis)
    lengths = [sum(multiply(one, one), axis=axis) + 1e-12 for one in (input1, input2)]
    cosine = product / sqrt(multiply(*lengths))
    nothing = zeros_like(cosine)
    alike, apart = 1 - cosine, maximum(cosine - margin, nothing)
    loss = where(label == 1, alike, nothing) + where(label == -1, apart, nothing)
    return reduce(loss, reduction, mean)
