"""Errors that teach: the fault, the operator, the user's line, and a remedy.

Paddle sorts its errors into categories and maps each to a Python type (InvalidArgument is a ValueError, OutOfRange an
IndexError, and so on). The engine raises those types through :func:`failure`; the operator and the user's line are
added in one place, where an operator is applied (:func:`locate`).
"""

from __future__ import annotations

import functools
import linecache
import opcode
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from minipaddle.engine.extension_point import Point

E = TypeVar("E", bound=Exception)

_CATEGORIES: dict[type[Exception], str] = {
    ValueError: "InvalidArgument",
    TypeError: "InvalidType",
    IndexError: "OutOfRange",
    SystemError: "Fatal",
    OSError: "External",
    NotImplementedError: "Unimplemented",
    RuntimeError: "PreconditionNotMet",
}
_RAISES = opcode.opmap["RAISE_VARARGS"]
_NUMPY = os.path.dirname(np.__file__)
_SCIPY = os.path.join(os.path.dirname(_NUMPY), "scipy")
_PYTHON = sysconfig.get_path("stdlib") + os.sep
_REWORDED_AS: dict[type[Exception], type[Exception]] = {
    **{kind: kind for kind in (IndexError, MemoryError, NotImplementedError, TypeError)},
    AttributeError: TypeError,
    Exception: ValueError,
}
"""Error types of Python and NumPy, with the type of the reworded error: the first match counts."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
ENGINE = (_PACKAGE, "<")
"""Prefixes of the file names of minipaddle's own code, and of code without a file."""
CELL = "<ipython-input-"
"""The prefix of cell names where cells are not files: IPython in a terminal, JupyterLite."""
CELLS: list[Callable[[str], str]] = []
"""Functions that return the name of a notebook cell for its code's file; "" for other files. Filled by notebooks."""


class EnforceNotMet(Exception):
    """Paddle's error for an operation that its engine finds impossible: an integer divided by zero."""


class Line(NamedTuple):
    """A line of the user's code."""

    file: str
    number: int
    function: str

    @property
    def text(self) -> str:
        """The source of the line, stripped; empty when it cannot be read."""
        return linecache.getline(self.file, self.number).strip()

    def __str__(self) -> str:
        return f"{place_in(self.file, self.number)}, in {self.function}"


def failure(kind: type[E], message: str, hint: str = "") -> E:
    """Build an error of Paddle's `kind`: its category, `message`, and a hint at a remedy."""
    category = _CATEGORIES.get(kind)
    text = f"({category}) {message}" if category else message
    return kind(f"{text}\n  [Hint: {hint}]" if hint else text)


def invalid(message: str, hint: str = "") -> ValueError:
    """Build the commonest of these errors: for an argument that does not fit."""
    return failure(ValueError, message, hint)


@functools.lru_cache(maxsize=1024)
def is_engine_file(file: str) -> bool:
    """Return whether `file` is part of minipaddle (or no file at all)."""
    return file.startswith(ENGINE) and not file.startswith(CELL)


def place_in(file: str, number: int) -> str:
    """Return a line of a file, or of a notebook cell, as tracebacks name it."""
    cell = cell_title(file)
    return f"Cell {cell}, line {number}" if cell else f'File "{file}", line {number}'


def file_title(file: str) -> str:
    """Return a short name of a file: its last part, or the name of its notebook cell."""
    return cell_title(file) or os.path.basename(file)


def cell_title(file: str) -> str:
    """Return the name of a notebook cell, ``In[3]``; "" if the file is not a cell."""
    return next(filter(None, (name(file) for name in CELLS)), "")


def defined_at(function: object) -> Line | None:
    """Return the first line of a function, or of an object's ``__call__``; None if not Python."""
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return None if code is None else Line(code.co_filename, code.co_firstlineno, code.co_name)


def user_frame(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame, from `frame` outwards, that is neither the engine's own nor NumPy's."""
    while frame is not None and (is_engine_file(file := frame.f_code.co_filename) or file.startswith(_NUMPY)):
        frame = frame.f_back
    return frame


def user_line() -> Line | None:
    """Return the innermost line on the stack that is not the engine's own, or None."""
    frame = user_frame(sys._getframe(1))
    return Line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) if frame else None


