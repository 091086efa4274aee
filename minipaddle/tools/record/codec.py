"""Recordings as JSON data, and back: what may stand in a field, its type says.

What comes back is checked by that: a recording may come from anywhere. Read next: :mod:`minipaddle.tools.record.file`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields
from functools import cache
from math import prod
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.checked import DEEPEST, count_in, index_in, naming, one_of, text_in
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.reads_and_cuts import PassNumber
from minipaddle.tools.record.scope import Scope
from minipaddle.tools.record.stats import Stats, unknown

PutArray = Callable[[Array], int]
Bounds = dict[str, Any]
"""Below what numbers stay, by the word that their type has (``values``: there are so many); `get` reads an array."""
Reader = Callable[[Any, Bounds], Any]

_OF_A_VALUE = "name kind shape dtype stop_gradient producer of same replaces seed"
_OF_THE_HEAD = "script notes cut_off threads unused bound bindings reads cuts trained groups"
_KEYS = {"pass_number": "pass"}
"""Fields that have another name in the file."""
_PLAIN = frozenset((type(None), bool, int, float, str, list, tuple))
"""What JSON has, too."""
_MOST_AXES = 32
_FLOATS = "float16 float32 float64 complex64 complex128"
_DTYPES = frozenset(f"bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 {_FLOATS}".split())


class RecordedLine(Line):
    """A line of source as it was when the run was recorded; the file may have changed since, or be elsewhere."""

    said: str

    @property
    def text(self) -> str:
        """The source of the line, stripped."""
        return self.said


# -- out ----------------------------------------------------------------------------------------------------------


def encode_value(value: Value, array: int | None, statistics: bool = True) -> dict[str, Any]:
    """Return a value as JSON data; `array` is the number of its array in the file."""
    stats = value.stats if statistics else unknown(prod(value.shape))
    numbers = [_number(getattr(stats, name)) for name in Stats.__slots__]
    holder = [value.holder, value.version]
    return {**_written(value, _OF_A_VALUE), "holder": holder, "array": array, "stats": numbers}


def encode_event(event: Event, put: PutArray | None) -> dict[str, Any]:
    """Return an event as JSON data; `put` stores an array of its attributes and returns its number (None: none is)."""
    data = _written(event)
    data["scope"] = data["scope"] or []
    data["attrs"] = {name: _attr(value, put) for name, value in event.attrs.items()}
    if event.part is not None:
        data["part"] = encode_event(event.part, put)
    return data


def encode_head(trace: Trace) -> dict[str, Any]:
    """Return what a recording says besides its events and values."""
    beside = {
        name: [[*map(_plain, one)] for one in getattr(trace, name)] for name in ("bindings", "reads", "cuts")
    }
    return {**_written(trace, _OF_THE_HEAD), **beside, "exit_code": trace.exit_code}


def _written(thing: Any, names: str = "") -> dict[str, Any]:
    """Return the fields of a thing, those with these names; keyword-only ones that say nothing are left out."""
    data = {}
    for name, key, nothing, _ in _fields(thing.__class__, names):
        value = getattr(thing, name)
        if nothing is MISSING or value != nothing:
            data[key] = _plain(value)
    return data


def _plain(value: Any) -> Any:
    """Return the value of a field as JSON has it."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Line):
        return [*value, value.text]
    if isinstance(value, Scope):
        return [[one.number, one.path, one.kind, one.training] for one in value.around()]
    return [*value.items()] if isinstance(value, dict) else value


