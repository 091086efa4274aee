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

__all__ = [
    "card",
    "event_object",
    "headline",
    "place",
    "source",
    "title",
    "value_object",
    "why_lines",
    "why_object",
]

_SMALL = 16
"""Elements up to which a value is shown whole."""


def place(event: Event) -> str:
    """``train.py:12``, or nothing."""
    return f"{os.path.basename(event.where.file)}:{event.where.number}" if event.where else ""


def source(session: Session, event: Event) -> Event:
    """Return the event whose line is to blame: of a gradient, the forward one."""
    return event if event.origin is None else session.trace.events[event.origin]


def title(event: Event) -> str:
    """What to call an event: ``matmul``, ``matmul_grad``, ``W.grad``, ``into cus_tanh.backward``."""
    words = {
        "op": event.title,
        "grad": f"{event.title}_grad",
        "accumulate": "accumulate",
        "store": f"{event.title}.grad",
        "enter": f"into {event.title}.{event.op}" if event.op != "hook" else f"into hook {event.title}",
        "update": f"{event.title} (update)",
        "error": f"raised {event.title}",
    }
    return words[event.kind]


def headline(session: Session, position: int, width: int = 0) -> str:
    """``12/15  add_grad    backward    from  h = x @ W + b    cus.py:22``."""
    event = session.trace.events[session.stops[position]]
    origin = source(session, event)
    text = origin.where.text if origin.where else ""
    phase = event.phase if event.kind != "update" else ""
    line = f"from  {text}" if text and event.kind == "grad" else text
    number = f"{position:>{width}}/{len(session.stops) - 1}  {'  ' * event.depth}"
    return "    ".join(filter(None, (number + title(event), phase, line, place(origin))))


def card(session: Session, glyphs: Glyphs) -> Iterator[str]:
    """Yield the lines that show the event under the cursor."""
    event = session.event
    yield glyphs.top + headline(session, session.position)
    for label, ids in (("in", event.inputs), ("out", event.outputs)):
        for value in session.values(ids):
            yield f"{glyphs.side}{label:<4}{_value_line(value, glyphs)}"
            label = ""
    if event.note:
        yield from (f"{glyphs.side}{line}" for line in event.note.splitlines())
    following = session.stops[session.position + 1] if not session.at_end else None
    after = "the end" if following is None else title(session.trace.events[following])
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


def why_object(session: Session) -> dict[str, list[str]]:
    """Return the answer to ``why`` as JSON data."""
    answer = why(session)
    return {"rule": answer.rule, "numbers": answer.numbers, "says": answer.says}


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
    return {
        "i": session.position,
        "kind": {"grad": "grad_op"}.get(event.kind, event.kind),
        "op": title(event),
        "type": event.op,
        "phase": event.phase,
        "pass": event.pass_number,
        "depth": event.depth,
        "src": _line_object(source(session, event)),
        "at": _line_object(event),
        "in": [value_object(value) for value in session.values(event.inputs)],
        "out": [value_object(value) for value in session.values(event.outputs)],
        "note": event.note,
        **why_object(session),
    }


def _line_object(event: Event) -> list[str | int] | None:
    return [os.path.basename(event.where.file), event.where.number] if event.where else None
