"""The common type of two operands of different types. Operators' `prepare` inserts the casts.

=====================================  =====================================================================
float with float                       the wider one
complex with any number                complex, of the wider precision
one operand is 0-D                     like a scalar it changes the other's kind (bool, integer, float)
                                       if its own is higher, but never the width
both are 0-D                           the higher kind, or the wider one of the same kind
any other mixture                      TypeError; for maximum, minimum, where and smooth_l1_loss also if one or
                                       both are 0-D
=====================================  =====================================================================

(Measured on PaddlePaddle 3.3.1; 2.6 silently takes the type of the left operand.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.definition import Operator, failure, invalid, locate

DType = np.dtype[Any]
_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_WIDE = (np.dtype("float64"), np.dtype("complex128"))


def promote(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Cast `x` and `y`, operands of `op`, to their common type.

    Raises:
        TypeError: **Type promotion only support**, if there is none.
    """
    try:
        # mostly two Tensors of one type, or two arrays: gradient rules are evaluated on those
        if x.dtype is y.dtype if type(x) is np.ndarray else x.array.dtype is y.array.dtype:
            return x, y
    except AttributeError:
        pass
    return to_common(op, x, y)


def alike(op: Operator, *values: Any) -> tuple[Any, ...]:
    """Return `values`, the inputs of an `op` without promotion, after checking that all have one type.

    16-bit floats may meet other types (mixed precision); arrays are not checked (reruns of a recording in float64).
    """
    dtypes = [numpy_dtype(one) for one in values if hasattr(one, "dtype") and not isinstance(one, np.ndarray)]
    for other in dtypes[1:]:
        if other != dtypes[0] and dtypes[0].itemsize != 2 and other.itemsize != 2:
            error = invalid(
                f"The type of data we are trying to retrieve ({dtypes[0]}) does not match the type "
                f"of data ({other}) currently contained in the container.",
                f"convert one: .astype('{max(dtypes[0], other, key=lambda one: (_RANK[one.kind], -one.itemsize))}')",
            )
            raise locate(error, op.type)
    return values


def alike_pair(op: Operator, x: Any, y: Any) -> tuple[Any, ...]:
    """Return two operands checked as by :func:`alike`; complex numbers may be combined with real ones."""
    try:
        if x.dtype is y.dtype if type(x) is np.ndarray else x.array.dtype is y.array.dtype:
            return x, y
    except AttributeError:
        pass
    kinds = {numpy_dtype(one).kind for one in (x, y) if hasattr(one, "dtype")}
    return promote(op, x, y) if "c" in kinds else alike(op, x, y)


def alike_around(op: Operator, x: Any, index: Any, *values: Any) -> tuple[Any, ...]:
    """Return inputs, all but the second (the index) checked by :func:`alike`."""
    alike(op, x, *values)
    return (x, index, *values)


def promote_widths(op: Operator, x: Any, y: Any) -> tuple[Any, ...]:
    """Return operands as :func:`promote` does, except that a 0-D one may widen the other, as in Paddle's ``//``."""
    are_tensors = hasattr(x, "dtype") and hasattr(y, "dtype") and (x.ndim == 0) != (y.ndim == 0)
    of_one_kind = are_tensors and _RANK[numpy_dtype(x).kind] == _RANK[numpy_dtype(y).kind]
    return to_common(op, x, y, ndim=0) if of_one_kind else promote(op, x, y)


def promote_floats(op: Operator, *values: Any) -> tuple[Any, ...]:
    """Return inputs, the last two promoted as if both had an axis: here a 0-D one is no scalar, as in Paddle."""
    *before, x, y = values
    return (*before, *to_common(op, x, y, ndim=1))


def to_common(op: Operator, x: Any, y: Any, ndim: int | None = None) -> tuple[Any, Any]:
    """Return `x` and `y` cast to their common type, as if both had `ndim` axes if that is given.

    Values that are no tensors pass: the mode refuses them.
    """
    if not (hasattr(x, "dtype") and hasattr(y, "dtype")):
        return x, y
    types, ranks = (numpy_dtype(x), numpy_dtype(y)), (x.ndim, y.ndim) if ndim is None else (ndim, ndim)
    try:
        common = common_dtype(types[0], ranks[0], types[1], ranks[1])
    except TypeError as error:
        raise locate(error, op.type) from None
    return x if types[0] == common else cast(x, common), y if types[1] == common else cast(y, common)


def common_dtype(x: DType, x_ndim: int, y: DType, y_ndim: int) -> DType:
    """Return the common type of tensors of types `x` and `y`; see the table at the top of this file."""
    if x == y:
        return x
    one_is_scalar = (x_ndim == 0) != (y_ndim == 0)
    if _RANK[x.kind] == _RANK[y.kind]:
        if one_is_scalar:
            return y if x_ndim == 0 else x
        if x.kind in "fc" or x_ndim == y_ndim == 0:
            return np.result_type(x, y)
    else:
        higher = x if _RANK[x.kind] > _RANK[y.kind] else y
        if higher.kind == "c":
            return np.dtype("complex128" if x in _WIDE or y in _WIDE else "complex64")
        if x_ndim == 0 or y_ndim == 0:
            return higher
    raise failure(
        TypeError,
        "Type promotion only support calculations between floating-point numbers and between complex and "
        f"real numbers. But got different data type x: {x}, y: {y}.",
        f"convert one: x.astype('{y}')" if _RANK[x.kind] < _RANK[y.kind] else f"convert one: y.astype('{x}')",
    )


def floating(op: Operator, x: Any) -> tuple[Any]:
    """Return an integer or bool operand of `op` as float32: results of exp, sqrt and the like are not integers."""
    try:
        kind = x.array.dtype.kind
    except AttributeError:
        kind = numpy_dtype(x).kind if hasattr(x, "dtype") else "f"
    return (x,) if kind == "f" or kind == "c" else (cast(x, "float32"),)
