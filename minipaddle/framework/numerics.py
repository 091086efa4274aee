"""``FLAGS_check_nan_inf``: every operator and every gradient rule is asked for NaN and Inf, the first one raises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.core.errors import failure, locate
from minipaddle.core.meta import Array, Attrs
from minipaddle.core.mode import Around, Mode, Saving, current
from minipaddle.core.operator import Operator
from minipaddle.core.record import Step

__all__ = ["Count", "check_every_operator", "refuse"]


@dataclass
class Count:
    """How much of an array is not finite."""

    array: Array
    nans: int
    infs: int

    @classmethod
    def of(cls, array: Array) -> Count:
        """Count."""
        if array.dtype.kind not in "fc":
            return cls(array, 0, 0)
        return cls(array, int(np.isnan(array).sum()), int(np.isinf(array).sum()))

    def counts(self) -> Array:
        """Return how many NaN, Inf and zeros there are."""
        return np.array([self.nans, self.infs, self.array.size - np.count_nonzero(self.array)], "int64")

    def sizes(self) -> Array:
        """Return maximum, minimum and mean; what is NaN does not count for the first two."""
        if not self.array.size:
            return np.zeros(3, "float32")
        with np.errstate(all="ignore"):
            found = [np.fmax.reduce(self.array, None), np.fmin.reduce(self.array, None), self.array.mean()]
        return np.array(found, "float32")

    def line(self, op: str, name: str) -> str:
        """Return the line that Paddle prints."""
        state = "ERROR" if self.nans or self.infs else "DEBUG"
        high, low, mean = (f"{size:e}" for size in self.sizes())
        return (
            f"[PRECISION] [{state}] in {self._place(op, name)}, numel={self.array.size}, {self._words()}, "
            f"max={high}, min={low}, mean={mean}"
        )

    def _place(self, op: str, name: str) -> str:
        short = self.array.dtype.name.replace("float", "fp")
        return f"[device=cpu, op={op}, tensor={name}, dtype={short}]"

    def _words(self) -> str:
        nans, infs, zeros = self.counts()
        return f"num_nan={nans}, num_inf={infs}, num_zero={zeros}"


def refuse(count: Count, op: str, name: str = "") -> RuntimeError:
    """Return the error for a tensor that is not finite."""
    text = f"There are NAN or INF ({count._words()}) in {count._place(op, name)}."
    return locate(failure(RuntimeError, text, "`minipaddle nan SCRIPT` shows where it was born"), op)


class _Checking(Around):
    """Any mode, with an eye on its numbers."""

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        outputs = self.inner.apply(op, inputs, attrs)
        for out in outputs if isinstance(outputs, tuple) else (outputs,):
            _check(getattr(out, "array", None), op.name)
        return outputs

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        output = self.inner.apply_inplace(op, inputs, attrs)
        _check(output.array, op.name)
        return output

    def with_grad(self, flag: bool) -> Mode:
        """Keep checking."""
        return _Checking(self.inner.with_grad(flag))

    def with_saving(self, hooks: Saving) -> Mode:
        """Keep checking."""
        return _Checking(self.inner.with_saving(hooks))

    def drain(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Check every gradient before it goes on."""
        for step in self.inner.drain(steps):
            node, _, results = step
            for result in results:
                _check(
                    getattr(result, "array", result), f"{node.op.name}_grad" if hasattr(node, "op") else ""
                )
            yield step


def _check(array: Any, op: str) -> None:
    """Raise for an array that is not finite.

    Raises:
        RuntimeError: **There are NAN or INF**.
    """
    if isinstance(array, np.ndarray) and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise refuse(Count.of(array), op)


def check_every_operator(wanted: bool) -> None:
    """Begin to check, or stop, in this thread."""
    mode = current.get()
    if not isinstance(mode, _Checking):
        current.set(_Checking(mode) if wanted else mode)
    elif not wanted:
        current.set(mode.inner)
