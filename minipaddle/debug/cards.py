"""How an event looks in the terminal, and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from minipaddle.debug.session import Session
from minipaddle.debug.why import why
from minipaddle.trace.events import Event, Value
from minipaddle.viz.glyphs import Glyphs
from minipaddle.viz.text import look, shape_text, sparkline

__all__ = ["card", "event_object", "place", "value_object", "why_lines"]

_SMALL = 16
"""Elements up to which a value is shown whole."""


def place(event: Event) -> str:
    """``train.py:12``, or nothing."""
    return f"{os.path.basename(event.where.file)}:{event.where.number}" if event.where else ""


def _title(event: Event) -> str:
    words = {
        "op": event.title,
        "grad": f"{event.title}_grad",
        "accumulate": "accumulate",
        "store": f"{event.title}.grad",
        "enter": f"into {event.title}.{event.op}" if event.op != "hook" else f"into hook {event.title}",
        "update": f"{event.title} (optimizer)",
        "error": f"raised {event.title}",
    }
    return words[event.kind]


def card(session: Session, glyphs: Glyphs) -> Iterator[str]:
    """Yield the lines that show the event under the cursor."""
    event = session.event
    head = f"{glyphs.top}{session.position}/{len(session.stops) - 1}  {'  ' * event.depth}{_title(event)}"
    line = place(event) + (f"  {event.where.text}" if event.where and event.where.text else "")
    yield f"{head}    {event.phase}    {line}".rstrip()
    for label, ids in (("in", event.inputs), ("out", event.outputs)):
        for value in session.values(ids):
            yield f"{glyphs.side}{label:<4}{_value_line(value, glyphs)}"
            label = ""
    if event.note:
        yield f"{glyphs.side}{event.note}"
    following = session.stops[session.position + 1] if not session.at_end else None
    after = "the end" if following is None else _title(session.trace.events[following])
    yield f"{glyphs.bottom}next: {after}"


def _value_line(value: Value, glyphs: Glyphs) -> str:
    parts = [value.name, shape_text(value), look(value)]
    if value.array is not None:
        parts.append(sparkline(value.array, glyphs.bars))
    if value.kind in ("data", "result") and value.stop_gradient:
        parts.append("(no gradient)")
    return "  ".join(filter(None, parts))


def why_lines(session: Session) -> Iterator[str]:
    """Yield the answer to ``why``."""
    answer = why(session)
    for label, lines in (("rule", answer.rule), ("numbers", answer.numbers), ("", answer.says)):
        for line in lines:
            yield f"{label:<9}{line}" if label else line
            label = " " if label else ""


def value_object(value: Value) -> dict[str, Any]:
    """Return a value as JSON data; the numbers only if they are few."""
    stats = value.stats
    result: dict[str, Any] = {
        "name": value.name,
        "shape": list(value.shape),
        "dtype": value.dtype,
        "stats": {
            key: _json_number(getattr(stats, key))
            for key in ("min", "max", "mean", "rms", "norm", "zeros", "nans", "infs")
        },
    }
    if value.array is not None and value.array.size <= _SMALL and value.array.dtype.kind in "biuf":
        result["data"] = _json_data(value.array.tolist())
    return result


def _json_data(data: Any) -> Any:
    return [_json_data(item) for item in data] if isinstance(data, list) else _json_number(data)


def _json_number(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become text."""
    return value if not isinstance(value, float) or value - value == 0 else str(value)


def event_object(session: Session) -> dict[str, Any]:
    """Return the event under the cursor as JSON data (schema: docs/debugger.md)."""
    event = session.event
    answer = why(session)
    return {
        "i": session.position,
        "kind": {"grad": "grad_op"}.get(event.kind, event.kind),
        "op": _title(event),
        "type": event.op,
        "phase": event.phase,
        "pass": event.pass_number,
        "depth": event.depth,
        "src": [os.path.basename(event.where.file), event.where.number] if event.where else None,
        "in": [value_object(value) for value in session.values(event.inputs)],
        "out": [value_object(value) for value in session.values(event.outputs)],
        "rule": answer.rule,
        "numbers": answer.numbers,
        "says": answer.says,
        "hits": [],
    }
