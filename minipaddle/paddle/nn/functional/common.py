"""Functions of no family: linear, embedding, dropout, padding and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.math.arithmetic import add, multiply
from minipaddle.ops.nn import dropout as chance
from minipaddle.ops.nn import embedding as tables
from minipaddle.ops.nn import pad as borders
from minipaddle.ops.reduction.sum import sum


def linear(x: Value, weight: Value, bias: Value | None = None, name: str | None = None) -> Any:
    """Return ``x @ weight + bias``: [..., in] and [in, out] give [..., out].

    Raises:
        ValueError: if the sizes do not match.
    """
    y = matmul(x, weight)
    if (
        bias is not None and y.dtype.name == "float16"
    ):  # mixed precision: a float32 bias would widen the result again
        bias = bias.astype(y.dtype)
    return y if bias is None else add(y, bias)


def embedding(
    x: Value, weight: Value, padding_idx: int | None = None, sparse: bool = False, name: str | None = None
) -> Any:
    """Return rows of a table.

    Args:
        x: row numbers, int32 or int64, any shape.
        weight: the table [rows, width].
        padding_idx: a row that reads as zeros and receives no gradient; negative counts from the end.
        sparse: no effect: the gradient is dense.

    Raises:
        ValueError: if a number is no row, or `padding_idx` is none.
        NotImplementedError: for numbers that are no integers.
    """
    rows = weight.shape[0]
    place = -1 if padding_idx is None else padding_idx
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise invalid(f"padding_idx must be within [-{rows}, {rows})")
    if padding_idx is not None and padding_idx < 0:
        place = rows + padding_idx
    return tables.embedding(weight, x, padding_idx=place)


def one_hot(x: Any, num_classes: int = -1, name: str | None = None) -> Any:
    """Return each number as a row of zeros with a one at that place.

    `num_classes` is the length of the rows; -1: one more than the largest number.

    Raises:
        ValueError: **Illegal index value**.
    """
    return tables.one_hot(x, depth=int(x.max()) + 1 if num_classes == -1 else int(num_classes))


def dropout(
    x: Value,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    inplace: bool = False,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """Zero each element with probability `p` while `training`.

    Args:
        x: any float tensor.
        p: probability of a zero.
        axis: draw along these axes only; elements along the others share their fate.
        training: False: return `x` unchanged.
        mode: 'upscale_in_train' divides the remaining elements by 1 - p; 'downscale_in_infer' multiplies by 1 - p when
            not training.

    Raises:
        ValueError: **p argument**, **mode argument**, or an axis out of range.
    """
    if isinstance(p, Value):
        p = p.item()
    if not isinstance(p, (int, float)):
        raise failure(TypeError, f"p argument should be a number, but got {type(p).__name__}")
    if not 0 <= p <= 1:
        raise invalid("p argument should between 0 and 1")
    if mode not in ("downscale_in_infer", "upscale_in_train"):
        raise invalid("mode argument should be 'downscale_in_infer' or 'upscale_in_train'")
    axes = None if axis is None else tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
    for one in axes or ():
        if not 0 <= one < len(x.shape):
            raise invalid(
                "axis value should be greater than or equal to 0 and less than dimensions of "
                f"x:{len(x.shape)}, but get axis value:{one}"
            )
    if p == 0:
        return x
    return chance.dropout(x, p=p, axis=axes, is_test=not training, mode=mode)[0]


def dropout2d(
    x: Value, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """Zero whole channels of [N, C, H, W] with probability `p` while `training`."""
    return dropout(x, p, [0, 1] if data_format == "NCHW" else [0, 3], training)


def cosine_similarity(x1: Value, x2: Value, axis: int = 1, eps: float = 1e-8) -> Any:
    """Return the cosine of the angle between two tensors along `axis`; `eps` keeps the product of the norms from 0.

    One number of a tensor that has size 1 there stands for as many as the other has.
    """
    product = sum(multiply(x1, x2), axis=axis)
    norms = multiply(sum(multiply(x1, x1), axis=axis), sum(multiply(x2, x2), axis=axis))
    sizes = [one.shape[axis] for one in (x1, x2) if one.ndim]
    if len({*sizes}) == 2 and -1 not in sizes:
        norms = norms * broadcast_shapes((sizes[0],), (sizes[1],))[0]
    return product / norms.clip(eps * eps) ** 0.5


_MODES = ("constant", "reflect", "replicate", "circular")


def pad(
    x: Value,
    pad: Any,
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Return `x` with a border.

    Args:
        x: any tensor; images and sequences may have their channels last, by `data_format`.
        pad: before and after for each axis, from the last spatial axis to the first: [left, right, top,
            bottom]. With two
            numbers for every axis of `x` (mode 'constant'), from the first axis to the last.
        mode: 'constant', 'reflect' (mirror without the edge), 'replicate' (the edge) or 'circular' (the other
            end).
        value: of a constant border.
        data_format: NCL, NCHW, NCDHW or one with the channels last.

    Raises:
        AssertionError: **mode should be one of**.
        ValueError: if there are more numbers than axes, or a reflection is longer than its axis.
    """
    assert mode in _MODES, f"mode should be one of constant, reflect, replicate, circular, but got {mode}."
    ndim = len(x.shape)
    sizes = [int(size) for size in (pad.tolist() if hasattr(pad, "tolist") else pad)]
    pairs = list(zip(sizes[::2], [*sizes[1::2], 0], strict=False))
    if len(pairs) > ndim:
        raise invalid(f"pad holds {len(sizes)} numbers, but x has only {ndim} axes (two numbers for each).")
    whole = len(pairs) == ndim and mode == "constant"
    if not whole:
        pairs = pairs[::-1]
        channels_last = data_format is not None and data_format.endswith("C") and ndim > 2
        pairs = [*pairs, (0, 0)] if channels_last else pairs
        pairs = [(0, 0)] * (ndim - len(pairs)) + pairs
    if mode == "constant":
        return borders.pad(x, paddings=tuple(pairs), value=value)
    return borders.pad_from_inside(x, paddings=tuple(pairs), mode=mode)


__getattr__ = missing(__name__, globals())
