"""Losses of a choice between very many classes: by a tree of choices, or by clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.ops.activation.softmax import log_softmax
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.loss.hierarchical import hierarchical_sigmoid
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import squeeze, unsqueeze
from minipaddle.paddle.nn.functional.common import linear

__all__ = ["adaptive_log_softmax_with_loss", "hsigmoid_loss"]


def hsigmoid_loss(
    input: Any,
    label: Any,
    num_classes: int,
    weight: Any,
    bias: Any = None,
    path_table: Any = None,
    path_code: Any = None,
    is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Minus the logarithm of the probability of the way to a label, one sigmoid for each turn (hierarchical softmax).

    Args:
        input: features [N, D], any float type.
        label: class numbers [N] or [N, 1].
        num_classes: at least 2.
        weight: [num_classes - 1, D], a row for each inner node of the tree.
        bias: [num_classes - 1] or [num_classes - 1, 1], optional.
        path_table: inner nodes on the way to each label [N, depth], -1 for none; by default a complete tree's.
        path_code: the turn taken at each of them, 0 or 1 [N, depth].
        is_sparse: accepted; gradients are dense.
        name: not used.

    Returns:
        [N, 1]; a way shorter than the longest one adds ln 2 for each turn that it lacks, as in Paddle.

    Raises:
        ValueError: **num_classes**.
    """
    return hierarchical_sigmoid(
        input, weight, label, path_table, path_code, bias, num_classes=num_classes, is_sparse=is_sparse
    )[0]


def cluster_log_probs(input: Any, tail: Sequence[Any]) -> Any:
    """Return the log-probabilities of the classes of one cluster: two products, then a softmax."""
    return log_softmax(linear(linear(input, tail[0]), tail[1]), 1)


def adaptive_log_softmax_with_loss(
    input: Any,
    label: Any,
    head_weight: Any,
    tail_weights: Sequence[Sequence[Any]],
    cutoffs: Sequence[int],
    head_bias: Any = None,
    name: str | None = None,
) -> Any:
    """Log-probabilities of labels, the frequent ones chosen directly, the others by way of a cluster (Grave 2016).

    Args:
        input: features [N, D] or [D], any float type.
        label: class numbers [N] or [], by falling frequency.
        head_weight: [D, first cutoff + clusters].
        tail_weights: for each cluster two matrices, [D, width] and [width, classes].
        cutoffs: where each cluster begins, and at last the number of classes.
        head_bias: [first cutoff + clusters], optional.
        name: not used.

    Returns:
        the log-probabilities [N], and minus their mean.

    Raises:
        ValueError: **label tensor expects**, **same size**, or a label that is no class.
    """
    single = len(label.shape) == 0
    if len(label.shape) > 1:
        raise failure(ValueError, "0D or 1D label tensor expected, multi-label not supported")
    if len(input.shape) != len(label.shape) + 1:
        wanted = "0D label tensor expects 1D" if single else "1D label tensor expects 2D"
        raise failure(ValueError, f"{wanted} input tensors, but found inputs with size {list(input.shape)}")
    if not single and -1 not in (input.shape[0], label.shape[0]) and input.shape[0] != label.shape[0]:
        raise failure(ValueError, "Input and label should have the same size in the batch dimension.")
    x, wanted_class = (unsqueeze(input, [0]), unsqueeze(label, [0])) if single else (input, label)
    _check_labels(wanted_class, cutoffs[-1])
    head = log_softmax(linear(x, head_weight, head_bias), 1)
    entry, inside = wanted_class, zeros_like(head[:, 0])
    for number, (low, high) in enumerate(pairwise(cutoffs)):
        here = (wanted_class >= low).logical_and(wanted_class < high)
        place = where(here, wanted_class - low, zeros_like(wanted_class))
        found = squeeze(
            take_along_axis(cluster_log_probs(x, tail_weights[number]), unsqueeze(place, [1]), 1), [1]
        )
        inside = where(here, found, inside)
        entry = where(here, zeros_like(entry) + (cutoffs[0] + number), entry)
    output = inside + squeeze(take_along_axis(head, unsqueeze(entry, [1]), 1), [1])
    loss = mean(-output)
    return (squeeze(output, [0]) if single else output), loss


def _check_labels(label: Any, classes: int) -> None:
    """Refuse labels that are no class, where they are known.

    Raises:
        ValueError: **label values**.
    """
    array = getattr(label, "array", None)
    if array is not None and array.size and (array.min() < 0 or array.max() >= classes):
        raise failure(
            ValueError,
            f"label values should be in [0, n_classes - 1], but values in range [{np.min(array)}, {np.max(array)}] "
            "were found. ",
        )