def locate(error: E, operator: str, line: Line | None = None) -> E:
    """Return `error` with the operator's name and the user's line (`line`, or the one running) added, once."""
    if not error.args or "[operator < " in str(error):
        return error
    line = line or user_line()
    place = f"\n  In user code: {line}\n    {line.text}" if line else ""
    error.args = (f"{error.args[0]}{place}\n  [operator < {operator} > error]", *error.args[1:])
    return error


# -- errors that Python or NumPy raised inside the engine, because of a wrong argument -------------------------------
#
# Errors of the engine itself and of the user's code pass unchanged. Others are worded here, once: which
# function, with which arguments, at which line of user code. Public functions are guarded; operators ask `refused`.


def is_raw(error: BaseException) -> bool:
    """Return whether Python or NumPy raised `error` in the middle of the engine's own work."""
    last: TracebackType | None = None
    step = deepest = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        library = file.startswith((_NUMPY, _SCIPY)) or (file.startswith(_PYTHON) and "-packages" not in file)
        if is_engine_file(file) and not file.startswith("<"):
            last = step
        elif not library:
            last = None  # user code, called by the engine
        deepest, step = step, step.tb_next
    if last is None:
        return False
    return last is not deepest or last.tb_frame.f_code.co_code[last.tb_lasti] != _RAISES


def refused(error: Exception, name: str, arguments: Iterable[tuple[str, Any]]) -> Exception:
    """Return the error to raise for an `error` in a call of `name`: a raw one is reworded, with arguments."""
    if isinstance(error, (OSError, RecursionError)) or not is_raw(error):  # not the argument's fault
        return error
    told_as = next(kind for raised, kind in _REWORDED_AS.items() if isinstance(error, raised))
    given = ", ".join(f"{argument}: {described(value)}" for argument, value in arguments)
    message = f"{name}() cannot work with ({given}). {type(error).__name__}: {error}"
    return locate(failure(told_as, message), name)


def described(value: Any) -> str:
    """Return a short description of an argument."""
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and isinstance(shape, (tuple, list)):
        return f"{type(value).__name__} of {dtype} {[*shape]}"
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return f"{value!r:.40}"
    return type(value).__name__


class Annotation(str):
    """An annotation that ``help()`` shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def shown(annotations: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function's annotations as users should see them, who pass Tensors: ``{"x": "Array"}`` reads Tensor."""
    return {
        name: Annotation(re.sub(r"\b(Array|Value)\b", "Tensor", text)) if isinstance(text, str) else text
        for name, text in annotations.items()
    }


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` with an error of Paddle's kind for wrong arguments."""
    name = function.__qualname__.removesuffix(".__init__")
    function.__annotations__ = shown(function.__annotations__)

    @functools.wraps(function)
    def guard(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs) if kwargs else function(*args)
        except Exception as error:
            later = getattr(error, "later", None)
            if isinstance(later, Point):  # it needs a number that only a run of a Program knows
                return later(error, function, args, kwargs)
            told = refused(error, name, _named(function, args, kwargs))
            if told is error:
                raise
            raise told from None

    return guard


GUARD = next(step for step in guarded.__code__.co_consts if isinstance(step, CodeType))
"""The code of every guard: a search for the function that the user called skips it."""


def _named(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the arguments of a call, each with a name or a number."""
    count = function.__code__.co_argcount
    names = [*function.__code__.co_varnames[:count], *map(str, range(count, len(args)))]
    return [*zip(names, args), *kwargs.items()]


def guard_all(namespace: dict[str, Any]) -> None:
    """Guard the public functions of a module (``__all__``, or else all), and its classes' constructors.

    Values are created too often for that; operators check themselves.
    """
    for name in [one for one in namespace.get("__all__", namespace) if one[0] != "_"]:
        value: Any = namespace.get(name)
        if _to_guard(value, value):
            namespace[name] = guarded(value)
        elif isinstance(value, type) and not (
            issubclass(value, BaseException) or hasattr(value, "stop_gradient")
        ):
            kind: Any = next(kind for kind in value.__mro__ if "__init__" in vars(kind))
            if _to_guard(kind, kind.__init__):  # not Enum's, which all enums share
                kind.__init__ = guarded(kind.__init__)


def _to_guard(owner: Any, function: Any) -> bool:
    """Return whether a minipaddle function has no guard."""
    ours = getattr(owner, "__module__", "").startswith(f"{__name__.partition('.')[0]}.")
    return ours and isinstance(function, FunctionType) and function.__code__ is not GUARD
