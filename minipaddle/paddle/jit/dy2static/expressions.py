"""Expressions of rewritten functions: calls, builtins, ``x.shape``, ``and``, ``or``, ``a < b < c`` and ``assert``."""

from __future__ import annotations

import builtins
import inspect
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from minipaddle.engine.errors import is_engine_file
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.logic.compare import logical_and, logical_not, logical_or
from minipaddle.ops.views.shape_operators import shape
from minipaddle.paddle.jit.dy2static.state import seen, truth
from minipaddle.paddle.jit.rewriting.rewrite import rewritten
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.static.control_flow.assertion import assert_true
from minipaddle.paddle.static.custom.print import Print
from minipaddle.paddle.static.program import Variable

LIBRARIES = (sysconfig.get_path("stdlib"), np.__path__[0])
"""Folders of functions that are not rewritten."""


def call(function: Any) -> Any:
    """Return the function to call for `function`: user code is rewritten, and a forward that runs user's Layers."""
    known = BUILTINS.get(function) if isinstance(function, (type, BuiltinFunctionType)) else None
    if known is not None:
        return known
    if isinstance(function, FunctionType):
        return _rewritten(function) if is_users(function) else function
    if isinstance(function, MethodType):
        owner, written = function.__self__, function.__func__
        inside = owner.sublayers() if isinstance(owner, Layer) and function.__name__ == "forward" else []
        if isinstance(written, FunctionType) and any(is_users(type(one).forward) for one in inside):
            return MethodType(_rewritten(written), owner)
        return MethodType(call(written), owner)
    if isinstance(function, partial):
        return partial(call(function.func), *function.args, **function.keywords)
    own = None if isinstance(function, type) or not callable(function) else type(function).__call__
    if isinstance(own, FunctionType) and (isinstance(function, Layer) or is_users(own)):
        return MethodType(_rewritten(own), function)
    return function


def _rewritten(function: FunctionType) -> FunctionType:
    return rewritten(function, sys.modules[__package__])


def is_users(function: Any) -> bool:
    """Return whether to rewrite a function: user code, or a wrapper around user code."""
    inner = inspect.unwrap(function)
    file = inner.__code__.co_filename if isinstance(inner, FunctionType) else "<"
    ours = (getattr(inner, "__module__", None) or "").partition(".")[0] == __name__.partition(".")[0]
    if is_engine_file(file) and (ours or not file.startswith("<")):
        return False
    return not file.startswith(LIBRARIES) or "-packages" in file


# -- builtins ---------------------------------------------------------------------------------------------------------


def as_number(dtype: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``int``, ``float`` or ``bool`` for Variables, too, which are cast."""

    def number(*args: Any, **options: Any) -> Any:
        value = seen(args[0]) if len(args) == 1 else None
        return cast(value, dtype) if isinstance(value, Variable) else plain(*args, **options)

    return number


def as_len(items: Any) -> Any:
    """Return the number of items; if only a run knows the number of rows, a Variable.

    Raises:
        TypeError: for a Variable without axes.
    """
    items = seen(items)
    if not isinstance(items, Variable):
        return len(items)
    if not items.shape:
        raise TypeError("len() of a 0-D tensor is wrong")
    return shape_of(items)[0]


def as_print(*values: Any, **options: Any) -> None:
    """Print: other values now, while tracing; a Variable whenever the Program runs."""
    words: list[str] = []
    for value in map(seen, values):
        if isinstance(value, Variable):
            Print(value, message=" ".join(words) or None)
            words = []
        else:
            words.append(str(value))
    if len(words) == len(values):
        SAY(*values, **options)


SAY = builtins.print
BUILTINS: dict[Any, Any] = {
    builtins.len: as_len,
    builtins.print: as_print,
    builtins.int: as_number("int32", int),
    builtins.float: as_number("float32", float),
    builtins.bool: as_number("bool", bool),
}


def shape_of(value: Any) -> Any:
    """Return ``value.shape``; sizes of a Variable that only a run knows are Variables."""
    value = seen(value)
    if not isinstance(value, Variable) or min(value.shape, default=0) >= 0:
        return value.shape
    sizes = shape(value)
    return [sizes[axis] if size < 0 else size for axis, size in enumerate(value.shape)]


# -- and, or, not, comparisons, assert ------------------------------------------------------------------------------


def joined(*values: Callable[[], Any], stops_at: bool) -> Any:
    """Return ``a and b and ...``, or for `stops_at` true ``a or b or ...``; for Variables the truth value.

    It does as Python does up to the first Variable, which needs all that follow.
    """
    join = logical_or if stops_at else logical_and
    so_far: Any = None
    for later in values:
        value = seen(later())
        if isinstance(so_far, Variable) and isinstance(value, Variable):
            so_far = join(truth(so_far), truth(value))
        elif not isinstance(so_far, Variable) or bool(value) is stops_at:
            so_far = value
        if not isinstance(so_far, Variable) and bool(so_far) is stops_at:
            break
    return so_far


def opposite(value: Any) -> Any:
    """Return ``not value``."""
    value = seen(value)
    return logical_not(truth(value)) if isinstance(value, Variable) else not value


def check(condition: Any, message: Callable[[], Any] | None = None) -> None:
    """Check ``assert condition, message()``: now, or when the Program runs.

    Raises:
        AssertionError: if the condition is no Variable, and false.
    """
    condition = seen(condition)
    if isinstance(condition, Variable):
        said = None if message is None else message()
        assert_true(truth(condition), message="" if said is None or isinstance(said, Variable) else str(said))
    elif not condition:
        raise AssertionError(*([] if message is None else [message()]))
