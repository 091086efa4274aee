"""static.nn.sequence_*: layers on sequences of different lengths in one tensor, of Paddle 2.6 alone.

What is fed is made by ``paddle.base.create_lod_tensor``; results that have sequences are fetched with
``return_numpy=False``. In dynamic mode there are none of these: pad the sequences, and use ``sequence_mask``.
"""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.sequence import pooling, rows, windows
from minipaddle.paddle.nn.functional.extension import sequence_mask as sequence_mask
from minipaddle.paddle.static.build import building, layer
from minipaddle.paddle.static.nn.common import NewLayer, activated
from minipaddle.paddle.static.program import Variable
from minipaddle.paddle.static.program.lods import give, innermost, levels_of

_FLOATS, _NUMBERS, _INTEGERS = ("float32 float64", "float32 float64 int32 int64", "int32 int64")


def _checked(value: Any, argument: str, function: str, types: str) -> Variable:
    """Return a Variable of one of these types.

    Raises:
        AssertionError: in dynamic mode.
        TypeError: **data type**, or **type** of the argument.
    """
    assert building(), "sequence layer is not supported in dygraph mode yet."
    if not isinstance(value, Variable):
        raise failure(
            TypeError, f"The type of '{argument}' in {function} must be Variable, but received {type(value)}."
        )
    if value.meta.dtype.name not in types.split():
        raise failure(
            TypeError,
            f"The data type of '{argument}' in {function} must be {types.split()}, but received {value.meta.dtype}.",
        )
    return value


def _offsets(x: Variable, function: str) -> Variable:
    """Return the offsets of the innermost sequences of `x`.

    Raises:
        ValueError: **LoD**, if it cannot have any.
    """
    found = innermost(x)
    if found is None:
        raise failure(
            ValueError,
            f"Input({x.name}) of {function} does not contain LoD information.",
            "declare it with paddle.static.data(..., lod_level=1); matmul, transpose and reductions lose sequences",
        )
    return found


def sequence_pool(input: Any, pool_type: str, is_test: bool = False, pad_value: float = 0.0) -> Variable:
    """Return one row for each sequence (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/static/nn/sequence_pool_en.html).

    Args:
        input: floats, with one level of sequences or more; the innermost is gone in the result.
        pool_type: "sum", "average", "sqrt" (the sum over the root of the length), "max", "first" or "last".
        is_test: accepted.
        pad_value: what a sequence without rows gives.

    Raises:
        TypeError: **input** is no Variable of floats.
        RuntimeError: **is not in enum container**, for another `pool_type`.
        ValueError: **LoD level**, if `input` was declared without sequences.
    """
    x, kind = _checked(input, "input", "sequence_pool", _FLOATS), pool_type.upper()
    if not levels_of(x):
        raise failure(
            ValueError,
            "The LoD level of Input(X) should be larger than 0, but received: lod level 0.",
            "declare it with paddle.static.data(..., lod_level=1)",
        )
    if kind not in ("MAX", "FIRST", "LAST", "SQRT", "SUM", "AVERAGE"):
        raise failure(
            RuntimeError, f"Value {kind} is not in enum container [MAX ,FIRST ,LAST ,SQRT ,SUM ,AVERAGE]."
        )
    lod = _offsets(x, "sequence_pool")
    attrs = {"is_test": is_test, "pad_value": float(pad_value)}
    if kind == "MAX":
        found: Variable = pooling.sequence_pool_max(x, lod, **attrs)[0]
    else:
        found = pooling.sequence_pool_linear(x, lod, kind, **attrs)[0]
    return found


def sequence_first_step(input: Any) -> Variable:
    """Return the first row of each sequence; see :func:`sequence_pool`."""
    return sequence_pool(_checked(input, "input", "sequence_first_step", _FLOATS), "first")


def sequence_last_step(input: Any) -> Variable:
    """Return the last row of each sequence; see :func:`sequence_pool`."""
    return sequence_pool(_checked(input, "input", "sequence_last_step", _FLOATS), "last")


def sequence_softmax(input: Any, use_cudnn: bool = False, name: str | None = None) -> Variable:
    """Return positive numbers that add up to 1 in each sequence: ``input`` [N, 1], floats."""
    x = _checked(input, "input", "sequence_softmax", _FLOATS)
    found: Variable = pooling.sequence_softmax(x, _offsets(x, "sequence_softmax"))[0]
    return found


def sequence_reverse(x: Any, name: str | None = None) -> Variable:
    """Return each sequence turned around."""
    x = _checked(x, "x", "static.nn.sequence_reverse", "float32 float64 int8 int32 int64")
    found: Variable = rows.sequence_reverse(x, _offsets(x, "sequence_reverse"))
    return found


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Variable:
    """Return a piece of each sequence: from row number `offset` on, `length` rows; both [sequences, 1], integers."""
    x = _checked(input, "input", "sequence_slice", _NUMBERS)
    parts = [_checked(offset, "offset", "sequence_slice", _INTEGERS)]
    parts.append(_checked(length, "length", "sequence_slice", _INTEGERS))
    for one in parts:
        one.stop_gradient = True
    return _with_own(*rows.sequence_slice(x, *parts, _offsets(x, "sequence_slice")))


def sequence_reshape(input: Any, new_dim: int) -> Variable:
    """Return rows of `new_dim` numbers: sequences get longer or shorter; ``input`` is [N, width]."""
    x = _checked(input, "input", "static.nn.sequence_reshape", _NUMBERS)
    return _with_own(*rows.sequence_reshape(x, _offsets(x, "sequence_reshape"), new_dim))


