"""``FLAGS_check_nan_inf``: every operator and every gradient rule is asked for NaN and Inf, the first one raises.

In static mode those of a Program, in a run of the Executor, which goes step by step then.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.core.eager import current
from minipaddle.core.errors import Line, failure, locate
from minipaddle.core.meta import Array, Attrs
from minipaddle.core.mode import Around, CustomCall, Mode
from minipaddle.core.node import Node, Step
from minipaddle.core.observer import Observer
from minipaddle.core.operator import Operator

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


def refuse(count: Count, op: str, name: str = "", where: Line | None = None) -> RuntimeError:
    """Return the error for a tensor that is not finite; `where` is the user's line, if not the one that runs."""
    text = f"There are NAN or INF ({count._words()}) in {count._place(op, name)}."
    return locate(failure(RuntimeError, text, "`minipaddle nan SCRIPT` shows where it was born"), op, where)


class _Gradients(Observer):
    """Checks every gradient before it goes on."""

    def stepped(self, step: Step, seconds: float) -> None:
        """Check what a node answers."""
        node, _, results = step
        op = f"{node.op.name}_grad" if isinstance(node, Node) else ""
        for result in results:
            _check(getattr(result, "array", result), op)


_GRADIENTS = _Gradients()


class _Checking(Around):
    """Any mode, with an eye on its numbers."""

    __slots__ = ()

    sees_steps = True

    def __init__(self, inner: Mode) -> None:
        super().__init__(inner)
        self.tell = (*inner.tell, _GRADIENTS)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        outputs = self.inner.apply(op, inputs, attrs)
        for out in outputs if isinstance(outputs, tuple) else (outputs,):
            _check(getattr(out, "array", None), op.name)
        return outputs

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        output = self.inner.apply_inplace(op, inputs, attrs)
        if not op.updates:
            _check(getattr(output, "array", None), op.name)  # a Variable has none
        return output

    def apply_custom(self, call: CustomCall) -> Any:
        """Carry it out under this mode: the user's own code is checked too."""
        return call.carry_out(self) if self.dynamic else self.inner.apply_custom(call)

    def like(self, inner: Mode) -> Mode:
        """Keep checking."""
        return _Checking(inner)

    def replaced(self, mode: Mode) -> Mode:
        """Keep checking; what is replaced by the mode that it stands around leaves."""
        return mode if mode is self.inner else _Checking(mode)

    def program_steps(self, run: Any, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Check what every Operator of a Program writes, and what was fed."""
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            yield step  # who watches sees it before it raises
            if hasattr(step, "outputs"):  # and is not the begin or the end of a Block
                _check_operator(step)


def _check_operator(step: Any) -> None:
    """Raise if an Operator was fed, or has written, what is not finite.

    Raises:
        RuntimeError: **There are NAN or INF**, naming operator and variable, with the user's line.
    """
    for variable, array in zip(step.op.reads(), step.inputs, strict=True):
        if variable is not None and variable.is_data:
            _check(array, "feed", variable.name)
    for variable, array in zip(step.op.writes(), step.outputs, strict=True):
        _check(array, step.op.type, variable.name, step.op.where)


def _check(array: Any, op: str, name: str = "", where: Line | None = None) -> None:
    """Raise for an array that is not finite.

    Raises:
        RuntimeError: **There are NAN or INF**.
    """
    if isinstance(array, np.ndarray) and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise refuse(Count.of(array), op, name, where)


def check_every_operator(wanted: bool) -> None:
    """Begin to check, or stop, in this thread; who watches goes on to do so."""
    mode = innermost = current.get()
    checks = False
    while isinstance(innermost, Around):
        checks = checks or isinstance(innermost, _Checking)
        innermost = innermost.inner
    if checks != wanted:
        current.set(mode.replaced(_Checking(innermost) if wanted else innermost))
