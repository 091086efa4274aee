"""Events and values as JSON data, and back. What comes back is checked: a recording may come from anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Set
from math import prod
from typing import Any, get_args

import numpy as np

from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.trace.events import Event, Into, Kind, MadeBy, Read, Scope, Value, ValueKind
from minipaddle.trace.stats import Stats, unknown

PutArray = Callable[[Array], int]
GetArray = Callable[[Any], Array]

_KINDS = frozenset(get_args(Kind))
_VALUE_KINDS = frozenset(get_args(ValueKind))
_INTO = frozenset(get_args(Into))
_MADE_BY = frozenset(get_args(MadeBy))
_MOST_AXES = 32
_DTYPES = {"complex64", "complex128"}.union(
    f"{kind}{bits}"
    for kind, sizes in {
        "bool": [""],
        "int": (8, 16, 32, 64),
        "uint": (8, 16, 32, 64),
        "float": (16, 32, 64),
    }.items()
    for bits in sizes
)


class BadRecording(ValueError):
    """This is no recording, or a damaged one; the message says what is wrong."""


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
    return {
        "name": value.name,
        "kind": value.kind,
        "shape": list(value.shape),
        "dtype": value.dtype,
        "stop_gradient": value.stop_gradient,
        "producer": value.producer,
        "of": value.of,
        "holder": [value.holder, value.version],
        **_set(same=value.same, replaces=value.replaces, seed=value.seed or None),
        "array": array,
        "stats": [_number(getattr(stats, name)) for name in Stats.__slots__],
    }


def encode_event(event: Event, put: PutArray | None) -> dict[str, Any]:
    """Return an event as JSON data; `put` stores an array of its attributes and returns its number (None: none is)."""
    return {
        "kind": event.kind,
        "op": event.op,
        "title": event.title,
        "inputs": event.inputs,
        "outputs": event.outputs,
        "attrs": {name: _attr(value, put) for name, value in event.attrs.items()},
        "where": _line_out(event.where),
        "depth": event.depth,
        "parent": event.parent,
        "pass": event.pass_number,
        "phase": event.phase,
        "origin": event.origin,
        "saved": event.saved,
        "body": event.body,
        "note": event.note,
        "scope": [[scope.number, scope.path, scope.kind] for scope in _around(event.scope)],
        **_set(
            seconds=event.seconds,
            about=event.about,
            before=event.before,
            into=event.into,
            made_by=event.made_by,
            error=event.error or None,
            owner=event.owner or None,
            block=event.block,
            iterations=event.iterations or None,
            parts=event.parts or None,
            part=None if event.part is None else encode_event(event.part, put),
        ),
    }


def encode_read(read: Read) -> list[Any]:
    """Return a read of a tensor's numbers as JSON data."""
    return [read.before_event, read.value, read.how, _line_out(read.where), read.parent]


def _set(**fields: Any) -> dict[str, Any]:
    """Return the fields that say something."""
    return {name: value for name, value in fields.items() if value is not None}


def _line_out(line: Line | None) -> list[Any] | None:
    return None if line is None else [line.file, line.number, line.function, line.text]


def _around(scope: Scope | None) -> list[Scope]:
    """Return the calls of layers around an event, the innermost first."""
    found = []
    while scope is not None:
        found.append(scope)
        scope = scope.outer
    return found


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


def decode_value(data: Any, id_: int, events: int, values: int) -> tuple[Value, int | None]:
    """Return a value, and the number of its array in the file.

    Raises:
        BadRecording: **value N**: what is wrong.
    """
    with _naming(f"value {id_}"):
        shape = _shape(data["shape"])
        value = Value(
            id_,
            _text(data["name"]),
            _one_of(data["kind"], _VALUE_KINDS),
            shape,
            _one_of(data["dtype"], _DTYPES),
            bool(data["stop_gradient"]),
            producer=_index(data["producer"], events),
            of=_index(data["of"], values),
        )
        holder, version = data["holder"]
        value.holder, value.version = _count(holder + 1) - 1, _count(version)
        value.same, value.replaces = _index(data.get("same"), id_), _index(data.get("replaces"), id_)
        value.seed = bool(data.get("seed", False))
        numbers = [float(number) for number in data["stats"]]
        size, low, high, mean, rms, norm, zeros, nans, infs = numbers
        value.keep_stats(Stats(int(size), low, high, mean, rms, norm, int(zeros), int(nans), int(infs)))
        return value, _index(data["array"], 1 << 40)


