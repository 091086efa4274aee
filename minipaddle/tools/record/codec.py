"""Recordings as JSON data, and back: both follow from the fields of the dataclasses and their types.

A field is written unless it has its default value, or is :data:`Apart`. Data that is read is checked
against its type: a recording may be untrusted. Read next: :mod:`minipaddle.tools.record.file`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.checked import DEEPEST, count_in, naming, one_of, text_in
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.kinds import KINDS, Event, Grad, Op, Scope
from minipaddle.tools.record.reads_and_cuts import APART, ExitCode, PassNumber

PutArray = Callable[[Array], int]
"""Stores an array of an event's attributes, and returns its number."""
Bounds = dict[str, Any]
"""Upper bounds of indices, by the word in their type (``values``: the number of values, ``earlier``: the index of the
item being read); `get` reads an array."""

_MOST_AXES = 32  # as many as NumPy 1 has
_FLOATS = "float16 float32 float64 complex64 complex128"
_DTYPES = frozenset(f"bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 {_FLOATS}".split())


class RecordedLine(Line):
    """A line of source at the time of recording; the file may have changed since, or be elsewhere."""

    said: str

    @property
    def text(self) -> str:
        """The source of the line, stripped."""
        return self.said


class Form(NamedTuple):
    """How data of a type is read and checked, and written."""

    read: Callable[[Any, Bounds], Any]
    write: Callable[[Any, PutArray | None], Any] = lambda value, put: value


# -- dataclasses --------------------------------------------------------------------------------------------------


def encode(thing: Any, put: PutArray | None = None) -> dict[str, Any]:
    """Return an event, a value or the head of a recording as JSON data; without `put`, arrays of attributes as text."""
    data: dict[str, Any] = {"kind": thing.kind} if isinstance(thing, Event) else {}
    for name, nothing, form in _forms(thing.__class__):
        value = getattr(thing, name)
        if nothing is MISSING or value != nothing:
            data[name] = form.write(value, put)
    return data


def decode_event(data: Any, index: int, bounds: Bounds) -> Event:
    """Return an event. Raises BadRecording: **event N**: the fault."""
    with naming(f"event {index}"):
        kind = KINDS[one_of(data["kind"], KINDS.keys())]
        event = kind(index, **decode(kind, data, {**bounds, "earlier": index}))
        count_in(event.depth, DEEPEST)
        if isinstance(event, Grad) and event.part is not None:
            event.part.index = count_in(event.origin)
        return event


def decode_value(data: Any, id_: int, bounds: Bounds) -> tuple[Value, int | None]:
    """Return a value, and the number of its array in the file. Raises BadRecording: **value N**: the fault."""
    with naming(f"value {id_}"):
        value = Value(id_, **decode(Value, data, {**bounds, "earlier": id_}))
        one_of(value.dtype, _DTYPES)
        count_in(len(value.shape), _MOST_AXES)
        return value, count_in(data["array"]) if "array" in data else None


def decode(kind: type, data: Any, bounds: Bounds) -> dict[str, Any]:
    """Return the decoded fields of an object of class `kind`, by name."""
    return {
        name: form.read(data[name], bounds)
        for name, nothing, form in _forms(kind)
        if nothing is MISSING or name in data
    }


@cache
def _forms(kind: type) -> list[tuple[str, Any, Form]]:
    """Return the name, default value (MISSING if there is none) and form of each field that a file has."""
    types = get_type_hints(kind, include_extras=True)
    kept = [one for one in fields(kind) if APART not in getattr(types[one.name], "__metadata__", ())]
    made = (one.default if one.default_factory is MISSING else one.default_factory() for one in kept)
    return [(one.name, nothing, form_of(types[one.name])) for one, nothing in zip(kept, made)]


# -- types --------------------------------------------------------------------------------------------------------


