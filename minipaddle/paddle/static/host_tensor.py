"""HostTensor: a value of a Program, as the user's own code gets it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from minipaddle.engine.core.dtype.bfloat16 import from_numpy, to_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, CPUPlace


class CallableShape(tuple[int, ...]):
    """A shape that is both: ``t.shape[0]`` as of an array, ``t.shape()`` as of Paddle's LoDTensor."""

    __slots__ = ()

    def __call__(self) -> list[int]:
        """Return the sizes as a list."""
        return list(self)


class HostTensor(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that a ``py_func`` gets for an input, and a run returns with ``return_numpy=False``.

    Behaves as an array (arithmetic, indexing, NumPy's functions and methods), and answers ``shape()`` as Paddle's does.
    It cannot be written to.
    """

    __array_priority__ = 1000
    _offsets: Sequence[Sequence[int]] = ()

    def __init__(self, array: Array) -> None:
        self._view = array.view()
        self._view.setflags(write=False)

    def _value(self) -> Array:
        return self._view

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [one._value() if isinstance(one, HostTensor) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    @property
    def shape(self) -> CallableShape:
        """Sizes of the axes: a tuple that can also be called."""
        return CallableShape(self._value().shape)

    # -- sequences of different lengths ---------------------------------------------------------------------------

    def lod(self) -> list[list[int]]:
        """Return where the sequences begin and end, a list for each level: ``[[0, 2, 5]]``; [] for no sequences."""
        return [list(level) for level in self._offsets]

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """Return how long the sequences are, a list for each level: ``[[2, 3]]``."""
        return [[end - start for start, end in pairwise(level)] for level in self._offsets]

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Say where the sequences begin and end.

        Raises:
            ValueError: **is invalid**, if a level does not fit to the next, or the last to the rows.
        """
        levels = [[int(place) for place in level] for level in lod]
        counts = [
            *[len(level) - 1 for level in levels[1:]],
            *([len(self._value())] if self._value().ndim else []),
        ]
        good = all(level and level[0] == 0 and level == sorted(level) for level in levels)
        if not good or any(level[-1] != count for level, count in zip(levels, counts, strict=False)):
            raise failure(
                ValueError,
                f"The provided lod info is invalid: {levels} does not fit to a tensor of shape {self.shape()}.",
                "the last lengths add up to the number of rows, those before to the number of sequences after them",
            )
        self._offsets = levels

    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: Sequence[Sequence[int]]) -> None:
        """Say how long the sequences are; see :meth:`set_lod`."""
        self.set_lod([list(accumulate(level, initial=0)) for level in recursive_sequence_lengths])

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Whether the sequences end where the rows do."""
        return not self._offsets or self._offsets[-1][-1] == len(self._value())

    def numpy(self) -> Array:
        """Return a copy as an array; of bfloat16 the bits, as uint16."""
        return to_numpy(self._value().copy())

    def __getitem__(self, index: Any) -> Any:
        return self._value()[index]

    def __len__(self) -> int:
        return len(self._value())

    def __float__(self) -> float:
        return float(self._value())

    def __int__(self) -> int:
        return int(self._value())

    def __bool__(self) -> bool:
        return bool(self._value())

    def __repr__(self) -> str:
        return repr(self._value())

    def __str__(self) -> str:
        if not self._offsets:
            return repr(self)
        value = self.numpy()
        levels = "".join(f"{{{', '.join(map(str, level))}}}" for level in self._offsets)
        numbers = [
            f"{one:.6g}" if value.dtype.kind == "f" else str(one) for one in value.reshape(-1).tolist()
        ]
        told = {
            "lod": f"{{{levels}}}", "shape": self.shape(), "layout": "NCHW", "place": CPUPlace(), "dtype": value.dtype,
            "data": f"[{' '.join(numbers)}]",
        }  # fmt: skip
        return "\n".join(f"  - {name}: {one}" for name, one in told.items())


class LoDTensor(HostTensor):
    """A tensor made by hand, to be fed: an array, and where the sequences in it begin and end."""

    def __init__(self) -> None:
        self._view = np.empty(0, np.float32)
        self._set = False

    def set(self, array: Any, place: Any = None) -> None:
        """Hold a copy of `array`."""
        self._view, self._set = from_numpy(np.array(array)), True
        self._view.setflags(write=False)

    def _is_initialized(self) -> bool:
        return self._set


def _delegated(name: str) -> property:
    """Return a property that reads an attribute of the array."""
    return property(lambda self: getattr(self._value(), name), doc=getattr(np.ndarray, name).__doc__)


# Named one by one, not by __getattr__: NumPy asks an object for attributes that an array could be made from, and an
# AttributeError for each that is not there costs more than the array.
for _name in dir(np.ndarray):
    if not _name.startswith("_") and not hasattr(HostTensor, _name):
        setattr(HostTensor, _name, _delegated(_name))
