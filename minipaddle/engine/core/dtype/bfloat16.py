"""bfloat16, which NumPy has not: a dtype, and the arrays that hold such numbers as float32.

A bfloat16 is the upper half of a float32: its range, and 8 bits of mantissa. So an array of them is an array of
float32 all of whose numbers are rounded to what fits, of a class of its own (:class:`Bfloat16Array`) that says
``dtype`` bfloat16. Whoever reads it reads right numbers; whoever computes with it by NumPy's arithmetic gets rounded
ones. Operators know nothing of it: :mod:`minipaddle.engine.core.dtype.widening` hands them float32, and rounds what
they return.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.core.meta import Array

_SINGLE, _BITS = np.dtype("float32"), np.dtype("uint16")
_HIGH, _HALF, _QUIET = np.uint32(0xFFFF0000), np.uint32(0x7FFF), np.uint32(0x7FC00000)


class Limits(NamedTuple):
    """What ``np.finfo`` would say: a sign, 8 bits of exponent, as float32 has, and 7 of mantissa."""

    bits: int = 16
    dtype: str = "bfloat16"
    eps: float = 2.0**-7
    max: float = (2 - 2.0**-7) * 2.0**127
    min: float = -(2 - 2.0**-7) * 2.0**127
    resolution: float = 0.01
    tiny: float = 2.0**-126


class Bfloat16:
    """What stands where a NumPy dtype stands. NumPy's own functions refuse it, so that none takes it for another."""

    name = "bfloat16"
    kind = "f"
    char = "E"
    type = np.float32
    itemsize = 2
    limits = Limits()

    def __repr__(self) -> str:
        return "dtype('bfloat16')"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return "BFLOAT16"  # there is one


BFLOAT16: Any = Bfloat16()
_single = np.ndarray.dtype.__get__  # type of the numbers as they are held


class Bfloat16Array(np.ndarray[Any, Any]):
    """An array of bfloat16: float32 inside, rounded. What NumPy makes of it that is no float32 is a plain array."""

    @property
    def dtype(self) -> Any:
        """bfloat16; of what NumPy made of such an array without asking (``argsort``), its own."""
        own = _single(self)
        return BFLOAT16 if own == _SINGLE else own

    @property
    def itemsize(self) -> int:
        """Bytes of a bfloat16."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all."""
        return self.size * self.itemsize

    def astype(self, dtype: Any, *how: Any, **more: Any) -> Any:
        """Return a copy in another dtype: a plain array."""
        return self.copy() if dtype is BFLOAT16 else wide(self).astype(dtype, *how, **more)

    def __repr__(self) -> str:
        return repr(wide(self)).replace("float32", self.dtype.name)

    def __str__(self) -> str:
        return str(wide(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, rounded(value) if self.dtype is BFLOAT16 else value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **how: Any) -> Any:
        """Compute in float32, and round; beside floats of another width the result is as wide as they are."""
        others = [one for one in inputs if isinstance(one, (np.ndarray, np.generic)) and not is_bfloat16(one)]
        if out is not None:
            how["out"] = tuple([wide(one) for one in out])
        made = getattr(ufunc, method)(*[wide(one) for one in inputs], **how)
        written = inputs[:1] if method == "at" else out or ()
        for one in written:
            if is_bfloat16(one):
                round_in_place(one)
        if written:
            return None if method == "at" else out[0] if len(out) == 1 else out
        if any(one.dtype.kind in "fc" for one in others):
            return made
        return tuple([_narrowed(one) for one in made]) if isinstance(made, tuple) else _narrowed(made)


def _narrowed(made: Any) -> Any:
    return narrow(made) if getattr(made, "dtype", None) == _SINGLE else made


def is_bfloat16(value: Any) -> bool:
    """Return whether `value` is an array of bfloat16."""
    return isinstance(value, Bfloat16Array) and value.dtype is BFLOAT16


def as_array(value: Any) -> Array:
    """Return ``np.asarray(value)``; an array of bfloat16 stays one."""
    return value if type(value) is np.ndarray or is_bfloat16(value) else np.asarray(value)


def wide(value: Any) -> Any:
    """Return an array of bfloat16 as the float32 that hold it, in the same memory; anything else as it is."""
    return value.view(np.ndarray) if isinstance(value, Bfloat16Array) else value


def marked(array: Array) -> Any:
    """Return float32 that are rounded already as bfloat16, in the same memory."""
    return array.view(Bfloat16Array)


def narrow(values: Any) -> Any:
    """Return numbers as an array of bfloat16, each rounded to the nearest one, to the even one of two."""
    return marked(rounded(values))


def rounded(values: Any) -> Array:
    """Return numbers as float32 that are bfloat16; what is too large is infinite."""
    array = np.asarray(wide(values), _SINGLE)
    bits = array.view(np.uint32)
    near = (bits + (_HALF + ((bits >> np.uint32(16)) & np.uint32(1)))) & _HIGH
    return np.asarray(np.where(np.isnan(array), bits & _HIGH | _QUIET, near)).view(_SINGLE)


def held_as(dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of the numbers of `dtype` as they are held: float32 for bfloat16."""
    return _SINGLE if dtype is BFLOAT16 else np.dtype(dtype)


def in_dtype(values: Any, dtype: Any) -> Array:
    """Return `values` as an array of `dtype`, which may be bfloat16; not copied where that is not needed.

    Where it is, an array of uint16 stands for the bits, as in Paddle.
    """
    if dtype is not BFLOAT16:
        return np.asarray(values, dtype)
    given = from_numpy(values) if isinstance(values, np.ndarray) else values
    made: Array = given if is_bfloat16(given) else narrow(given)
    return made


def zeros(shape: Any, dtype: Any) -> Any:
    """Return ``np.zeros(shape, dtype)``, where that may be bfloat16."""
    return marked(np.zeros(shape, _SINGLE)) if dtype is BFLOAT16 else np.zeros(shape, dtype)


def as_wide(value: Any) -> Any:
    """Return `value`, an array, a dtype, or a list of such, with float32 in place of bfloat16."""
    if value is BFLOAT16:
        return _SINGLE
    return type(value)(map(as_wide, value)) if type(value) in (list, tuple) else wide(value)


def round_in_place(array: Array) -> None:
    """Round the numbers of an array of bfloat16 that somebody has written to as float32."""
    wide(array)[...] = rounded(array)


def to_numpy(array: Array) -> Array:
    """Return what NumPy gets of an array: the array, or of bfloat16 the bits, as in Paddle."""
    if type(array) is np.ndarray or not is_bfloat16(array):  # the first nearly always
        return array
    return np.asarray(np.asarray(array).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def from_numpy(array: Array) -> Any:
    """Return what an array of NumPy stands for: uint16, which Paddle has not, for bfloat16."""
    if array.dtype != _BITS:
        return array
    return marked(np.asarray(np.asarray(array).astype(np.uint32) << np.uint32(16)).view(_SINGLE))
