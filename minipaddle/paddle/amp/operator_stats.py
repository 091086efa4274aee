"""What ``paddle.amp.debugging`` tells of whole stretches of code: operators by type of number, and NaN in a layer."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.eager import current, run_inside
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Attrs
from minipaddle.engine.core.mode import Around, Mode
from minipaddle.engine.core.operator import Operator
from minipaddle.paddle.framework.nan_inf import Count

_COLUMNS = {"float16": 0, "bfloat16": 1, "float32": 2}


class _Counting(Around):
    """The mode `inner`, with a count of the calls of each operator: in float16, bfloat16, float32, and others."""

    __slots__ = ("calls",)

    def __init__(self, inner: Mode, calls: dict[str, list[int]]) -> None:
        super().__init__(inner)
        self.calls = calls

    def like(self, inner: Mode) -> Mode:
        """Keep counting."""
        return _Counting(inner, self.calls)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then count by the type of the first operand, or of the result if there is none."""
        outputs = self.inner.apply(op, inputs, attrs)
        results = outputs if isinstance(outputs, tuple) else (outputs,)
        values = [one for one in (*inputs, *results) if isinstance(one, Tensor)]
        kind = values[0].array.dtype.name if values else ""
        self.calls.setdefault(op.type, [0, 0, 0, 0])[_COLUMNS.get(kind, 3)] += 1
        return outputs


def _counting() -> _Counting | None:
    mode = current.get()
    while isinstance(mode, Around):
        if isinstance(mode, _Counting):
            return mode
        mode = mode.inner
    return None


def enable_operator_stats_collection() -> None:
    """Count the operators that are called from here on."""
    mode = _counting()
    if mode is None:
        current.set(_Counting(current.get(), {}))
    else:
        mode.calls.clear()


def disable_operator_stats_collection() -> None:
    """Print how often each operator was called, and stop counting."""
    mode = _counting()
    if mode is not None:
        current.set(_without(current.get()))
        sys.stdout.write(_table(mode.calls))


def _without(mode: Mode) -> Mode:
    """Return `mode` with nobody counting in it."""
    if isinstance(mode, _Counting):
        return mode.inner
    return mode.like(_without(mode.inner)) if isinstance(mode, Around) else mode


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Count the operators that are called in a ``with`` block, and print how often each was."""
    enable_operator_stats_collection()
    try:
        yield
    finally:
        disable_operator_stats_collection()


def _table(calls: dict[str, list[int]]) -> str:
    """Return the table that Paddle prints."""
    titles = [f"{title:-^17}" for title in (" FP16 Calls ", " BF16 Calls ", " FP32 Calls", " Other Calls ")]
    lines = [f"<{' op list ':-^120}>", f"<{' Op Name ':-^40} | {' | '.join(titles)}>"]
    for type, counts in sorted(calls.items()):
        lines.append(f"  {type:<40}|  {'|  '.join(f'{count:<17}' for count in counts)}")
    return "\n".join([*lines, f"<{f' op count: {len(calls)} ':-^120}>", "", ""])


class _Telling(Around):
    """The mode `inner`, which writes a line about each result that is not finite."""

    __slots__ = ()

    def like(self, inner: Mode) -> Mode:
        """Keep telling."""
        return _Telling(inner)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then tell."""
        outputs = self.inner.apply(op, inputs, attrs)
        for out in outputs if isinstance(outputs, tuple) else (outputs,):
            if isinstance(out, Tensor) and out.array.dtype.kind == "f" and not np.isfinite(out.array).all():
                sys.stdout.write(Count.of(out.array).line(op.name, "") + "\n")
        return outputs


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate the ``forward`` of a layer: a line is printed about each result in it that is not finite.

    Raises:
        RuntimeError: **No elements found in args**, **must be tensor**, when the layer is called so.
    """

    @functools.wraps(func)
    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not args:
            raise failure(RuntimeError, "No elements found in args.")
        if not isinstance(args[0], Tensor):
            raise failure(RuntimeError, "First input of this layer must be tensor.")
        return run_inside(_Telling(current.get()), functools.partial(func, self, *args, **kwargs))

    return forward
