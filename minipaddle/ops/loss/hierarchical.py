"""A choice between very many classes as a way down a tree: one sigmoid for each turn (hierarchical softmax)."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.indexing.index import scatter_at
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.reduction.sum import cast_to, reduce_sum
from minipaddle.ops.views.reshape import reshape2, unsqueeze2

_MOST = 40.0
"""Scores beyond this are cut off."""


def _depth(classes: int) -> int:
    """Return how many turns the longest way in a complete tree has."""
    return (2 * classes - 1).bit_length() - 1


def _path_infer(
    label: Meta, path_table: Meta | None, path_code: Meta | None, num_classes: int = 2
) -> tuple[Meta, Meta]:
    depth = _depth(num_classes) if path_table is None else path_table.shape[1]
    way = Meta((label.shape[0], depth), np.dtype("int64"))
    return way, way


@operator(
    "hierarchical_path",
    "Label, PathTable?, PathCode? -> Nodes~, Turns~",
    kinds="iu",
    infer=_path_infer,
    example=lambda rng: ([np.array([[0], [3], [5]]), None, None], {"num_classes": 6}),
)
def hierarchical_path(
    label: Array, path_table: Array | None, path_code: Array | None, num_classes: int = 2
) -> tuple[Array, ...]:
    """Return the inner nodes on the way to each label [N, depth], -1 for none, and the turn taken at each, 0 or 1.

    The ways are those in a complete tree, if no `path_table` and `path_code` say others.
    """
    if path_table is not None and path_code is not None:
        return path_table.astype("int64"), path_code.astype("int64")
    code = label.reshape(-1, 1).astype("int64") + num_classes
    step = 1 << np.arange(_depth(num_classes))
    return code // (2 * step) - 1, code // step % 2


def _from_zero(nodes: Any) -> Any:
    """Return node numbers, 0 for none."""
    return nodes * cast_to(nodes >= 0, "int64")


def _scores(x: Any, w: Any, bias: Any, nodes: Any) -> tuple[Any, Any]:
    """Return the score of each turn [N, depth], and the rows of `w` that give it, [N, depth, D]."""
    rows = reshape2(_from_zero(nodes), (-1,))
    chosen = reshape2(gather_op(w, rows), (-1, nodes.shape[1], w.shape[1]))
    scores = reduce_sum(chosen * unsqueeze2(x, (1,)), (2,), False)
    if bias is not None:
        scores = scores + reshape2(gather_op(reshape2(bias, (-1,)), rows), (-1, nodes.shape[1]))
    return scores, chosen


def _infer(
    x: Meta,
    w: Meta,
    label: Meta,
    path_table: Meta | None,
    path_code: Meta | None,
    bias: Meta | None,
    num_classes: int = 2,
    is_sparse: bool = False,
) -> tuple[Meta, Meta]:
    """Shape rule: [N, 1], and a number for each turn."""
    if num_classes < 2:
        raise failure(ValueError, f"Expected num_classes >= 2 (got {num_classes})")
    depth = _depth(num_classes) if path_table is None else path_table.shape[1]
    return Meta((x.shape[0], 1), x.dtype), Meta((x.shape[0], depth), x.dtype)


def _example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    arrays = [rng.uniform(-1, 1, shape) for shape in ((2, 3), (4, 3), (4, 1))]
    return [*arrays[:2], np.array([[1], [4]]), None, None, arrays[2]], {"num_classes": 5}


@listed(
    Listing(table_names=[], epmap=[], height_sections=[], trainer_id=0),
    kind="hsigmoid_loss",
    grad_keeps="PreOut",
)
@operator(
    "hierarchical_sigmoid",
    "X, W, Label, PathTable?, PathCode?, Bias? -> Out, PreOut~",
    kinds="f",
    name="hsigmoid_loss",
    infer=_infer,
    example=_example,
    latex=r"\sum_t \ln(1 + e^{s_t}) - c_t s_t",
    page="nn/functional/hsigmoid_loss",
)
def hierarchical_sigmoid(
    x: Array,
    w: Array,
    label: Array,
    path_table: Array | None,
    path_code: Array | None,
    bias: Array | None,
    num_classes: int = 2,
    is_sparse: bool = False,
) -> tuple[Array, ...]:
    """Return minus the logarithm of the probability of the way to each label, [N, 1], and ``ln(1 + exp(score))``.

    `x` is [N, D], `w` [num_classes - 1, D], a row for each inner node, `bias` a number for each. A way shorter than the
    longest one adds ln 2 for each turn that it lacks, as in Paddle.
    """
    nodes, turns = hierarchical_path.kernel(label, path_table, path_code, num_classes)
    if num_classes < 2:
        raise ValueError  # worded by the shape rule
    rows = np.maximum(nodes, 0)
    scores = np.einsum("nd,nkd->nk", x, w[rows])
    if bias is not None:
        scores = scores + bias.reshape(-1)[rows]
    scores = np.where(nodes >= 0, np.clip(scores, -_MOST, _MOST), 0).astype(x.dtype)
    turned = np.logaddexp(np.zeros((), x.dtype), scores)
    return (turned - turns.astype(x.dtype) * scores).sum(1, keepdims=True), turned


def _pull(
    dy: Any, x: Any, w: Any, label: Any, path_table: Any, path_code: Any, bias: Any, num_classes: int
) -> tuple[Any, Any, Any]:
    """Return the gradient of each turn's score [N, depth], whose rows they are, and these rows of `w`."""
    nodes, turns = hierarchical_path(label, path_table, path_code, num_classes)
    scores, chosen = _scores(x, w, bias, nodes)
    counts = cast_to(nodes >= 0, x.dtype) * cast_to(abs(scores) <= _MOST, x.dtype)
    return dy * (sigmoid(scores) - cast_to(turns, x.dtype)) * counts, nodes, chosen


@hierarchical_sigmoid.gradient("x")
def _(
    dy: Value,
    x: Value,
    w: Value,
    label: Value,
    path_table: Value | None,
    path_code: Value | None,
    bias: Value | None,
    num_classes: int,
) -> Value:
    amount, _, chosen = _pull(dy, x, w, label, path_table, path_code, bias, num_classes)
    return reduce_sum(unsqueeze2(amount, (2,)) * chosen, (1,), False)


@hierarchical_sigmoid.gradient("w")
def _(
    dy: Value,
    x: Value,
    w: Value,
    label: Value,
    path_table: Value | None,
    path_code: Value | None,
    bias: Value | None,
    num_classes: int,
    w_shape: Shape,
) -> Value:
    amount, nodes, _ = _pull(dy, x, w, label, path_table, path_code, bias, num_classes)
    return scatter_at(unsqueeze2(amount, (2,)) * unsqueeze2(x, (1,)), [_from_zero(nodes)], "@", w_shape)


@hierarchical_sigmoid.gradient("bias")
def _(
    dy: Value,
    x: Value,
    w: Value,
    label: Value,
    path_table: Value | None,
    path_code: Value | None,
    bias: Value,
    num_classes: int,
    bias_shape: Shape,
) -> Value:
    amount, nodes, _ = _pull(dy, x, w, label, path_table, path_code, bias, num_classes)
    return reshape2(scatter_at(amount, [_from_zero(nodes)], "@", bias_shape[:1]), bias_shape)