def sequence_enumerate(input: Any, win_size: int, pad_value: int = 0, name: str | None = None) -> Variable:
    """Return for each row it and those that follow it in its sequence, `win_size` in all: [N, 1] to [N, win_size]."""
    x = _checked(input, "input", "sequence_enumerate", _INTEGERS)
    found: Variable = rows.sequence_enumerate(x, _offsets(x, "sequence_enumerate"), win_size, pad_value)
    found.stop_gradient = True
    return found


def sequence_expand(x: Any, y: Any, ref_level: int = -1, name: str | None = None) -> Variable:
    """Repeat each sequence of `x` (each row, if it has none) as often as that of `y` at a level is long."""
    x = _checked(x, "x", "sequence_expand", _NUMBERS)
    _offsets(y, "sequence_expand")
    own = levels_of(x)
    of_x, of_y = own[-1] if own else None, levels_of(y)[ref_level]
    out, places, lod = rows.sequence_expand(x, y, of_x, of_y, ref_level)
    return out if of_x is None else _with_own(out, places, lod)


def sequence_expand_as(x: Any, y: Any, name: str | None = None) -> Variable:
    """Repeat each row of `x` as often as the sequence of `y` is long."""
    x = _checked(x, "x", "sequence_expand_as", _NUMBERS)
    found: Variable = rows.sequence_expand_as(x, y, _offsets(y, "sequence_expand_as"))[0]
    return found


def sequence_concat(input: Any, name: str | None = None) -> Variable:
    """Return the first sequence of each Variable of a list, one after the other, then the second, and so on."""
    function = "paddle.static.nn.sequence_lod.sequence_concat"
    assert building(), "sequence layer is not supported in dygraph mode yet."
    if not isinstance(input, list):
        raise failure(
            TypeError,
            f"The type of 'input' in {function} must be <class 'list'>, but received {type(input)}.",
        )
    parts = [
        _checked(one, f"input[{place}]", function, "int64 float32 float64") for place, one in enumerate(input)
    ]
    return _with_own(*rows.sequence_concat(stack([_offsets(one, "sequence_concat") for one in parts]), parts))


def sequence_scatter(input: Any, index: Any, updates: Any, name: str | None = None) -> Variable:
    """Add to row number s of `input` the updates of sequence s, at the columns that `index` names; both are [N, 1]."""
    x = _checked(input, "input", "sequence_scatter", _NUMBERS)
    _checked(index, "index", "sequence_scatter", _INTEGERS)
    _checked(updates, "updates", "sequence_scatter", _NUMBERS)
    found: Variable = rows.sequence_scatter(x, index, updates, _offsets(index, "sequence_scatter"))[0]
    return found


def sequence_pad(
    x: Any, pad_value: Any, maxlen: int | None = None, name: str | None = None
) -> tuple[Variable, Variable]:
    """Return sequences of equal length [sequences, maxlen, ...] and how long each was.

    Args:
        x: numbers with sequences.
        pad_value: a Variable of one number, or of the shape of a row: what stands where there was nothing.
        maxlen: None: that of the longest.
        name: beginning of the names.
    """
    function = "paddle.static.nn.sequence_lod.sequence_pad"
    x, pad = _checked(x, "x", function, _NUMBERS), _checked(pad_value, "pad_value", function, _NUMBERS)
    pad.stop_gradient = True
    out, length, _ = rows.sequence_pad(x, pad, _offsets(x, "sequence_pad"), -1 if maxlen is None else maxlen)
    return out, length


def sequence_unpad(x: Any, length: Any, name: str | None = None) -> Variable:
    """Return the first rows of each row of rows, as many as `length` (int64) says, as sequences."""
    function = "paddle.static.nn.sequence_lod.sequence_unpad"
    x, length = _checked(x, "x", function, _NUMBERS), _checked(length, "length", function, "int64")
    length.stop_gradient = True
    return _with_own(*rows.sequence_unpad(x, length))


def sequence_conv(
    input: Any,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Multiply each row and its neighbours in the sequence by a filter; beyond the ends there are zeros.

    Args:
        input: floats [N, width] with sequences.
        num_filters: how many features come out.
        filter_size: how many rows count.
        filter_stride: 1.
        padding: accepted.
        padding_start: the first of these, from the row on; None: the row is in the middle.
        bias_attr: a ``ParamAttr``; False: no bias.
        param_attr: a ``ParamAttr`` of the filter [filter_size * width, num_filters].
        act: name of a function in ``paddle.nn.functional``.
        name: beginning of the names.

    Raises:
        ValueError: **contextStride**, for another stride.
    """
    x = _checked(input, "input", "sequence_conv", _FLOATS)
    if filter_stride != 1:
        raise failure(
            ValueError,
            "Currently, SequenceConvOp only supports contextStride=1. But received contextStride = "
            f"{filter_stride}.",
        )
    new = NewLayer("sequence_conv", x, name)
    weight = new.parameter([filter_size * x.shape[1], num_filters], param_attr)
    start = -(filter_size // 2) if padding_start is None else padding_start
    with layer(new.name):
        y = windows.sequence_conv(x, weight, _offsets(x, "sequence_conv"), start, filter_size)
        bias = new.parameter([num_filters], bias_attr, is_bias=True)
        if bias is not None:
            y = add(y, bias)
            y.op.printed["axis"] = 1
        return activated(y, act)


def _with_own(out: Variable, *others: Variable) -> Variable:
    """Return a result with its own sequences, whose offsets are the last of the `others`."""
    give(out, [others[-1]])
    return out
