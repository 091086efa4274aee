"""Events and values as JSON data, and back. What comes back is checked: a recording may come from anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from typing import Any, get_args

import numpy as np

from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.trace.checked import DEEPEST, count_in, index_in, naming, one_of, sure, text_in
from minipaddle.trace.events import Event, Into, Kind, MadeBy, Scope, Value, ValueKind
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
        **_set(same=value.same, replaces=value.replaces, seed=value.seed or None, stale=value.stale),
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
        "where": line_out(event.where),
        "depth": event.depth,
        "parent": event.parent,
        "pass": event.pass_number,
        "phase": event.phase,
        "origin": event.origin,
        "saved": event.saved,
        "body": event.body,
        "note": event.note,
        "scope": [[scope.number, scope.path, scope.kind, scope.training] for scope in _around(event.scope)],
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
            grad=event.grad and None,
            part=None if event.part is None else encode_event(event.part, put),
        ),
    }


def _set(**fields: Any) -> dict[str, Any]:
    """Return the fields that say something."""
    return {name: value for name, value in fields.items() if value is not None}


def line_out(line: Line | None) -> list[Any] | None:
    """Return a line of the user's as JSON data."""
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


def decode_value(data: Any, id_: int, events: int, values: int, reads: int) -> tuple[Value, int | None]:
    """Return a value, and the number of its array in the file.

    Raises:
        BadRecording: **value N**: what is wrong.
    """
    with naming(f"value {id_}"):
        shape = _shape(data["shape"])
        value = Value(
            id_,
            text_in(data["name"]),
            one_of(data["kind"], _VALUE_KINDS),
            shape,
            one_of(data["dtype"], _DTYPES),
            bool(data["stop_gradient"]),
            producer=index_in(data["producer"], events),
            of=index_in(data["of"], values),
        )
        holder, version = data["holder"]
        value.holder, value.version = count_in(holder + 1) - 1, count_in(version)
        value.same, value.replaces = index_in(data.get("same"), id_), index_in(data.get("replaces"), id_)
        value.seed = bool(data.get("seed", False))
        value.stale = index_in(data.get("stale"), reads)
        numbers = [float(number) for number in data["stats"]]
        size, low, high, mean, rms, norm, zeros, nans, infs = numbers
        value.keep_stats(Stats(int(size), low, high, mean, rms, norm, int(zeros), int(nans), int(infs)))
        return value, index_in(data["array"], 1 << 40)


def decode_event(data: Any, index: int, events: int, values: int, get: GetArray) -> Event:
    """Return an event.

    Raises:
        BadRecording: **event N**: what is wrong.
    """
    with naming(f"event {index}"):
        body, part = data["body"], data.get("part")
        origin = index_in(data["origin"], index)
        return Event(
            index,
            one_of(data["kind"], _KINDS),
            text_in(data["op"]),
            text_in(data["title"]),
            [index_in(id_, values) for id_ in data["inputs"]],
            [index_in(id_, values) for id_ in data["outputs"]],
            _attrs(data["attrs"], get),
            line_in(data["where"]),
            count_in(data["depth"], DEEPEST),
            index_in(data["parent"], index),
            count_in(data["pass"]),
            one_of(data["phase"], frozenset({"forward", "backward"})),
            origin,
            [sure(index_in(id_, values)) for id_ in data["saved"]],
            None if body is None else (sure(index_in(body[0], index)), sure(index_in(body[1], index))),
            text_in(data["note"]),
            _scope(data["scope"]),
            _seconds(data.get("seconds")),
            about=index_in(data.get("about"), values),
            before=index_in(data.get("before"), values),
            into=one_of(data.get("into"), _INTO | {None}),
            made_by=one_of(data.get("made_by"), _MADE_BY | {None}),
            error=text_in(data.get("error", "")),
            owner=text_in(data.get("owner", "")),
            block=index_in(data.get("block"), 1 << 40),
            iterations=tuple([count_in(number) for number in data.get("iterations", ())]),
            parts=[_parts(ids, values) for ids in data.get("parts", ())],
            grad=bool(data.get("grad", True)),
            part=None if part is None else decode_event(part, sure(origin), events, values, get),
        )


def _parts(data: Any, values: int) -> tuple[int, ...] | None:
    return None if data is None else tuple([sure(index_in(id_, values)) for id_ in data])


def _shape(data: Any) -> tuple[int, ...]:
    if len(data) > _MOST_AXES:
        raise ValueError(f"{len(data)} axes")
    return tuple([count_in(size) for size in data])


def _scope(data: Any) -> Scope | None:
    scope = None
    for number, path, kind, training in reversed(data):
        scope = Scope(count_in(number), text_in(path), text_in(kind), scope, bool(training))
    return scope


def _attrs(data: Any, get: GetArray) -> dict[str, Any]:
    return {text_in(name): _attr_back(value, get) for name, value in data.items()}


def _seconds(data: Any) -> float | None:
    """Return a duration, if one was measured."""
    if data is None:
        return None
    if not isinstance(data, (int, float)) or not 0 <= data < math.inf:
        raise ValueError(f"{data!r:.40} is no duration")
    return float(data)


def line_in(data: Any) -> Line | None:
    """Return a line of the user's, as it was then."""
    if data is None:
        return None
    line = RecordedLine(text_in(data[0]), count_in(data[1]), text_in(data[2]))
    line.said = text_in(data[3])
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
        return np.dtype(one_of(value, _DTYPES))
    return text_in(value)
