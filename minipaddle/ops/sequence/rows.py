"""Rows of sequences in another order, repeated, left out, or put into a rectangle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import listed
from minipaddle.ops.indexing.gather import gather_nd, gather_op, scatter_nd_op
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.search.sort import argsort
from minipaddle.ops.sequence.offsets import PAIRS, SOME, check_rows, example, offsets, owners, ranges, rows_of
from minipaddle.ops.views.reshape import reshape2, unsqueeze

LOD = np.array([0, 2, 5])


def _back(dy: Any, rows: Any, shape: Any) -> Any:
    """Return what arrives at each row, given where each row of the result came from."""
    return scatter_nd_op(unsqueeze(rows, [1]), dy, shape)


def _wrong(words: str, error: type[Exception] = ValueError) -> Exception:
    return failure(error, words)


# -- one input -----------------------------------------------------------------------------------------------


@operator("sequence_reverse", "X, LoD -> Y^", infer=lambda x, lod: x, example=example(), latex=r"x_{n - i}")
def sequence_reverse(x: Array, lod: Array) -> Array:
    """Turn each sequence around."""
    check_rows(x, lod, "X")
    owner = owners(lod)
    return x[lod[owner] + lod[owner + 1] - 1 - np.arange(len(x))]


@sequence_reverse.gradient("x", program=True)
def _(dy: Value, lod: Value) -> Value:
    return sequence_reverse(dy, lod)


@listed(grad_keeps="X, Offset, Length")
@operator(
    "sequence_slice", "X, Offset, Length, LoD -> Out, LoDRows~, LoDOut~",
    infer=lambda x, offset, length, lod: (rows_of(x), SOME, SOME),
    example=example([[0], [1]], [[1], [2]]), latex="x_{o..o+l}",
)  # fmt: skip
def sequence_slice(x: Array, offset: Array, length: Array, lod: Array) -> tuple[Array, ...]:
    """Return a piece of each sequence: from which row on (`offset`), and how many.

    Raises:
        IndexError: **slice end index**, for a piece that does not lie in its sequence.
    """
    check_rows(x, lod, "X")
    starts, lengths = lod[:-1] + offset.reshape(-1), length.reshape(-1)
    if (offset < 0).any() or (length < 0).any() or (starts + lengths > lod[1:]).any():
        raise _wrong(
            f"The slices must lie in their sequences: a slice end index is {int((starts + lengths).max())}, offsets "
            f"are {offset.reshape(-1).tolist()}, the LoD is {lod.tolist()}.",
            IndexError,
        )
    rows = ranges(starts, lengths)
    return x[rows], rows, offsets(lengths)


@sequence_slice.gradient("x")
def _(dy: Value, x_shape: Shape, lodrows: Value) -> Value:
    return _back(dy, lodrows, x_shape)


def _reshape_infer(x: Meta, lod: Meta, *, new_dim: int) -> tuple[Meta, Meta]:
    count = -1 if -1 in x.shape else x.shape[0] * x.shape[1] // new_dim
    return Meta((count, new_dim), x.dtype), SOME


@operator(
    "sequence_reshape", "X, LoD -> Out, LoDOut~", infer=_reshape_infer, latex="x",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (6, 2)), np.array([0, 2, 6])], {"new_dim": 4}),
)  # fmt: skip
def sequence_reshape(x: Array, lod: Array, new_dim: int) -> tuple[Array, ...]:
    """Return rows of `new_dim` numbers: sequences get longer or shorter.

    Raises:
        ValueError: **remainder**, if the numbers of a sequence do not fill its rows.
    """
    check_rows(x, lod, "X")
    if (np.diff(lod) * x.shape[1] % new_dim).any():
        raise _wrong(
            "Please make sure (sequence_length * dimension) is divisible by new_dim with no remainder for each "
            f"sequence: lengths {np.diff(lod).tolist()}, dimension {x.shape[1]}, new_dim {new_dim}."
        )
    return x.reshape(-1, new_dim).copy(), lod * x.shape[1] // new_dim


@sequence_reshape.gradient("x")
def _(dy: Value, x_shape: Shape) -> Value:
    return reshape2(dy, x_shape)


@operator(
    "sequence_enumerate", "X, LoD -> Out~^", kinds="iu", latex="x_{i..i+w}",
    infer=lambda x, lod, *, win_size, pad_value=0: Meta((x.shape[0], win_size), x.dtype),
    example=lambda rng: ([np.array([[1], [2], [3], [4], [5]]), LOD], {"win_size": 2}),
)  # fmt: skip
def sequence_enumerate(x: Array, lod: Array, win_size: int, pad_value: int = 0) -> Array:
    """Return for each row it and those that follow it in its sequence, `win_size` in all; beyond is `pad_value`."""
    check_rows(x, lod, "X")
    places = np.arange(len(x))[:, None] + np.arange(win_size)
    inside = places < lod[owners(lod) + 1][:, None]
    return np.where(inside, x.reshape(-1)[np.where(inside, places, 0)], x.dtype.type(pad_value))


# -- repeated ------------------------------------------------------------------------------------------------


@listed(grad_keeps="X, Y")
@operator(
    "sequence_expand", "X, Y, LoDX?, LoDY -> Out^, LoDRows~, LoDOut~", latex="x_{s(i)}",
    infer=lambda x, y, lod_x, lod_y, **attrs: (rows_of(x), SOME, SOME),
    example=lambda rng: ([rng.uniform(0.2, 0.9, (5, 2)), np.zeros((5, 1)), LOD, np.array([0, 1, 3])], {}),
)  # fmt: skip
def sequence_expand(
    x: Array, y: Array, lod_x: Array | None, lod_y: Array, ref_level: int = -1
) -> tuple[Array, ...]:
    """Repeat each sequence of `x` (each row, if it has none) as often as the sequence of `y` is long."""
    starts = lod_x if lod_x is not None else np.arange(len(x) + 1)
    if len(starts) != len(lod_y):
        raise _wrong(
            "The number of sequences of Input(X) must be that of Input(Y) at ref_level, but they are "
            f"{len(starts) - 1} and {len(lod_y) - 1}."
        )
    check_rows(x, starts, "X")
    times = np.diff(lod_y)
    lengths = np.repeat(np.diff(starts), times)
    rows = ranges(np.repeat(starts[:-1], times), lengths)
    return x[rows], rows, offsets(lengths)


@listed(grad_keeps="X, Y")
@operator(
    "sequence_expand_as", "X, Y^, LoDY -> Out^, LoDRows~", latex="x_{s(i)}",
    infer=lambda x, y, lod_y: (rows_of(x), SOME),
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 2)), np.zeros((5, 1)), LOD], {}),
)  # fmt: skip
def sequence_expand_as(x: Array, y: Array, lod_y: Array) -> tuple[Array, ...]:
    """Repeat each row of `x` as often as the sequence of `y` is long."""
    if len(x) != len(lod_y) - 1:
        raise _wrong(
            f"The rows of Input(X) must be as many as the sequences of Input(Y), but are {len(x)} and {len(lod_y) - 1}."
        )
    rows = owners(lod_y)
    return x[rows], rows


for _op in (sequence_expand, sequence_expand_as):

    @_op.gradient("x")
    def _(dy: Value, x_shape: Shape, lodrows: Value) -> Value:
        return _back(dy, lodrows, x_shape)


# -- several -------------------------------------------------------------------------------------------------


@listed(grad_keeps="X")
@operator(
    "sequence_concat", "LoD, X* -> Out, LoDRows~, LoDOut~", latex=r"x_s \oplus y_s",
    infer=lambda lod, x: (rows_of(x[0]), SOME, SOME),
    example=lambda rng: (
        [np.array([[0, 2, 5], [0, 1, 3]]), rng.uniform(0.2, 0.9, (5, 2)), rng.uniform(0.2, 0.9, (3, 2))], {}
    ),
)  # fmt: skip
def sequence_concat(lod: Array, x: Sequence[Array]) -> tuple[Array, ...]:
    """Return the first sequence of each, one after the other, then the second; `lod` has their offsets in its rows."""
    for one, of_one in zip(x, lod, strict=True):
        check_rows(one, of_one, "X")
    before = offsets([len(one) for one in x])[:-1, None]
    rows = ranges((lod[:, :-1] + before).T.reshape(-1), np.diff(lod).T.reshape(-1))
    return np.concatenate(x)[rows], rows, lod.sum(0)


@sequence_concat.gradient("x")
def _(dy: Value, x_shape: Sequence[Shape], lodrows: Value) -> Sequence[Value]:
    whole, parts, start = gather_op(dy, argsort(lodrows)), [], 0
    for shape in x_shape:
        parts.append(slice_op(whole, f"{start}:{start + shape[0]}:"))
        start += shape[0]
    return parts


@listed(grad_keeps="Ids, Updates")
@operator(
    "sequence_scatter", "X, Ids, Updates, LoD -> Out, LoDRows~", latex=r"x_{s,j} + u_i",
    infer=lambda x, ids, updates, lod: (x, PAIRS),
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (2, 4)), np.array([[0], [1], [3], [0], [3]]), rng.uniform(0.2, 0.9, (5, 1)), LOD], {}
    ),
)  # fmt: skip
def sequence_scatter(x: Array, ids: Array, updates: Array, lod: Array) -> tuple[Array, ...]:
    """Add to row number s of `x` the updates of sequence s, at the columns that `ids` names."""
    check_rows(ids, lod, "Ids")
    rows = np.stack([owners(lod), ids.reshape(-1)], 1)
    out = x.copy()
    np.add.at(out, (rows[:, 0], rows[:, 1]), updates.reshape(-1))
    return out, rows


@sequence_scatter.gradient("x")
def _(dy: Value) -> Value:
    return dy


@sequence_scatter.gradient("updates")
def _(dy: Value, updates_shape: Shape, lodrows: Value) -> Value:
    return reshape2(gather_nd(dy, lodrows), updates_shape)


# -- rectangles ----------------------------------------------------------------------------------------------


@listed(grad_keeps="X")
@operator(
    "sequence_pad", "X, PadValue, LoD -> Out, Length~, LoDRows~", latex=r"x_{s,i}",
    infer=lambda x, pad, lod, padded_length=-1: (Meta((-1, padded_length, *x.shape[1:]), x.dtype), SOME, PAIRS),
    example=example([0.5]),
)  # fmt: skip
def sequence_pad(x: Array, pad: Array, lod: Array, padded_length: int = -1) -> tuple[Array, ...]:
    """Return sequences of equal length, and how long each was; what was missing is `pad`.

    Raises:
        ValueError: **padded_length**, if a sequence is longer.
    """
    check_rows(x, lod, "X")
    lengths = np.diff(lod)
    longest = int(lengths.max(initial=0))
    size = longest if padded_length == -1 else padded_length
    if size < longest:
        raise _wrong(
            "The padded_length should be greater than or equal to the length of the longest original sequence. But the "
            f"padded_length we received is {size}, the length of the longest original sequence is {longest}"
        )
    out = np.empty((len(lengths), size, *x.shape[1:]), x.dtype)
    out[...] = pad if pad.size > 1 else pad.reshape(())
    rows = np.stack([owners(lod), np.arange(len(x)) - lod[owners(lod)]], 1)
    out[rows[:, 0], rows[:, 1]] = x
    return out, lengths, rows


@sequence_pad.gradient("x")
def _(dy: Value, lodrows: Value) -> Value:
    return gather_nd(dy, lodrows)


def _unpad_infer(x: Meta, length: Meta) -> tuple[Meta, Meta, Meta]:
    return Meta((-1, *(x.shape[2:] or (1,))), x.dtype), PAIRS, SOME


@listed(grad_keeps="X")
@operator(
    "sequence_unpad", "X, Length -> Out, LoDRows~, LoDOut~", infer=_unpad_infer, latex=r"x_{s,i}",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 2)), np.array([1, 3])], {}),
)  # fmt: skip
def sequence_unpad(x: Array, length: Array) -> tuple[Array, ...]:
    """Return the first rows of each, as many as `length` says, one after the other."""
    lengths = length.reshape(-1)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    rows = np.stack([owner, ranges(np.zeros_like(lengths), lengths)], 1)
    found = x[rows[:, 0], rows[:, 1]]
    return found if x.ndim > 2 else found[:, None], rows, offsets(lengths)


@sequence_unpad.gradient("x")
def _(dy: Value, x_shape: Shape, lodrows: Value) -> Value:
    return scatter_nd_op(lodrows, dy if len(x_shape) > 2 else reshape2(dy, (-1,)), x_shape)
