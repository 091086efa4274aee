"""Expressions at the prompt: Python over the values of the recording, as NumPy arrays."""

import re
from collections.abc import Callable, Collection
from operator import methodcaller
from typing import Any

import numpy as np

from minipaddle.tools.debug.cursor import Cursor, NoMove
from minipaddle.tools.debug.variables import literal
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.expressions import BadExpression, Expression
from minipaddle.tools.words.language import reason, say

_NAME = re.compile(r"(?:[^\W\d]|\d+\.[^\W\d])[\w.]*(?: #\d+(?:\.grad)?)?(?:@GRAD)?")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_NUMPY = re.compile(r"\bnp\.(?:\w+\(\s*[^)\s]|(?:inf|nan|pi|e|linalg|newaxis|float32|float64|int32|int64)\b)")
"""Matches a use of NumPy, not of an array called np: a call of a function with an argument, or a constant."""


class Mistake(NoMove):
    """An expression that cannot be evaluated; the message has the expression and the reason."""

    def __init__(self, text: str, is_final: bool) -> None:
        super().__init__(text)
        self.is_final = is_final
        """Whether the expression fails at every event of the recording."""


def evaluate(cursor: Cursor, text: str) -> Value | Any:
    """Return the value named `text`, or the result of the expression `text`.

    Raises Mistake if it fails; the message has the expression and the reason.
    """
    name = text.strip()
    if meant := cursor.variable(name):
        read = meant if isinstance(meant, Value) else literal(meant)
        # of a text, what Python writes: it is safe to show
        return meant if isinstance(read, (str, type(...))) else read
    value = cursor.find(name)
    try:
        return _result(cursor, cursor.event, text, names_first=True) if value is None else value
    except Mistake:
        if not cursor.parameters_in(name):
            raise
        raise Mistake(say("there is no {name}", name=name) + cursor.like(name), is_final=True) from None


def truth(cursor: Cursor, event: Event, text: str) -> bool:
    """Return whether an expression is true at `event`; ``g``, ``x``, ``out``, ``norm`` ... are the event's.

    Raises Mistake if it cannot be evaluated.
    """
    found = _result(cursor, event, text, names_first=False)
    try:
        return bool(found)
    except ValueError as error:
        said = say("the condition has many truth values: .any() or .all()")
        changes = {*_OF_EVENT} & {*_read(cursor, text).names}  # from event to event, as may its size
        raise Mistake(f"{text}: {said}", is_final=not changes) from error


def holds(cursor: Cursor, event: Event, text: str) -> bool:
    """Return whether an expression is true at `event`, like :func:`truth`; False if it cannot be evaluated."""
    expression = _read(cursor, text)
    try:
        return bool(expression.evaluate(_meanings(cursor, event, text, expression.names, names_first=False)))
    except Exception:  # the reason is not shown here: finding it takes longer than the rest
        return False


def namespace(cursor: Cursor) -> dict[str, Any]:
    """Return the arrays of all values at the cursor, by name as a Python identifier, and ``np``."""
    there = {_identifier(name): cursor.made(name) for name in cursor.names}
    arrays = {name: value.array for name, value in there.items() if value is not None}
    return {"np": np, **{name: array for name, array in arrays.items() if array is not None}}


def _identifier(name: str) -> str:
    """Return a value's name as a Python identifier: ``W__GRAD`` for ``W@GRAD``, ``W__grad`` for ``W.grad``."""
    return re.sub(r"^(?=\d)", "_", re.sub(r"\W", "__", name))


def _named(names: Collection[str], identifier: str) -> str | None:
    """Return the name with this identifier; None if there is none."""
    if identifier in names or "__" not in identifier:
        return identifier if identifier in names else None
    return next((name for name in names if _identifier(name) == identifier), None)


def _spelled(cursor: Cursor, text: str) -> str:
    """Return an expression with its value names replaced by Python identifiers."""
    names = {*cursor.names, *cursor.variables.names}

    def spell(match: re.Match[str]) -> str:
        whole = match.group()
        ends = [len(whole), *(found.start() for found in re.finditer(r"[.@ ]", whole))]
        known = (end for end in sorted(ends, reverse=True) if cursor.canonical(whole[:end]) in names)
        end = next(known, 0)
        if whole[end:].endswith(".grad") or " #" in whole[end:]:  # the name of no value, not an attribute
            return _identifier(whole)
        return _identifier(cursor.canonical(whole[:end])) + whole[end:].replace("@GRAD", "__GRAD")

    pieces = _QUOTED.split(text)  # text in quotes is every second piece
    return "".join(piece if place % 2 else _NAME.sub(spell, piece) for place, piece in enumerate(pieces))


