"""Cross entropy of a choice between classes: softmax and logarithm in one operator.

Fused because the sum of the two is simpler than its parts: the gradient is ``softmax - label``, and no
exponential can overflow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.value.meta import Shape, sizes_fit
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import ones_like, zeros_like
from minipaddle.ops.definition import Array, Attrs, Listing, Meta, Value, listed, mark, operator, require
from minipaddle.ops.definition.example import formula, tried_with
from minipaddle.ops.definition.lesson import Claim, Seen, lesson
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.reduction.sum import reduce_sum

_INT64 = np.dtype("int64")
largest = np.maximum.reduce  # `max` does more checks first


def _rows(x: Array, axis: int) -> Array:
    """View `x` as a matrix with `axis` as its columns (a copy, if `axis` is not the last one)."""
    if axis in (-1, x.ndim - 1):  # mostly; moving an axis takes longer than a small loss
        return x if x.ndim == 2 else x.reshape(-1, x.shape[-1])
    return np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis])


def _unrows(rows: Array, shape: tuple[int, ...], axis: int) -> Array:
    """Return rows in the original shape: the inverse of :func:`_rows`."""
    axis %= len(shape)
    if axis == len(shape) - 1:
        return rows if axis == 1 else rows.reshape(*shape[:-1], rows.shape[1])
    moved = (*shape[:axis], *shape[axis + 1 :], rows.shape[1])
    return np.ascontiguousarray(np.moveaxis(rows.reshape(moved), -1, axis))


def _choice(label: Array, classes: int, ignore_index: int) -> tuple[Array, Array | None]:
    """Return the class of each row, and the rows to ignore (None: none), whose class is set to 0."""
    label = label.reshape(-1)
    if label.dtype is not _INT64:
        label = label.astype(_INT64)
    if not label.size or (largest(label.view(np.uint64)) < classes and not 0 <= ignore_index < classes):
        return label, None
    ignored = label == ignore_index
    wrong = label[((label < 0) | (label >= classes)) & ~ignored]
    if wrong.size:
        raise failure(
            IndexError,
            "label value should >= 0 and less than the shape of axis dimension when label value not equal to "
            f"ignore_index({ignore_index}), But received label value as {wrong[0]} and shape of axis "
            f"dimension is {classes}",
            f"there are {classes} classes, numbered from 0",
        )
    return np.where(ignored, 0, label), ignored


def _but(axis: int, shape: Shape) -> Shape:
    """Return the sizes of all axes but one."""
    return shape[:-1] if axis == -1 else shape[:axis] + shape[axis % len(shape) + 1 :]


def _infer(logits: Meta, label: Meta, soft_label: bool, axis: int, **attrs: Any) -> tuple[Meta, Meta]:
    """Shape rule: softmax like the logits; the loss has size 1 on `axis`."""
    at = axis % logits.ndim
    if logits.ndim != label.ndim or not sizes_fit(*[_but(axis, one.shape) for one in (logits, label)]):
        raise invalid(
            "Input(Logits) and Input(Label) should in same shape in dimensions except axis, but received "
            f"{list(logits.shape)} and {list(label.shape)}.",
            "one label for each row of scores",
        )
    wanted = logits.shape[at] if soft_label else 1
    if not sizes_fit((label.shape[at],), (wanted,)):
        raise invalid(
            f"If Attr(soft_label) == {soft_label}, the axis dimension of Input(Label) should be {wanted}, "
            f"but received {list(logits.shape)} and {list(label.shape)}.",
            "a label is the number of a class; with soft_label=True it has a probability for each class",
        )
    loss = tuple(1 if i == at else size for i, size in enumerate(logits.shape))
    return logits, Meta(loss, logits.dtype)


def _example(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    return [rng.uniform(-1, 1, (2, 3, 2)), np.array([[[2, 0]], [[-100, 1]]])], {"axis": 1}


def _readable(logits: Any, label: Any, softmax: Any, soft_label: bool, ignore_index: int, axis: int) -> Any:
    """Return softmax and loss by the textbook formula, which may overflow."""
    shares = np.exp(logits) / np.sum(np.exp(logits), axis, keepdims=True)
    if soft_label:
        return shares, -np.sum(label * np.log(softmax), axis, keepdims=True)
    counts = label != ignore_index
    if counts.all():
        return shares, -np.log(take_along_axis(softmax, label, axis))
    return shares, -np.log(take_along_axis(softmax, np.where(counts, label, 0), axis)) * counts


def _readable_slope(
    dloss: Any, softmax: Any, label: Any, soft_label: bool, ignore_index: int, axis: int
) -> Any:
    """Return the gradient of the logits if the softmax output has none."""
    if soft_label:
        return dloss * (softmax - label)
    after = softmax.ndim - 1 - axis % softmax.ndim
    classes = np.arange(softmax.shape[axis]).reshape(-1, *[1] * after)
    slope = dloss * (softmax - (classes == label))
    counts = label != ignore_index
    return slope if counts.all() else slope * counts


@listed(Listing(use_softmax=True, numeric_stable_mode=True), grad_takes="Loss")
@tried_with(_example)
@operator(
    "softmax_with_cross_entropy",
    kinds="biuf",
    name="cross_entropy_with_softmax",
    infer=_infer,
    outputs=("softmax", "loss"),
)
def softmax_with_cross_entropy(
    logits: Array, label: Array, *, soft_label: bool = False, ignore_index: int = -100, axis: int = -1
) -> tuple[Array, ...]:
    """Cross entropy of ``softmax(logits)`` for labels with size 1 on `axis` (soft: one weight per class).

    It gives the softmax, too.
    """
    fits = _but(axis, logits.shape) == _but(axis, label.shape)
    require(label.shape == logits.shape if soft_label else fits)
    rows = _rows(logits, axis)
    shifted = rows - largest(rows, axis=1, keepdims=True)
    powers = np.exp(shifted)
    total = np.add.reduce(powers, axis=1, keepdims=True)
    powers /= total
    if soft_label:
        loss = np.add.reduce(_rows(label, axis) * (np.log(total) - shifted), axis=1)
    else:
        chosen, ignored = _choice(label, rows.shape[1], ignore_index)
        loss = np.log(total[:, 0]) - shifted[np.arange(len(rows)), chosen]
        if ignored is not None:
            loss[ignored] = 0
    return _unrows(powers, logits.shape, axis), _unrows(loss[:, None], logits.shape, axis)


formula(softmax_with_cross_entropy, _readable)
mark("normalises", softmax_with_cross_entropy)
mark("takes scores", softmax_with_cross_entropy)


@lesson(softmax_with_cross_entropy)
def _(dy: Seen, label: Seen, soft_label: bool, ignore_index: int) -> Iterator[Claim]:
    ignored = 0 if soft_label or label.array is None else int((label.array == ignore_index).sum())
    if ignored:
        yield Claim(
            "{count} of {size} labels had the value {index}, which is ignored: there the gradient is zero",
            count=ignored,
            size=math.prod(label.shape),
            index=ignore_index,
        )
    if not soft_label:
        yield Claim(
            "the probability that softmax gives, minus 1 at the label: what was predicted less what is true"
        )
        yield Claim("(arange(...) == {label}) is 1 at the label and 0 elsewhere", label=label.name)


def _example_grad(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    (logits, label), attrs = _example(rng)
    softmax, loss = softmax_with_cross_entropy.kernel(logits, label, **attrs)
    return [rng.uniform(-1, 1, softmax.shape), rng.uniform(-1, 1, loss.shape), softmax, label], attrs


@listed(inputs="DSoftmax, DLoss, Softmax, Label", outputs="DLogits")
@tried_with(_example_grad)
@operator(
    "softmax_with_cross_entropy_slope",
    kinds="biuf",
    infer=lambda dsoftmax, *others, **attrs: dsoftmax,
    outputs=("dlogits",),
)
def softmax_with_cross_entropy_grad(
    dsoftmax: Array,
    dloss: Array,
    softmax: Array,
    label: Array,
    *,
    soft_label: bool = False,
    ignore_index: int = -100,
    axis: int = -1,
) -> Array:
    """Return ``dloss * (softmax - label)`` plus the part from the softmax output, which is rare."""
    if soft_label:
        out = (softmax * np.add.reduce(label, axis=axis, keepdims=True) - label) * dloss
    else:
        shares = _rows(softmax, axis)
        chosen, ignored = _choice(label, shares.shape[1], ignore_index)
        factor = dloss.reshape(-1) if ignored is None else np.where(ignored, 0, dloss.reshape(-1))
        rows = shares * factor[:, None]
        rows[np.arange(len(rows)), chosen] -= factor
        out = _unrows(rows, softmax.shape, axis)
    if np.count_nonzero(dsoftmax):  # faster than `any`
        out += softmax * (dsoftmax - np.add.reduce(dsoftmax * softmax, axis=axis, keepdims=True))
    return out


softmax_with_cross_entropy.gradient("logits")(
    lambda dsoftmax, dloss, softmax, label, soft_label, ignore_index, axis: softmax_with_cross_entropy_grad(
        dsoftmax, dloss, softmax, label, soft_label, ignore_index, axis
    )
)
formula(softmax_with_cross_entropy, _readable_slope, of="logits")


@softmax_with_cross_entropy_grad.gradient("dsoftmax")
def _(g: Value, softmax: Value, axis: int) -> Value:
    return softmax * (g - reduce_sum(g * softmax, axis=axis, keepdim=True))


@softmax_with_cross_entropy_grad.gradient("dloss")
def _(
    g: Value, dloss: Value, softmax: Value, label: Value, soft_label: bool, ignore_index: int, axis: int
) -> Value:
    slope = softmax_with_cross_entropy_grad(
        zeros_like(softmax), ones_like(dloss), softmax, label, soft_label, ignore_index, axis
    )
    return reduce_sum(g * slope, axis=axis, keepdim=True)


@softmax_with_cross_entropy_grad.gradient("softmax")
def _(
    g: Value,
    dsoftmax: Value,
    dloss: Value,
    softmax: Value,
    label: Value,
    softmax_dtype: Any,
    soft_label: bool,
    ignore_index: int,
    axis: int,
) -> Value:
    weight = (
        reduce_sum(label, axis=axis, keepdim=True)
        if soft_label
        else cast(label != ignore_index, softmax_dtype)
    )
    inner = reduce_sum(dsoftmax * softmax, axis=axis, keepdim=True)
    outer = reduce_sum(g * softmax, axis=axis, keepdim=True)
    return g * (dsoftmax - inner + dloss * weight) - dsoftmax * outer
