"""``FLAGS_check_nan_inf``: every operator and every gradient rule is asked for NaN and Inf, the first one raises.

In static mode those of a Program, in a run of the Executor, which goes step by step then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import Line, failure, locate
from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.mode import Around, CustomCall, Mode
from minipaddle.engine.core.node import Node, Step
from minipaddle.engine.core.observer import Observer
from minipaddle.engine.core.operator import Operator
from minipaddle.paddle.framework.whole_file import append_line

_LARGEST_HALF = 65504.0


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
        bad = bool(self.nans or self.infs)
        high, low, mean = (f"{size:e}" for size in self.sizes())
        words = self._words() if bad else f"num_zero={self.counts()[2]}"
        return (
            f"[PRECISION] {'[ERROR] ' if bad else ''}in {self._place(op, name)}, numel={self.array.size}, {words}, "
            f"max={high}, min={low}, mean={mean}"
        )

    def _place(self, op: str, name: str) -> str:
        short = self.array.dtype.name.replace("bfloat", "bf").replace("float", "fp")
        return f"[device=cpu, op={op}, tensor={name}, dtype={short}]"

    def _words(self) -> str:
        nans, infs, zeros = self.counts()
        return f"num_nan={nans}, num_inf={infs}, num_zero={zeros}"


def refuse(count: Count, op: str, name: str = "", where: Line | None = None) -> RuntimeError:
    """Return the error for a tensor that is not finite; `where` is the user's line, if not the one that runs."""
    text = f"There are NAN or INF ({count._words()}) in {count._place(op, name)}."
    return locate(failure(RuntimeError, text, "`minipaddle nan SCRIPT` shows where it was born"), op, where)


class Checks(NamedTuple):
    """What is asked of every array, and what is done then."""

    aborts: bool = True
    """Whether what is not finite raises; else a line is written about it."""
    large: bool = False
    """Whether a line is written about what float16 could not hold, too."""
    all: bool = False
    """Whether a line is written about every array."""
    only: frozenset[str] = frozenset()
    """The operators to look at; none: all."""
    skipped: frozenset[str] = frozenset()
    folder: str | None = None
    """Where the lines go: into the file `worker_cpu` there, or to standard output."""

    def look(self, array: Any, op: str, name: str = "", where: Line | None = None) -> None:
        """Raise for an array that is not finite, or write of it.

        Raises:
            RuntimeError: **There are NAN or INF**.
        """
        if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
            return
        if op in self.skipped or (self.only and op not in self.only):
            return
        finite = np.isfinite(array).all()
        if not finite and self.aborts:
            raise refuse(Count.of(array), op, name, where)
        if not finite or self.all or (self.large and np.abs(array).max(initial=0) > _LARGEST_HALF):
            self._write(Count.of(array).line(op, name))

    def _write(self, line: str) -> None:
        if self.folder is None:
            sys.stdout.write(line + "\n")
        else:
            append_line(os.path.join(self.folder, "worker_cpu"), line)


class _Gradients(Observer):
    """Checks every gradient before it goes on."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks

    def stepped(self, step: Step, seconds: float) -> None:
        """Check what a node answers."""
        node, _, results = step
        op = f"{node.op.name}_grad" if isinstance(node, Node) else ""
        for result in results:
            self.checks.look(getattr(result, "array", result), op)


class _Checking(Around):
    """Any mode, with an eye on its numbers."""

    __slots__ = ("checks",)

    sees_steps = True

    def __init__(self, inner: Mode, checks: Checks) -> None:
        super().__init__(inner)
        self.checks = checks
        self.tell = (*inner.tell, _Gradients(checks))

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        outputs = self.inner.apply(op, inputs, attrs)
        for out in outputs if isinstance(outputs, tuple) else (outputs,):
            self.checks.look(getattr(out, "array", None), op.name)
        return outputs

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        output = self.inner.apply_inplace(op, inputs, attrs)
        if not op.updates:
            self.checks.look(getattr(output, "array", None), op.name)  # a Variable has none
        return output

    def apply_custom(self, call: CustomCall) -> Any:
        """Carry it out under this mode: the user's own code is checked too."""
        return call.carry_out(self) if self.dynamic else self.inner.apply_custom(call)

    def like(self, inner: Mode) -> Mode:
        """Keep checking."""
        return _Checking(inner, self.checks)

    def replaced(self, mode: Mode) -> Mode:
        """Keep checking; what is replaced by the mode that it stands around leaves."""
        return mode if mode is self.inner else _Checking(mode, self.checks)

    def program_steps(self, run: Any, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Check what every Operator of a Program writes, and what was fed."""
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            yield step  # who watches sees it before it raises
            if hasattr(step, "outputs"):  # and is not the begin or the end of a Block
                self._look_at(step)

    def _look_at(self, step: Any) -> None:
        """Look at what an Operator was fed, and at what it has written."""
        for variable, array in zip(step.op.reads(), step.inputs, strict=True):
            if variable is not None and variable.is_data:
                self.checks.look(array, "feed", variable.name)
        for variable, array in zip(step.op.writes(), step.outputs, strict=True):
            self.checks.look(array, step.op.type, variable.name, step.op.where)


def check_every_operator(wanted: Checks | None) -> None:
    """Begin to check, or stop (None), in this thread; who watches goes on to do so."""
    mode = innermost = current.get()
    checks = None
    while isinstance(innermost, Around):
        checks = innermost.checks if isinstance(innermost, _Checking) else checks
        innermost = innermost.inner
    if checks != wanted:
        mode = mode.replaced(innermost) if checks else mode
        current.set(mode.replaced(_Checking(innermost, wanted)) if wanted else mode)