def form_of(kind: Any) -> Form:
    """Return the form of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _FORMS:
        return _FORMS[kind]
    if origin is Annotated:
        return Form(lambda data, bounds: count_in(data, bounds[parts[1]] - 1))
    if origin is Literal:
        words = frozenset(parts)
        return Form(lambda data, bounds: one_of(data, words))
    if origin in (Union, UnionType):
        read, write = form_of(parts[0])
        return Form(
            lambda data, bounds: None if data is None else read(data, bounds),
            lambda value, put: None if value is None else write(value, put),
        )
    if origin is dict:
        pair = _row(parts, tuple)
        return Form(
            lambda data, bounds: dict([pair.read(one, bounds) for one in data]),
            lambda known, put: [pair.write(one, put) for one in known.items()],
        )
    if hasattr(kind, "_fields"):  # a named tuple
        types = get_type_hints(kind, include_extras=True)
        return _row([*types.values()], kind._make)
    if origin is list or parts[1:] == (...,):
        return _several(origin, parts[0])
    return _row(parts, tuple)


def _several(make: Callable[[list[Any]], Any], kind: Any) -> Form:
    """Return the form of a list; for named tuples, its errors name the item at fault."""
    read, write = form_of(kind)
    name = kind.__name__.lower() if hasattr(kind, "_fields") else ""

    def read_named(data: Any, bounds: Bounds) -> list[Any]:
        found = []
        for number, one in enumerate(data):
            with naming(f"{name} {number}"):
                found.append(read(one, bounds))
        return found

    return Form(
        read_named if name else lambda data, bounds: make([read(one, bounds) for one in data]),
        lambda those, put: [write(one, put) for one in those],
    )


def _row(kinds: Sequence[Any], make: Callable[[list[Any]], Any]) -> Form:
    """Return the form of a list of items that have these types."""
    forms = [*map(form_of, kinds)]
    return Form(
        lambda data, bounds: make([form.read(one, bounds) for form, one in zip(forms, data, strict=True)]),
        lambda row, put: [form.write(one, put) for form, one in zip(forms, row)],
    )


def _line(data: Any, bounds: Bounds) -> Line:
    """Return a line of user code with its text at the time of recording."""
    line = RecordedLine(text_in(data[0]), count_in(data[1]), text_in(data[2]))
    line.said = text_in(data[3])
    return line


def _scope(data: Any, bounds: Bounds) -> Scope | None:
    scope = None
    for number, path, kind, training, inside, *places in reversed(data):
        flags = bool(training), bool(inside)
        scope = Scope(
            count_in(number), text_in(path), text_in(kind), scope, *flags, tuple(map(text_in, places))
        )
    return scope


def _attr_out(value: Any, put: PutArray | None) -> Any:
    """Return an attribute as JSON data; a type that JSON lacks becomes an object of one key."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [_attr_out(item, put) for item in value]}
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return {"text": f"{array.dtype} {list(array.shape)}"} if put is None else {"array": put(array)}
    return {"text": repr(value)}


def _attr(data: Any, bounds: Bounds) -> Any:
    if not isinstance(data, dict):
        return data
    ((kind, value),) = data.items()
    if kind in ("tuple", "list"):
        items = [_attr(item, bounds) for item in value]
        return tuple(items) if kind == "tuple" else items
    if kind == "array":
        return bounds["get"](value)
    if kind == "float":
        return float(value)
    if kind == "dtype":
        return np.dtype(one_of(value, _DTYPES))
    return text_in(value)


_FORMS: dict[Any, Form] = {
    str: Form(lambda data, bounds: text_in(data)),
    int: Form(lambda data, bounds: count_in(data)),
    bool: Form(lambda data, bounds: bool(data)),
    PassNumber: Form(lambda data, bounds: data if count_in(abs(data)) else 0),
    ExitCode: Form(lambda data, bounds: int(data)),
    Line: Form(_line, lambda line, put: [*line, line.text]),
    Scope: Form(
        _scope,
        lambda scope, put: [
            [one.number, one.path, one.kind, one.training, one.inside, *one.places] for one in scope.around()
        ],
    ),
    float: Form(
        lambda data, bounds: float(data),  # of NaN and infinity the text: JSON has neither
        lambda number, put: number if math.isfinite(number) else str(number),
    ),
    dict[str, Any]: Form(
        lambda data, bounds: {text_in(name): _attr(value, bounds) for name, value in data.items()},
        lambda attrs, put: {name: _attr_out(value, put) for name, value in attrs.items()},
    ),
    Op: Form(lambda data, bounds: Op(0, **decode(Op, data, bounds)), encode),
}
