"""How operators compute on bfloat16: in float32, and what comes out is rounded, once for a call as Paddle's kernels do.

:func:`begin` puts this around the operators when the first script of a process names the type; until then nobody pays,
and nothing here is loaded. A kernel, and a gradient rule, gets plain float32; which of its results are bfloat16 the
shape rule says, and for a gradient the input it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype.bfloat16 import (
    BFLOAT16,
    Bfloat16Array,
    as_array,
    as_wide,
    is_bfloat16,
    marked,
    narrow,
    round_in_place,
    wide,
)
from minipaddle.engine.core.meta import Meta, meta_of
from minipaddle.engine.core.operator import TABLE, Operator
from minipaddle.engine.core.plan import Plan
from minipaddle.engine.core.rule import Source
from minipaddle.engine.core.value import Value


def begin() -> None:
    """Let every operator, and those that are loaded later, know bfloat16; from the second time on nothing happens."""
    if TABLE.widen is not None:
        return
    TABLE.widen = widen
    for op in TABLE.loaded():
        widen(op)


def widen(op: Operator) -> None:
    """Let an operator know bfloat16."""
    if op.bits:
        return
    op.run = _widened(op, op.run)
    op.make_plan = WidePlan
    op.forget_plans()


def _widened(op: Operator, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run`, which computes on bfloat16 as on float32."""

    @wraps(run)
    def run_wide(*arrays: Any, **attrs: Any) -> Any:
        for one in arrays:
            if type(one) is Bfloat16Array:
                break
        else:  # nearly always
            if not (attrs and any(value is BFLOAT16 for value in attrs.values())):
                return run(*arrays, **attrs)
        inside = list(map(wide, arrays))
        made = run(*inside, **{name: as_wide(value) for name, value in attrs.items()})
        if op.updates:  # it wrote, and returns what it wrote to
            found = {id(one): array for one, array in zip(inside, arrays)}
            for position in op.updates:
                if is_bfloat16(arrays[position]):
                    round_in_place(arrays[position])
            return tuple([found[id(one)] for one in made]) if op.multiple else found[id(made)]
        metas = op.infer_metas([None if one is None else meta_of(one) for one in arrays], attrs)
        if not op.multiple:
            return _as_told(made, metas, op.view)
        return [_as_told(one, meta, op.view) for one, meta in zip(made, metas, strict=True)]

    return run_wide


def _as_told(made: Any, meta: Meta, view: bool) -> Any:
    """Return a result as the shape rule tells its dtype. What a view shows is rounded already."""
    if made is None or meta.dtype is not BFLOAT16:
        return None if made is None else np.asarray(made, meta.dtype)
    return marked(as_array(made)) if view else narrow(made)


def in_dtypes(values: Sequence[Any], dtypes: Sequence[Any]) -> list[Any]:
    """Return `values`, rounded to bfloat16 where that is the dtype."""
    return [
        narrow(one) if one is not None and dtype is BFLOAT16 else one for one, dtype in zip(values, dtypes)
    ]


def widely(run: Callable[..., Any], dtypes: Sequence[Any]) -> Callable[..., Any]:
    """Return `run`, the rules of a gradient operator in a Program, in float32 inside; its results are of `dtypes`."""

    @wraps(run)
    def run_wide(*arrays: Any, **attrs: Any) -> Any:
        made = run(*map(wide, arrays), **{name: as_wide(value) for name, value in attrs.items()})
        return in_dtypes(made, dtypes) if isinstance(made, tuple) else in_dtypes([made], dtypes)[0]

    return run_wide


class WidePlan(Plan):
    """A plan that runs its rules in float32, and saves for it the dtype of each input: its gradient is of the same."""

    __slots__ = ()

    def sources_beside(self) -> list[Source]:
        """Return the dtypes of the inputs."""
        return [Source("", "dtype", place) for place in range(self.count)]

    def compiled_run(self) -> Callable[..., Sequence[Any]]:
        """Return the rules compiled into one function, with float32 around it."""
        return partial(self._widely, super().compiled_run())

    def run_some(self, grads: Sequence[Any], saved: tuple[Any, ...], useful: Sequence[bool]) -> Sequence[Any]:
        """Run only the rules of the `useful` inputs."""
        return self._widely(partial(super().run_some, useful=useful), grads, saved)

    def _widely(
        self, run: Callable[..., Sequence[Any]], grads: Sequence[Any], saved: tuple[Any, ...]
    ) -> Sequence[Any]:
        """Run rules on float32, and round each gradient that belongs to bfloat16; Tensors do so themselves."""
        dtypes = saved[len(saved) - self.count :]
        if isinstance(_first(grads), Value) or not (BFLOAT16 in dtypes or is_bfloat16(_first(grads))):
            return run(grads, saved)
        return in_dtypes(run(as_wide(list(grads)), as_wide(saved)), dtypes)


def _first(grads: Sequence[Any]) -> Any:
    return grads[0][0] if type(grads[0]) is list else grads[0]