def _number(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become text."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _attr(value: Any, put: PutArray | None) -> Any:
    """Return an attribute as JSON data; what JSON has not is an object of one key."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [_attr(item, put) for item in value]}
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return {"text": f"{array.dtype} {list(array.shape)}"} if put is None else {"array": put(array)}
    return {"text": repr(value)}


# -- in -----------------------------------------------------------------------------------------------------------


def bounds_of(events: int, values: int, reads: int, get: Callable[[Any], Array]) -> Bounds:
    """Return the bounds in a recording of so many; `earlier` is set to the number of what is read."""
    return {"events": events, "moments": events + 1, "values": values, "reads": reads, "get": get}


def decode_value(data: Any, id_: int, bounds: Bounds) -> tuple[Value, int | None]:
    """Return a value, and the number of its array in the file.

    Raises:
        BadRecording: **value N**: what is wrong.
    """
    with naming(f"value {id_}"):
        value = Value(id_, **_read(Value, data, {**bounds, "earlier": id_}, _OF_A_VALUE))
        one_of(value.dtype, _DTYPES)
        count_in(len(value.shape), _MOST_AXES)
        holder, version = data["holder"]
        value.holder, value.version = count_in(holder + 1) - 1, count_in(version)
        size, low, high, mean, rms, norm, zeros, nans, infs = map(float, data["stats"])
        value.kept_stats = Stats(int(size), low, high, mean, rms, norm, int(zeros), int(nans), int(infs))
        return value, None if data["array"] is None else count_in(data["array"])


def decode_event(data: Any, index: int, bounds: Bounds) -> Event:
    """Return an event.

    Raises:
        BadRecording: **event N**: what is wrong.
    """
    with naming(f"event {index}"):
        event = Event(index, **_read(Event, data, {**bounds, "earlier": index}))
        count_in(event.depth, DEEPEST)
        if event.part is not None:
            event.part.index = count_in(event.origin)
        return event


def decode_head(data: Any, bounds: Bounds) -> Trace:
    """Return a recording without its events and values.

    Raises:
        BadRecording: **recording.json**: what is wrong.
    """
    with naming("recording.json"):
        return Trace(
            **_read(
                Trace,
                {"cut_off": "", "groups": [], "threads": [], "bindings": [], **data},
                bounds,
                _OF_THE_HEAD,
            ),
            exit_code=int(data["exit_code"]),
        )


def _read(kind: type, data: Any, bounds: Bounds, names: str = "") -> dict[str, Any]:
    """Return the fields of a thing of this kind, by name."""
    return {
        name: read(data[key], bounds)
        for name, key, nothing, read in _fields(kind, names)
        if nothing is MISSING or key in data
    }


@cache
def _fields(kind: type, names: str = "") -> list[tuple[str, str, Any, Reader]]:
    """Return the fields with these names, else all but the index: name, key in the file, nothing, who reads it."""
    types = get_type_hints(kind, include_extras=True)
    return [
        (one.name, _KEYS.get(one.name, one.name), _nothing(one), reader_of(types[one.name]))
        for one in fields(kind)
        if (one.name in names.split() if names else one.name != "index")
    ]


def _nothing(one: Field[Any]) -> Any:
    """Return what a keyword-only field holds if nothing is said; others are always there."""
    made = one.default if one.default_factory is MISSING else one.default_factory()
    return made if one.kw_only else MISSING


def reader_of(kind: Any) -> Reader:
    """Return what reads, and checks, data of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _READERS:
        return _READERS[kind]
    if origin is Annotated:
        return lambda data, bounds: index_in(data, bounds[parts[1]])
    if origin is Literal:
        words = frozenset(parts)
        return lambda data, bounds: one_of(data, words)
    if origin in (Union, UnionType):
        there = reader_of(parts[0])
        return lambda data, bounds: None if data is None else there(data, bounds)
    if origin is dict:
        pair = _row(parts, tuple)
        return lambda data, bounds: dict([pair(one, bounds) for one in data])
    if hasattr(kind, "_fields"):
        return _row(get_type_hints(kind, include_extras=True).values(), kind._make)
    if origin is list and hasattr(parts[0], "_fields"):
        return _rows(parts[0])
    if origin is list or parts[1:] == (...,):
        item = reader_of(parts[0])
        return lambda data, bounds: origin([item(one, bounds) for one in data])
    return _row(parts, tuple)


def _row(kinds: Iterable[Any], make: Callable[[list[Any]], Any]) -> Reader:
    """Return what reads a list of items that have these types."""
    items = [*map(reader_of, kinds)]
    return lambda data, bounds: make([read(one, bounds) for read, one in zip(items, data, strict=True)])


def _rows(kind: Any) -> Reader:
    """Return what reads a list of named tuples, and says which of them is wrong."""
    read = reader_of(kind)

    def rows(data: Any, bounds: Bounds) -> list[Any]:
        found = []
        for number, one in enumerate(data):
            with naming(f"{kind.__name__.lower()} {number}"):
                found.append(read(one, bounds))
        return found

    return rows


def _seconds(data: Any, bounds: Bounds) -> float:
    if not isinstance(data, (int, float)) or not 0 <= data < math.inf:
        raise ValueError(f"{data!r:.40} is no duration")
    return float(data)


def _pass_number(data: Any, bounds: Bounds) -> int:
    return data if count_in(abs(data)) else 0


def _line(data: Any, bounds: Bounds) -> Line:
    """Return a line of the user's, as it was then."""
    line = RecordedLine(text_in(data[0]), count_in(data[1]), text_in(data[2]))
    line.said = text_in(data[3])
    return line


def _scope(data: Any, bounds: Bounds) -> Scope | None:
    scope = None
    for number, path, kind, training in reversed(data):
        scope = Scope(count_in(number), text_in(path), text_in(kind), scope, bool(training))
    return scope


def _attrs(data: Any, bounds: Bounds) -> dict[str, Any]:
    return {text_in(name): _attr_back(value, bounds) for name, value in data.items()}


def _attr_back(data: Any, bounds: Bounds) -> Any:
    if not isinstance(data, dict):
        return data
    ((kind, value),) = data.items()
    if kind in ("tuple", "list"):
        items = [_attr_back(item, bounds) for item in value]
        return tuple(items) if kind == "tuple" else items
    if kind == "array":
        return bounds["get"](value)
    if kind == "float":
        return float(value)
    if kind == "dtype":
        return np.dtype(one_of(value, _DTYPES))
    return text_in(value)


_READERS: dict[Any, Reader] = {
    str: lambda data, bounds: text_in(data),
    int: lambda data, bounds: count_in(data),
    PassNumber: _pass_number,
    bool: lambda data, bounds: bool(data),
    float: _seconds,
    Line: _line,
    Scope: _scope,
    dict[str, Any]: _attrs,
    Event: lambda data, bounds: Event(0, **_read(Event, data, bounds)),
}
