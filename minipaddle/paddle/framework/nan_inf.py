"""``FLAGS_check_nan_inf``: outputs of operators and gradient rules are checked; the first NaN or Inf raises.

In static mode the Operators of a Program, while the Executor runs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import Line, failure, locate
from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.engine.tape.node import Node, Step
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.watch.observer import Observer
from minipaddle.engine.watch.watched_mode import Watching, observers


def look(array: Any, op: str, name: str = "", where: Line | None = None) -> None:
    """Raise for an array that is not finite; `where` is the user's line, by default the running one.

    Raises:
        RuntimeError: **There are NAN or INF**.
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or np.isfinite(array).all():
        return
    nans, infs, zeros = np.isnan(array).sum(), np.isinf(array).sum(), array.size - np.count_nonzero(array)
    kind = array.dtype.name.replace("float", "fp")
    text = (
        f"There are NAN or INF (num_nan={nans}, num_inf={infs}, num_zero={zeros}) "
        f"in [device=cpu, op={op}, tensor={name}, dtype={kind}]."
    )
    raise locate(failure(RuntimeError, text, "`minipaddle nan SCRIPT` shows where it was born"), op, where)


class _Operators(Observer):
    """Checks the inputs and outputs of a Program's Operators."""

    def called(
        self, op: Any, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """Check one Operator."""
        for variable, array in zip(op.reads(), inputs, strict=True):
            if variable is not None and variable.is_data:
                look(array, "feed", variable.name)
        for variable, array in zip(op.writes(), outputs, strict=True):
            look(array, op.type, variable.name, op.where)


class _Numbers(Observer):
    """Checks the outputs of operators, and gradients before they are passed on."""

    def called(
        self, op: Any, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """Check the outputs, except of an optimizer."""
        for out in () if op.updates else outputs if isinstance(outputs, tuple) else (outputs,):
            look(out.array, op.name)

    def stepped(self, step: Step, seconds: float) -> None:
        """Check a node's gradients."""
        node, _, results = step
        op = f"{node.op.name}_grad" if isinstance(node, Node) else ""
        for result in results:
            look(getattr(result, "array", result), op)

    def program_began(self, run: Any) -> Observer:
        """Check the Operators of a Program, too."""
        return _Operators()


_NUMBERS = _Numbers()


def check_every_operator(wanted: bool) -> None:
    """Switch the check after each operator on or off in this thread; other watchers stay."""
    mode = current.get()
    if wanted == (_NUMBERS in observers()):
        return
    *_, innermost = mode.layers()
    current.set(mode.replaced(Watching(innermost, _NUMBERS)) if wanted else _unchecked(mode))


def _unchecked(mode: Mode) -> Mode:
    """Return a mode without the check."""
    if not isinstance(mode, Around):
        return mode
    inner = _unchecked(mode.inner)
    return inner if isinstance(mode, Watching) and mode.observer is _NUMBERS else mode.like(inner)
