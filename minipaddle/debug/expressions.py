"""Expressions at the prompt: Python over the values of the recording, as NumPy arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np

from minipaddle.debug.session import NoMove, Session
from minipaddle.trace.events import Event, Value
from minipaddle.words.language import say

_NAME = re.compile(r"(?:[^\W\d]|\d+\.[^\W\d])[\w.]*(?:@GRAD)?")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_NUMPY = re.compile(r"\bnp\.(?:\w+\(\s*[^)\s]|(?:inf|nan|pi|e|linalg|newaxis|float32|float64|int32|int64)\b)")
"""What NumPy has and an array called np has not: a function of something, a constant."""
_ALLOWED = (
    abs,
    all,
    any,
    bool,
    enumerate,
    float,
    int,
    len,
    list,
    map,
    max,
    min,
    range,
    round,
    sorted,
    sum,
    tuple,
    zip,
)


def _import(name: str, *rest: Any) -> Any:
    """Import parts of NumPy, which does so when some methods of arrays are first called."""
    if name.partition(".")[0] != "numpy":
        raise ImportError(f"an expression imports nothing: {name}")
    return __import__(name, *rest)


_BUILTINS: dict[str, Any] = {**{function.__name__: function for function in _ALLOWED}, "__import__": _import}


class Mistake(NoMove):
    """An expression that cannot be evaluated; the message says which, and why."""

    def __init__(self, text: str, is_final: bool) -> None:
        super().__init__(text)
        self.is_final = is_final
        """Whether it can be evaluated nowhere in the recording."""


def evaluate(session: Session, text: str) -> Value | Any:
    """Return the value called `text`, or what the expression `text` gives.

    Raises:
        Mistake: if it fails; the message names the expression and what is wrong with it.
    """
    value = session.find(text)
    if value is not None:
        return value
    return _run(session, session.event, text, names_first=True)


def compiled(text: str) -> CodeType:
    """Compile an expression as it stands, to see whether it is one.

    Raises:
        Mistake: if it is none.
    """
    try:
        pieces = _QUOTED.split(text)
        spelled = (one if at % 2 else one.replace("@GRAD", "__GRAD") for at, one in enumerate(pieces))
        return compile("".join(spelled), "<expression>", "eval")
    except (SyntaxError, ValueError) as error:
        raise Mistake(f"{text}: {type(error).__name__}: {error}", is_final=True) from error


def truth(session: Session, event: Event, text: str) -> bool:
    """Say whether an expression holds at `event`, where ``g``, ``x``, ``out``, ``norm`` and so on are its own.

    Raises:
        Mistake: if it cannot be said.
    """
    found = _run(session, event, text, names_first=False)
    try:
        return bool(found)
    except ValueError as error:
        raise Mistake(f"{text}: {error}", is_final=False) from error


def holds(session: Session, event: Event, text: str) -> bool:
    """Say whether an expression holds at `event`, as :func:`truth` does; where it cannot be said, it does not."""
    code, space = _prepared_at(session, event, text, names_first=False)
    try:
        return bool(eval(code, space))
    except Exception:  # why, nobody asks at every event: to find that out takes longer than all the rest
        return False


def uses_names(session: Session, text: str) -> bool:
    """Say whether an expression depends on where it is evaluated."""
    return bool(_prepared(session, text)[1])


def namespace(session: Session) -> dict[str, Any]:
    """Return every value there is at the cursor under its name, as far as that is a Python name, and ``np``."""
    there = {_identifier(name): session.made(name) for name in session.names}
    arrays = {name: value.array for name, value in there.items() if value is not None}
    return {"np": np, **{name: array for name, array in arrays.items() if array is not None}}


def _identifier(name: str) -> str:
    """``W@GRAD`` and ``W.grad`` are no Python names: within an expression they become W__GRAD and W__grad."""
    return re.sub(r"\W", "__", name)


def _spelled(session: Session, text: str) -> str:
    """Write the names of values in an expression so that they are Python names."""
    known = set(session.names)

    def spell(match: re.Match[str]) -> str:
        whole = match.group()
        ends = [len(whole), *(found.start() for found in re.finditer(r"[.@]", whole[::1]))]
        for end in sorted(ends, reverse=True):
            if whole[:end] in known:
                return _identifier(whole[:end]) + whole[end:]
        return whole

    pieces = _QUOTED.split(text)  # text in quotes is every second piece
    return "".join(piece if place % 2 else _NAME.sub(spell, piece) for place, piece in enumerate(pieces))


def _as_written(text: str) -> str:
    """Write a name as the user does: W__GRAD is ours."""
    return re.sub(r"__(?=grad\b)", ".", text.replace("__GRAD", "@GRAD"))


def _prepared(session: Session, text: str) -> tuple[CodeType, tuple[str, ...]]:
    """Compile an expression once for a session; return it with the names whose meaning it needs."""
    known = session.expressions.get(text)
    if known is None:
        spelled = _spelled(session, text)
        code = compiled(spelled)
        functions = {name for name in _BUILTINS if re.search(rf"\b{name}\s*\(", spelled)}
        names = tuple(name for name in dict.fromkeys(_names_of(code)) if name not in functions)
        known = session.expressions[text] = (code, names)
    return known


def _prepared_at(
    session: Session, event: Event, text: str, names_first: bool
) -> tuple[CodeType, dict[str, Any]]:
    """Return an expression compiled, and what the names in it mean at `event`."""
    code, names = _prepared(session, text)
    space: dict[str, Any] = {"__builtins__": _BUILTINS}
    for name in names:
        is_numpy = name == "np" and _NUMPY.search(text) is not None
        found = np if is_numpy else _look_up(session, event, name, names_first)
        if found is not None:
            space[name] = found
    return code, space


def _run(session: Session, event: Event, text: str, names_first: bool) -> Any:
    code, space = _prepared_at(session, event, text, names_first)
    try:
        return eval(code, space)
    except NameError as error:
        raise Mistake(_unknown_name(session, text, error), is_final=_is_nowhere(session, error)) from error
    except Exception as error:
        said = _as_written(str(error))
        raise Mistake(f"{text}: {type(error).__name__}: {said}", is_final=False) from error


def _names_of(code: CodeType) -> Iterator[str]:
    """Yield the global names that code uses, in comprehensions too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)


