"""The event under the cursor, as lines for the terminal and as JSON."""

import re
from collections.abc import Iterator
from typing import Any

from rich.cells import cell_len

from minipaddle.engine.errors import Line, file_title
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.line_stops import says
from minipaddle.tools.debug.session import Session
from minipaddle.tools.explain.autopsy.missing import why_unused
from minipaddle.tools.explain.formula import Why
from minipaddle.tools.explain.paths import explain_paths, path_object
from minipaddle.tools.explain.terms import explain_element
from minipaddle.tools.explain.why import why
from minipaddle.tools.explain.why_of_value import explain_value
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.events import blamed, in_iteration, iterations, phase, place, title
from minipaddle.tools.words.json import value_object
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import cut_cells, glance, line_text, shape_text, spaced
from minipaddle.tools.words.terminal import Symbols, padded, word

_SHORTEST = 4
"""Fewest cells that a shortened line of source keeps: a letter or two, and the ellipsis."""


def headline(session: Session, position: int, width: int = 0, room: int = 0, ellipsis: str = "...") -> str:
    """Return ``12/15  add_grad    backward    from  h = x @ W + b    cus.py:22``; the source is cut to fit `room`."""
    event = session.trace.events[session.stops[position]]
    origin = blamed(session.trace, event)
    text = origin.where.text if origin.where else ""
    when = word(phase(event))
    line = f"{word('from')}  {text}" if text and event.kind == "grad" else text
    number = f"{position:>{width}}/{len(session.stops) - 1}  {'  ' * event.depth}"
    iteration = spoken(in_iteration(iterations(session.trace, event)))
    parts = [number + title(event), when, iteration, line, place(origin)]
    too_long = cell_len("    ".join(filter(None, parts))) - room
    if room and too_long > 0:
        parts[3] = cut_cells(line, max(cell_len(line) - too_long, _SHORTEST), ellipsis)
    return "    ".join(filter(None, parts))


def card(session: Session, symbols: Symbols) -> Iterator[str]:
    """Yield the lines that show the event under the cursor."""
    event, at_event = session.event, session.at_line is None
    line = "    ".join([say("line"), session.text_of(session.where), line_text(session.where)])
    yield symbols.top + (headline(session, session.position) if at_event else line)
    labels = word("in"), word("out")
    margin = max(map(cell_len, labels)) + 1
    for label, ids in zip(labels, (event.inputs, event.outputs)):
        for value in session.trace.known(ids if at_event else ()):
            yield f"{symbols.side}{padded(label, margin)}{_value_line(value, event)}"
            label = ""
    notes = map(say, event.note.splitlines()) if at_event else says(session, symbols.arrow)
    yield from (f"{symbols.side}{line}" for line in notes)
    yield from (f"{symbols.side}{hit.kind} {hit.number}: {hit.spec.text}" for hit in session.hits)
    yield from (f"{symbols.side}{line}" for _, line in display_lines(session))
    following = session.stops[session.ahead] if not session.at_end else None
    after = say("the end") if following is None else title(session.trace.events[following])
    yield symbols.bottom + say("{before}: {after}", before=say("next"), after=after)


def _value_line(value: Value, event: Event) -> str:
    in_forward = event.kind == "op" and event.phase == "forward"  # other events rarely have one
    no_gradient = in_forward and value.kind in ("data", "result") and value.stop_gradient
    return spaced(value.name, shape_text(value), glance(value), say("(no gradient)") if no_gradient else "")


def display_lines(session: Session) -> Iterator[tuple[str, str]]:
    """Yield each displayed expression, and the line to show for it, at every stop."""
    for text in session.displays:
        try:
            found = evaluate(session, text)
        except NoMove as error:
            yield text, f"{text}: {error}"
            continue
        plain = "" if isinstance(found, Value) else f"{text} = {' '.join(str(found).split())}"
        yield text, plain or spaced(f"{text} =", shape_text(found), glance(found))


ELEMENT = re.compile(r"(?P<name>.+?)\s*\[(?P<spot>\s*-?\d+\s*(,\s*-?\d+\s*)*)\]")
"""``Wh.grad[0, 1]``"""


def why_element(session: Session, gradient: Value, spot: str) -> Why:
    """Return the answer that shows one element of a gradient as a sum of terms.

    Raises NoMove if there is none at this place, or its numbers were not kept.
    """
    try:
        return explain_element(session.trace, gradient, tuple(map(int, spot.split(","))))
    except (IndexError, ValueError) as error:
        raise NoMove(str(error)) from None


