"""What Variables of a traced function can do besides: be written into, as the Tensors that they stand for."""

from __future__ import annotations

from functools import partial
from inspect import unwrap
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.ops.creation.assign import assign_out
from minipaddle.ops.indexing.index import setitem_inplace
from minipaddle.ops.methods import InplaceMethods
from minipaddle.paddle.static.build.mode import Building, innermost
from minipaddle.paddle.static.program import variable


def _traced() -> bool:
    """Whether the Program that is built now stands for a function of Tensors."""
    mode = innermost()
    return isinstance(mode, Building) and mode.as_eager


@variable.write_at.filled
def write_at(written: Any, index: Any, value: Any) -> bool:
    """Append ``written[index] = value``, and return whether that is possible."""
    if _traced():
        setitem_inplace(written, index, value)
        return True
    return False


@variable.in_place.filled
def in_place(written: Any, name: str) -> Any:
    """Return the method ``written.add_``, or None where there is none."""
    method = getattr(InplaceMethods, name, None) if name.endswith("_") else None
    if method is None or not _traced():
        return method and partial(method, written)

    def write(*args: Any, **options: Any) -> Any:
        result = unwrap(method)(written, *args, **options)
        return current.get().apply_inplace(assign_out, (written, result), {})

    return write