def _look_up(session: Session, event: Event, name: str, names_first: bool) -> Any:
    """Return what a name means at `event`: a value of the user's, something of the event, or NumPy.

    With `names_first` a value that is made only later is meant, too, if there is none yet.
    """
    if names_first:
        found = _named(session, event, name)
        found = _of_event(session, event, name) if found is None else found
        found = _named(session, event, name, later=True) if found is None else found
        return np if found is None and name == "np" else found
    if name == "np":
        return np
    found = _of_event(session, event, name)
    return _named(session, event, name) if found is None else found


def _named(session: Session, event: Event, name: str, later: bool = False) -> Any:
    seek = session.find if later else session.made
    value = seek(name, event.index)
    if value is None and "__" in name:
        spelled = next((one for one in session.names if _identifier(one) == name), None)
        value = seek(spelled, event.index) if spelled else None
    return None if value is None else value.array


def _of_event(session: Session, event: Event, name: str) -> Any:
    """Return ``g`` (the gradient that comes in), ``x`` (the first input), ``out``, or a number about ``out``."""
    ask = _ABOUT.get(name)
    if ask is not None:
        out = next(iter(session.trace.known(event.outputs)), None)
        return None if out is None else ask(out)
    ids = _IDS.get(name)
    value = None if ids is None else next(iter(session.trace.known(ids(session, event))), None)
    return None if value is None else value.array


def _forward_inputs(session: Session, event: Event) -> list[int | None]:
    return [] if event.origin is None else session.trace.events[event.origin].inputs


_IDS: dict[str, Callable[[Session, Event], list[int | None]]] = {
    "out": lambda session, event: event.outputs,
    "x": lambda session, event: event.inputs if event.kind != "grad" else _forward_inputs(session, event),
    "g": lambda session, event: event.inputs if event.phase == "backward" else [],
}
_ABOUT: dict[str, Callable[[Value], Any]] = {
    "norm": lambda value: value.stat("norm"),
    "rms": lambda value: value.stat("rms"),
    "max": lambda value: value.stat("max"),
    "min": lambda value: value.stat("min"),
    "mean": lambda value: value.stats.mean,
    "has_nan": lambda value: value.stats.nans > 0,
    "has_inf": lambda value: value.stats.infs > 0,
}


def _unknown_name(session: Session, text: str, error: NameError) -> str:
    meant = next((name for name in session.names if _identifier(name) == error.name), None)
    if meant is not None and session.made(meant) is not None:
        return f"{text}: " + say("the numbers of {name} are not known", name=meant)
    here = [name for name in session.names if name.isidentifier() and session.made(name) is not None]
    unknown = say("name '{name}' is not defined", name=_as_written(error.name or ""))
    return f"{text}: {unknown}; " + say("values here: {names}", names=", ".join(sorted(here)[:12]))


def _is_nowhere(session: Session, error: NameError) -> bool:
    name = error.name or ""
    return name not in _ABOUT and name not in _IDS and name not in {_identifier(n) for n in session.names}