def _gradient(session: Session, name: str) -> Value | None:
    """Return the gradient of that name, or of the leaf of that name."""
    of = session.find(name)
    label = name if of is None else of.name
    values = (session.find(one) for one in (name, f"{label}.grad", f"{label}@GRAD"))
    return next((value for value in values if value is not None and value.kind == "gradient"), None)


def why_name(session: Session, name: str) -> Why:
    """Return the explanation of the value with this name; for a leaf, its gradient's explanation comes first.

    One element of a gradient (``w.grad[0, 1]``) is explained as a sum of terms; with ``--paths`` behind it, a gradient
    as a sum over paths. Raises NoMove if no value has this name.
    """
    if name.endswith(PATHS):
        return why_paths(session, name.removesuffix(PATHS).strip())
    value = session.find(name)
    if value is None and name.endswith(".grad"):  # a leaf without gradient
        leaf = session.find(name.removesuffix(".grad"))
        value = leaf if leaf is not None and leaf.producer is None else None
    number = session.trace.pass_around(session.event)
    if value is not None:
        return explain_value(session.trace, value, number)
    element = ELEMENT.fullmatch(name)
    if element is not None and (gradient := _gradient(session, element["name"])) is not None:
        return why_element(session, gradient, element["spot"])
    for unused in session.trace.unused:
        if name == unused or name.endswith(f".{unused}"):
            return Why(says=[why_unused(session.trace, unused)])
    if parameters := session.parameters_in(name):
        return Why(says=[explain_value(session.trace, one, number).says[0] for one in parameters])
    raise NoMove(say("there is no {name}", name=name) + session.like(name))


PATHS = "--paths"
"""Behind the name of a gradient: write it as a sum over paths."""


def why_paths(session: Session, name: str) -> Why:
    """Return one element of a gradient, named or the largest, as the sum over all paths from the loss.

    Raises NoMove if there is no such gradient or element, or its paths cannot be counted.
    """
    element = ELEMENT.fullmatch(name)
    name, spot = (element["name"], tuple(map(int, element["spot"].split(",")))) if element else (name, None)
    gradient = _gradient(session, name)
    if gradient is None:
        raise NoMove(say("there is no gradient of {name}", name=name) + session.like(name))
    try:
        return explain_paths(session.trace, gradient, spot)
    except (Missing, IndexError) as error:
        raise NoMove(str(error)) from None


def why_lines(session: Session, found: Why | None = None) -> Iterator[str]:
    """Yield the answer to ``why``; `found`: the answer to ``why NAME``, whose first sentence comes first."""
    answer = found or why(session.trace, session.event)
    if found is not None:
        yield from answer.says[:1]
        answer = Why(answer.rule, answer.numbers, answer.says[1:])
    for label, lines in (("rule", answer.rule), ("numbers", answer.numbers), ("", answer.says)):
        for line in lines:
            yield f"{padded(word(label), 9)}{line}" if label else line
            label = " " if label else ""


def why_object(session: Session, found: Why | None = None) -> dict[str, Any]:
    """Return the answer to ``why``, or the answer `found` to ``why NAME``, as JSON data."""
    answer = found or why(session.trace, session.event)
    paths = {"paths": [path_object(path) for path in answer.paths]} if answer.paths else {}
    return {"rule": answer.rule, "numbers": answer.numbers, "says": answer.says, **paths}


def event_object(session: Session) -> dict[str, Any]:
    """Return the event under the cursor as JSON data (schema: docs/debugger.md)."""
    event, hits = session.event, [hit.number for hit in session.hits]
    if session.at_line is not None:
        shows = {"says": [*says(session, "->")], "display": dict(display_lines(session))}
        return {"i": session.position, "kind": "line", "src": src_of(session.where), "hits": hits, **shows}
    return {
        "i": session.position,
        "kind": {"grad": "grad_op"}.get(event.kind, event.kind),
        "op": title(event),
        "type": event.op,
        "phase": phase(event) or None,
        "pass": session.trace.pass_of(event),
        "depth": event.depth,
        "iteration": iterations(session.trace, event),
        "src": src_of(blamed(session.trace, event).where),
        "at": src_of(event.where),
        "in": [value_object(value) for value in session.trace.known(event.inputs)],
        "out": [value_object(value) for value in session.trace.known(event.outputs)],
        "note": event.note,
        "hits": hits,
        "display": dict(display_lines(session)),
        **why_object(session),
    }


def src_of(where: Line | None) -> list[str | int] | None:
    """Return a line as JSON data."""
    return [file_title(where.file), where.number] if where else None
