"""Arithmetic of Variables, and their methods: ``x + y``, ``2 / x``, ``x < 0``, ``x[0]``, ``x.detach()``.

They append the same Operators as Paddle: a number beside ``**``, ``/`` (on its left) or a
comparison becomes a ``fill_constant``, and all outputs of one symbol are named ``tmp_N``.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, guarded, locate
from minipaddle.engine.mode.eager import current
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Meta
from minipaddle.ops import signs as arithmetic
from minipaddle.ops.creation.assign import assign_op, memcpy, share_data
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.convert import number_dtype
from minipaddle.ops.creation.fill_constant import fill_constant
from minipaddle.ops.creation.full import fill_constant_batch_size_like
from minipaddle.ops.math.arithmetic import divide
from minipaddle.ops.math.power import elementwise_pow
from minipaddle.ops.methods import Methods
from minipaddle.ops.views.shape_operators import numel
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.static.program.indexing import indexed
from minipaddle.paddle.static.program.naming import exactly, layer, overloaded
from minipaddle.paddle.static.program.sizes import Dim

_BITS = ("&", "|", "^")  # named as themselves: bitwise_and_0.tmp_0
_NUMBERS = (int, float, complex, np.number, np.bool_)


class Arithmetic(Methods):
    """Arithmetic of Variables: each method names the Operators it appends."""

    meta: Meta
    block: Any

    def beside(self, sign: str, other: Any, reflected: bool = False) -> Any:
        """Return ``self sign other``; `reflected`: ``other sign self``.

        Raises:
            TypeError: naming the symbol, if the other is neither a Variable nor a number; for a text a ValueError.
        """
        if not isinstance(other, (Arithmetic, Tensor, np.ndarray, *_NUMBERS)):
            raise locate(
                failure(
                    ValueError if isinstance(other, str) else TypeError,
                    f"The operand of {sign} beside the Variable {self.name!r} must be a Variable or a number, but "
                    f"received {type(other).__name__}.",
                ),
                sign,
            )
        if isinstance(other, Dim):
            other = other.as_variable()
        with self.block.program.as_default(), nullcontext() if sign in _BITS else overloaded():
            x, y = (self, other)
            if isinstance(other, Arithmetic):
                op = arithmetic.OPERATORS.get(sign)
                if op is not None and other.meta.dtype == self.meta.dtype:
                    return current.get().apply(op, (other, self) if reflected else (self, other), op.defaults)
                x, y = _same_kind(self, other)
            return _SIGNS[sign](y, x) if reflected else _SIGNS[sign](x, y)

    def __getitem__(self, index: Any) -> Any:
        return _indexed(self, index)

    def astype(self, dtype: Any) -> Any:
        """Return the Variable as another dtype; gradients are cast back."""
        with overloaded():
            return cast(self, as_numpy(dtype))

    def cast(self, dtype: Any) -> Any:
        """Return the Variable as another dtype, as ``paddle.cast`` does."""
        return cast(self, as_numpy(dtype))

    def clone(self) -> Any:
        """Return a copy; gradients pass."""
        with exactly(unique_name(f"{self.name}_clone")):
            return assign_op(self)

    def detach(self) -> Any:
        """Return a copy that stops gradients."""
        with exactly(unique_name(f"detach_{self.name}")):
            return share_data(self)

    def cpu(self) -> Any:
        """Return a copy, as if on the CPU; gradients stop."""
        return memcpy(self, dst_place_type=0)

    def cuda(self, device_id: int | None = None, blocking: bool = True) -> Any:
        """Return a copy, also on the CPU, as there is no GPU. Gradients stop."""
        return memcpy(self, dst_place_type=1)

    def size(self) -> Any:
        """Return the number of elements, which the Program computes when it runs."""
        with exactly(unique_name(f"{self.name}_size")):
            return numel(self)

    @property
    def T(self) -> Any:
        """The Variable with its axes in reverse order."""
        with layer(self.name):
            return transpose(self, list(range(self.ndim))[::-1])


@guarded
def _indexed(x: Any, index: Any) -> Any:
    """Return ``x[index]``."""
    return indexed(x, index, _cut) if isinstance(x, Arithmetic) else x[index]


def _cut(op: Operator, x: Any, text: str) -> Any:
    """Apply ``slice`` or ``strided_slice``; the result is named after `x`."""
    with exactly(unique_name(f"{x.name}_{op.type}")):
        return op(x, text)


def _same_kind(x: Arithmetic, y: Arithmetic) -> tuple[Any, Any]:
    """Return both, an integer operand cast to the other's float type."""
    kinds = x.meta.dtype.kind, y.meta.dtype.kind
    if kinds[0] in "iub" and kinds[1] in "fc":
        return cast(x, y.meta.dtype), y
    if kinds[1] in "iub" and kinds[0] in "fc":
        return x, cast(y, x.meta.dtype)
    return x, y


def _power(x: Any, y: Any) -> Any:
    """``x ** y``: a number becomes a constant."""
    return arithmetic.binary(elementwise_pow, "**", *_number_as_wide(x, y))


def _over(x: Any, y: Any) -> Any:
    """``x / y``: integers become float32 first."""
    if isinstance(y, Arithmetic) and not isinstance(x, Arithmetic):
        return arithmetic.binary(divide, "/", *_number_as_wide(x, _float(y)))
    return arithmetic.over(_float(x), _float(y))


def _float(x: Any) -> Any:
    return cast(x, "float32") if isinstance(x, Arithmetic) and numpy_dtype(x).kind in "iub" else x


def _number_as_wide(x: Any, y: Any) -> tuple[Any, Any]:
    """Return both, a number on the left as a constant with the shape of the right Variable."""
    if isinstance(x, Arithmetic):
        return x, y
    attrs = {"shape": y.meta.shape, "value": x, "dtype": number_dtype(numpy_dtype(y), x)}
    if -1 not in y.meta.shape:
        return current.get().apply(fill_constant, (), attrs), y
    # it takes one size from y; along other unknown axes the constant broadcasts
    axis = y.meta.shape.index(-1)
    sizes = enumerate(y.meta.shape)
    attrs["shape"] = tuple([1 if size == -1 and place != axis else size for place, size in sizes])
    attrs |= {"input_dim_idx": axis, "output_dim_idx": axis}
    return current.get().apply(fill_constant_batch_size_like, (y,), attrs), y


_SIGNS = {**arithmetic.SIGNS, "/": _over, "**": _power}