def decode_event(data: Any, index: int, events: int, values: int, get: GetArray) -> Event:
    """Return an event.

    Raises:
        BadRecording: **event N**: what is wrong.
    """
    with _naming(f"event {index}"):
        body, part = data["body"], data.get("part")
        origin = _index(data["origin"], index)
        return Event(
            index,
            _one_of(data["kind"], _KINDS),
            _text(data["op"]),
            _text(data["title"]),
            [_index(id_, values) for id_ in data["inputs"]],
            [_index(id_, values) for id_ in data["outputs"]],
            _attrs(data["attrs"], get),
            _line(data["where"]),
            _count(data["depth"]),
            _index(data["parent"], index),
            _count(data["pass"]),
            _one_of(data["phase"], frozenset({"forward", "backward"})),
            origin,
            [_sure(_index(id_, values)) for id_ in data["saved"]],
            None if body is None else (_sure(_index(body[0], index)), _sure(_index(body[1], index))),
            _text(data["note"]),
            _scope(data["scope"]),
            _seconds(data.get("seconds")),
            about=_index(data.get("about"), values),
            before=_index(data.get("before"), values),
            into=_one_of(data.get("into"), _INTO | {None}),
            made_by=_one_of(data.get("made_by"), _MADE_BY | {None}),
            error=_text(data.get("error", "")),
            owner=_text(data.get("owner", "")),
            block=_index(data.get("block"), 1 << 40),
            iterations=tuple([_count(number) for number in data.get("iterations", ())]),
            parts=[_parts(ids, values) for ids in data.get("parts", ())],
            part=None if part is None else decode_event(part, _sure(origin), events, values, get),
        )


def decode_read(data: Any, number: int, events: int, values: int) -> Read:
    """Return a read of a tensor's numbers.

    Raises:
        BadRecording: **read N**: what is wrong.
    """
    with _naming(f"read {number}"):
        before, value, how, where, parent = data
        return Read(
            _sure(_index(before, events + 1)),
            _sure(_index(value, values)),
            _text(how),
            _line(where),
            _index(parent, events),
        )


class _naming:
    """Say of any failure in a ``with`` block what it was about."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, (LookupError, TypeError, ValueError, AttributeError, OverflowError)):
            raise BadRecording(f"{self.what}: {type(error).__name__}: {error}") from error


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise TypeError(f"{data!r:.40} is no text")
    return data


def _one_of(data: Any, allowed: Set[str | None]) -> Any:
    if data not in allowed:
        raise ValueError(f"{data!r:.40} is none of {', '.join(sorted(one for one in allowed if one))}")
    return data


def _count(data: Any) -> int:
    if not isinstance(data, int) or data < 0:
        raise ValueError(f"{data!r:.40} is no count")
    return data


def _index(data: Any, limit: int) -> int | None:
    if data is None:
        return None
    if _count(data) >= limit:
        raise IndexError(f"{data} is beyond {limit - 1}")
    return int(data)


def _sure(index: int | None) -> int:
    if index is None:
        raise TypeError("an index is missing")
    return index


def _parts(data: Any, values: int) -> tuple[int, ...] | None:
    return None if data is None else tuple([_sure(_index(id_, values)) for id_ in data])


def _shape(data: Any) -> tuple[int, ...]:
    if len(data) > _MOST_AXES:
        raise ValueError(f"{len(data)} axes")
    return tuple([_count(size) for size in data])


def _scope(data: Any) -> Scope | None:
    scope = None
    for number, path, kind in reversed(data):
        scope = Scope(_count(number), _text(path), _text(kind), scope)
    return scope


def _attrs(data: Any, get: GetArray) -> dict[str, Any]:
    return {_text(name): _attr_back(value, get) for name, value in data.items()}


def _seconds(data: Any) -> float | None:
    """Return a duration, if one was measured."""
    if data is None:
        return None
    if not isinstance(data, (int, float)) or not 0 <= data < math.inf:
        raise ValueError(f"{data!r:.40} is no duration")
    return float(data)


def _line(data: Any) -> Line | None:
    if data is None:
        return None
    line = RecordedLine(_text(data[0]), _count(data[1]), _text(data[2]))
    line.said = _text(data[3])
    return line


def _attr_back(data: Any, get: GetArray) -> Any:
    if not isinstance(data, dict):
        return data
    ((kind, value),) = data.items()
    if kind in ("tuple", "list"):
        items = [_attr_back(item, get) for item in value]
        return tuple(items) if kind == "tuple" else items
    if kind == "array":
        return get(value)
    if kind == "float":
        return float(value)
    if kind == "dtype":
        return np.dtype(_one_of(value, _DTYPES))
    return _text(value)
