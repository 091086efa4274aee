"""``FLAGS_check_nan_inf``: outputs of operators and gradient rules are checked; the first NaN or Inf raises.

In static mode the operators of a Program, while the Executor runs it, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line, failure, locate
from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.engine.operator.custom import OnTape
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.node import Node, Step
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.watch.observer import Observer


def look(array: Any, op: str, name: str = "", where: Line | None = None) -> None:
    """Raise for an array that is not finite; `where` is the user's line, if not the one that runs.

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


class _Numbers(Observer):
    """Checks gradients before they are passed on, and every Operator of a Program."""

    def stepped(self, step: Step, seconds: float) -> None:
        """Check a node's gradients."""
        node, _, results = step
        op = f"{node.op.name}_grad" if isinstance(node, Node) else ""
        for result in results:
            look(getattr(result, "array", result), op)

    def program_began(self, run: Any) -> Observer:
        """Check its Operators."""
        return self

    def called(
        self, op: Any, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """Check what an Operator was fed, and its outputs."""
        for variable, array in zip(op.reads(), inputs, strict=True):
            if variable is not None and variable.is_data:
                look(array, "feed", variable.name)
        for variable, array in zip(op.writes(), outputs, strict=True):
            look(array, op.type, variable.name, op.where)


class _Checking(Around):
    """Any mode, with an eye on its numbers."""

    __slots__ = ()

    observer = _Numbers()

    def __init__(self, inner: Mode) -> None:
        super().__init__(inner)
        self.tell = (*inner.tell, self.observer)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        outputs = self.inner.apply(op, inputs, attrs)
        for out in outputs if isinstance(outputs, tuple) else (outputs,):
            look(getattr(out, "array", None), op.name)
        return outputs

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then check."""
        output = self.inner.apply_inplace(op, inputs, attrs)
        if not op.updates:
            look(getattr(output, "array", None), op.name)  # a Variable has none
        return output

    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Apply `op` under this mode: the user's own code is checked too."""
        return op.carry_out(self, inputs) if self.dynamic else self.inner.apply_custom(op, inputs)

    def like(self, inner: Mode) -> Mode:
        """Keep checking."""
        return _Checking(inner)

    def replaced(self, mode: Mode) -> Mode:
        """Keep checking, unless the inner mode replaces this one."""
        return mode if mode is self.inner else _Checking(mode)


def check_every_operator(wanted: bool) -> None:
    """Switch the check after each operator on or off in this thread; other watchers stay."""
    mode = innermost = current.get()
    checks = False
    while isinstance(innermost, Around):
        checks = checks or isinstance(innermost, _Checking)
        innermost = innermost.inner
    if checks != wanted:
        mode = mode.replaced(innermost) if checks else mode
        current.set(mode.replaced(_Checking(innermost)) if wanted else mode)