def _read(cursor: Cursor, text: str) -> Expression:
    """Return a compiled expression, once for each text. Raises Mistake if it is not valid Python."""
    known = cursor.expressions.get(text)
    if known is None:
        try:
            known = cursor.expressions[text] = Expression(_spelled(cursor, text))
        except BadExpression as error:
            raise Mistake(f"{text}: {error.kind}: {reason(error)}", is_final=True) from error
    return known


def _result(cursor: Cursor, event: Event, text: str, names_first: bool) -> Any:
    expression = _read(cursor, text)
    try:
        return expression.evaluate(_meanings(cursor, event, text, expression.names, names_first))
    except NameError as error:
        raise _unknown_name(cursor, text, error.name or "") from error
    except Exception as error:
        raise Mistake(f"{text}: {type(error).__name__}: {error}", is_final=False) from error


def _meanings(
    cursor: Cursor, event: Event, text: str, names: tuple[str, ...], names_first: bool
) -> dict[str, Any]:
    """Return the meanings of an expression's names at `event`, for those that have one.

    With `names_first` the user's names take precedence, and include values that are made later.
    """
    found = {}
    for name in names:  # np is NumPy, unless a value is called so
        asked: tuple[Callable[[Cursor, Event, str], Any], ...] = (_python, _latest, _of_event, _first_after)
        if name == "np" and (not names_first or _NUMPY.search(text)):
            asked = (_python,)
        elif not names_first:  # at a line there is no event whose g, x or out could be meant
            is_of_event = name in _OF_EVENT and cursor.at_line is None
            asked = (_of_event, _latest) if is_of_event else (_python, _latest)
        meanings = (ask(cursor, event, name) for ask in asked)
        meaning = next((one for one in meanings if one is not ...), np if name == "np" else ...)
        if meaning is not ...:
            found[name] = meaning
    return found


def _python(cursor: Cursor, event: Event, identifier: str) -> Any:
    """Return what a variable of Python's means at `event`; Ellipsis if nothing, or nothing that is kept whole."""
    name = _named(cursor.variables.names, identifier) or ""
    meant = cursor.variable(name, None if event is cursor.event else event)
    return _array(meant) if isinstance(meant, Value) else literal(meant)


def _latest(cursor: Cursor, event: Event, name: str) -> Any:
    """Return the numbers of the latest value with this name at `event`."""
    return _array(cursor.made(_named(cursor.names, name) or "", event.index))


def _first_after(cursor: Cursor, event: Event, name: str) -> Any:
    """Return the numbers of the first value with this name after `event`."""
    return _array(cursor.find(_named(cursor.names, name) or "", event.index))


def _of_event(cursor: Cursor, event: Event, name: str) -> Any:
    """Return ``g`` (the incoming gradient), ``x`` (the first input), ``out``, or a statistic of ``out``."""
    those = cursor.trace.known(_IDS.get(name, _IDS["out"])(cursor, event) if name in _OF_EVENT else ())
    return ... if not those else _ABOUT.get(name, _array)(those[0])


def _array(value: Value | None) -> Any:
    return ... if value is None or value.array is None else value.array


def _forward_inputs(cursor: Cursor, event: Event) -> list[int | None]:
    return [] if event.origin is None else cursor.trace.events[event.origin].inputs


_IDS: dict[str, Callable[[Cursor, Event], list[int | None]]] = {
    "out": lambda cursor, event: event.outputs,
    "x": lambda cursor, event: event.inputs if event.kind != "grad" else _forward_inputs(cursor, event),
    "g": lambda cursor, event: event.inputs if event.phase == "backward" else [],
}
_ABOUT: dict[str, Callable[[Value], Any]] = {
    **{name: methodcaller("stat", name) for name in ("norm", "rms", "max", "min")},
    "mean": lambda value: value.stats.mean,
    "has_nan": lambda value: value.stats.nans > 0,
    "has_inf": lambda value: value.stats.infs > 0,
}
_OF_EVENT = (*_ABOUT, *_IDS)


def _unknown_name(cursor: Cursor, text: str, name: str) -> Mistake:
    """Return the mistake about a name without a meaning; final if it has none anywhere in the recording."""
    meant = _named(cursor.names, name)
    if (meant is not None and cursor.made(meant) is not None) or cursor.variable(name):
        said = say("the numbers of {name} are not known", name=meant or name)
    else:
        here = sorted(one for one in cursor.names if one.isidentifier() and cursor.made(one) is not None)
        words = ((word, one) for word in _NAME.findall(text) for one in (word, cursor.canonical(word)))
        written = next((word for word, one in words if _identifier(one) == name), name)
        unknown = say("name '{name}' is not defined", name=written)
        said = f"{unknown}; " + say("values here: {names}", names=", ".join(here[:12]))
    known = *_OF_EVENT, *map(_identifier, cursor.variables.names)
    return Mistake(f"{text}: {said}", is_final=meant is None and name not in known)
