"""The expressions that users give: Python over arrays, with a few functions and without imports.

The prompt (``print EXPRESSION``), breakpoints (``break if EXPRESSION``) and the colours of pictures
(``py:EXPRESSION``) read them here; what the names in one mean, each of them says. This keeps slips out, not enemies:
NumPy can write files.
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

_DUNDER = re.compile(r"\b__\w*__\b")


def _import_numpy(name: str, *rest: Any) -> Any:
    """Import parts of NumPy, which does so when some methods of arrays are first called."""
    if name.partition(".")[0] != "numpy":
        raise ImportError(f"an expression imports nothing: {name}")
    return __import__(name, *rest)


_OF_PYTHON = "abs all any bool enumerate float int len list map max min range round sorted sum tuple zip"
_OF_MATH = "sqrt log log10 exp isfinite"
_BUILTINS = {
    **{name: getattr(builtins, name) for name in _OF_PYTHON.split()},
    **{name: getattr(math, name) for name in _OF_MATH.split()},
    "__import__": _import_numpy,
}


class BadExpression(ValueError):
    """This is no expression; the message says why, and `kind` what Python calls that."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Expression:
    """An expression that was read: it can be evaluated many times.

    Example::

        >>> Expression("abs(g) > 2").evaluate({"g": -3})
        True

    Raises:
        BadExpression: if `text` is none.
    """

    def __init__(self, text: str) -> None:
        if _DUNDER.search(text):
            raise BadExpression("names like __this__ are not for expressions", "SyntaxError")
        try:
            self._code = compile(text, "<expression>", "eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise BadExpression(str(error), type(error).__name__) from error
        called = {name for name in _BUILTINS if re.search(rf"\b{name}\s*\(", text)}
        self.names = tuple(name for name in dict.fromkeys(_names_of(self._code)) if name not in called)
        """The names whose meaning it needs; functions that it has by itself are none."""

    def evaluate(self, meaning: dict[str, Any]) -> Any:
        """Return what it gives where names have this `meaning`, which it takes; errors in it are raised as they are."""
        meaning["__builtins__"] = _BUILTINS
        return eval(self._code, meaning)


def _names_of(code: CodeType) -> Iterator[str]:
    """Yield the names that code looks up outside of itself, in comprehensions too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)
