"""nll_loss: minus the log-probabilities of labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Meta, Shape, sizes_fit
from minipaddle.ops.creation.promotion import alike_around
from minipaddle.ops.definition import Value, invalid, listed, mark, operator, require, tried_with
from minipaddle.ops.reduction.sum import cast_to
from minipaddle.ops.views.reshape import reshape2


def _labels_of(x: Array, label: Array, ignore_index: int) -> tuple[Array, Array]:
    """Return the class of each position and which positions count."""
    counts = label != ignore_index
    if np.any(counts & ((label < 0) | (label >= x.shape[1]))):
        raise invalid(f"label should not be out of bounds: the classes are 0 to {x.shape[1] - 1}.")
    return np.where(counts, label, 0), counts


def _labels_fit(x: Shape, label: Shape) -> bool:
    """Return whether these labels are one per position; [N, 1] serves too where the input is [N, C]."""
    losses = (*x[:1], *x[2:])
    return sizes_fit(label, losses) or (len(x) == 2 and sizes_fit(label, (*losses, 1)))


def _infer_nll(x: Meta, label: Meta, weight: Meta | None, reduction: str, **attrs: Any) -> tuple[Meta, Meta]:
    """Shape rule: one number per label, or one of all."""
    if not _labels_fit(x.shape, label.shape):
        raise invalid(
            f"Expected input batch_size to match label batch_size, but received input {list(x.shape)} and "
            f"label {list(label.shape)}.",
            "input is [N, C, ...] and label [N, ...]",
        )
    losses = (*x.shape[:1], *x.shape[2:]) if reduction == "none" else ()
    return Meta(losses, x.dtype), Meta((), x.dtype)


_LABELS = np.array([[0, 3], [1, 2], [-100, 1]])


@listed(outputs="Out, Total_weight")
@tried_with(lambda rng: ([rng.uniform(-1, 1, (3, 4, 2)), _LABELS, rng.uniform(0.5, 1.5, 4)], {}))
@operator(
    "nll_loss",
    kinds="biuf",
    prepare=alike_around,
    infer=_infer_nll,
    outputs=("out", "total_weight"),
    by_products=("total_weight",),
)
def nll_loss(
    x: Array, label: Array, weight: Array | None = None, *, ignore_index: int = -100, reduction: str = "none"
) -> tuple[Array, ...]:
    """Take minus the log-probability [N, C, ...] of each label [N, ...].

    Args:
        reduction: 'none', 'sum' or 'mean': the sum over the weights used, 0 if all labels are ignored.

    Returns:
        the losses, and the sum of the weights of the rows that count (0 without a reduction).
    """
    require(_labels_fit(x.shape, label.shape))
    chosen, counts, used = _used(x, label, weight, ignore_index)
    losses = np.where(counts, -np.take_along_axis(x, chosen[:, None], 1)[:, 0] * used, 0)
    if reduction == "none":
        return losses, np.zeros((), x.dtype)
    total, loss = used.sum(dtype=x.dtype), losses.sum(dtype=x.dtype)
    return np.asarray(loss / total if reduction == "mean" and total else loss, x.dtype), np.asarray(total)


mark("takes log probabilities", nll_loss)


def _used(x: Array, label: Array, weight: Array | None, ignore_index: int) -> tuple[Array, Array, Array]:
    """Return the class of each position, whether it counts, and its factor: 0 if it does not."""
    chosen, counts = _labels_of(x, label.reshape(len(x), *x.shape[2:]), ignore_index)
    return chosen, counts, counts.astype(x.dtype) if weight is None else weight[chosen] * counts


@nll_loss.gradient("x")
def _(
    dy: Value,
    x_shape: Shape,
    label: Value,
    weight: Value | None,
    total_weight: Value,
    ignore_index: int,
    reduction: str,
) -> Value:
    if reduction == "mean":
        dy = dy / (total_weight + cast_to(total_weight == 0, total_weight.dtype))
    if label.ndim == len(x_shape):  # [N, 1] beside [N, C]
        label = reshape2(label, (-1,))
    return nll_loss_grad(dy, label, weight, x_shape[1], ignore_index, reduction)


@listed(inputs="DOut, Label, Weight", outputs="DX")
@tried_with((2, 2), [[0, 2], [1, -100]], None, within=(-1, 1), classes=3)
@operator(
    "nll_loss_spread",
    kinds="biuf",
    infer=lambda dy, label, weight, classes, **attrs: Meta(
        (label.shape[0], classes, *label.shape[1:]), dy.dtype
    ),
    outputs=("dx",),
)
def nll_loss_grad(
    dy: Array,
    label: Array,
    weight: Array | None = None,
    *,
    classes: int = 1,
    ignore_index: int = -100,
    reduction: str = "none",
) -> Array:
    """Put ``-dy`` times its factor at the class of each label [N, ...]; `dy` is one number if losses were added up."""
    out = np.zeros((label.shape[0], classes, *label.shape[1:]), dy.dtype)
    chosen, counts, used = _used(out, label, weight, ignore_index)
    np.put_along_axis(out, chosen[:, None], np.where(counts, -dy * used, 0)[:, None], 1)
    return out


@nll_loss_grad.gradient("dy")
def _(dx: Value, label: Value, weight: Value | None, ignore_index: int, reduction: str) -> Value:
    return nll_loss(dx, label, weight, ignore_index, "none" if reduction == "none" else "sum")[0]
