"""An editor's breakpoints as the session's: each is set with all the places of the recording at which it holds."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import eq, ge, gt, le, lt
from typing import Any

from minipaddle.tools.checks.nan import hunt
from minipaddle.tools.debug.cursor import NoMove, Place
from minipaddle.tools.debug.dap.wire import Body
from minipaddle.tools.debug.expressions import holds
from minipaddle.tools.debug.session import Session
from minipaddle.tools.debug.stop_spec import Spec, begun, condition, parse, written
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import Raised
from minipaddle.tools.words.events import blamed, is_stop
from minipaddle.tools.words.language import phrase

_SIGNS: dict[str, Any] = {">=": ge, ">": gt, "<=": le, "<": lt, "%": lambda hit, wanted: hit % wanted == 0}
"""What an editor writes before a number of hits, other than nothing or ==."""
EXCEPTIONS = {"nan": phrase("NaN is born"), "inf": phrase("Inf is born"), "error": phrase("an error")}
"""Their kinds, with the labels."""


def set_breakpoints(session: Session, kind: str, args: Body) -> Body:
    """Set all breakpoints of a kind (and file) anew; return what became of each: its line, or why it cannot be.

    Kinds are the reasons of stops: ``breakpoint`` (at a line), ``function breakpoint`` (``Net.forward``, a layer,
    an operator), ``data breakpoint`` (what is written or gets a gradient) and ``exception``.
    """
    file = os.path.realpath(args["source"]["path"]) if kind == "breakpoint" else ""
    there = session.breakpoints
    for number in [number for number, one in there.items() if (one.kind, one.file) == (kind, file)]:
        del there[number]
    if kind == "exception":
        filters = ({"filterId": name} for name in args.get("filters") or ())
        args = {"breakpoints": [*filters, *(args.get("filterOptions") or ())]}
    answers = list[Body]()
    for one in args["breakpoints"]:
        find = partial(_spec, kind=kind, file=file, asked=one)
        try:
            made = session.stop_at(find, kind, str(one.get("logMessage") or ""), file)
        except NoMove as error:
            answers.append({"verified": False, "message": str(error)})
            continue
        line = {"line": int(made.spec.text.rpartition(":")[2])} if file else {}
        answers.append({"verified": True, "id": made.number, **line})
    return {"breakpoints": answers}


def _spec(session: Session, kind: str, file: str, asked: Body) -> Spec:
    """Return the condition of a breakpoint. Raises NoMove if it can never hold."""
    here = session.place
    if kind == "breakpoint":
        line, places = _at_line(session.trace, file, int(asked["line"]))
        name = f"line:{os.path.basename(file)}:{line}"
    else:
        key, find = _FINDING[kind]
        places = find(session, name := str(asked[key]))
    if text := str(asked.get("condition") or ""):
        condition(text, session)
        places = [place for place in places if holds(session, session.go_to(place), text)]
        session.go_to(here)
    count = re.fullmatch(r"\s*(==|>=|>|<=|<|%|)\s*([1-9]\d{0,8})\s*", asked.get("hitCondition") or ">=1")
    if count is None:
        raise NoMove("hits are counted as 5, >= 5, == 5 or % 5")
    is_wanted, number = _SIGNS.get(count[1], eq), int(count[2])
    hits = enumerate(sorted(places), 1)
    return Spec(name, (), frozenset(place for hit, place in hits if is_wanted(hit, number)))


def _at_line(trace: Trace, path: str, wanted: int) -> tuple[int, list[Place]]:
    """Return the line, or the next one that ran, and the places there: before it runs, and at its gradients.

    Raises NoMove if none ran.
    """
    files = {path, *(file for file in trace.sources if os.path.realpath(file) == path)}
    places = [(ran.line, place) for ran, place in begun(trace) if ran.file in files]
    stops = groupby(filter(is_stop, trace.events), lambda event: (blamed(trace, event).where, event.parent))
    has_lines = bool(places)
    for (where, _), (event, *_) in stops:
        if where and where.file in files and (event.origin is not None or not has_lines):
            places.append((where.number, (event.index, 0)))
    line = min((number for number, _ in places if number >= wanted), default=0)
    if not line:
        raise NoMove("nothing that was recorded comes from line {line} or from below it", line=wanted)
    return line, [place for number, place in places if number == line]


def _function(session: Session, name: str) -> list[Place]:
    """Return where each call of a function or layer begins, or each event of an operator or SPEC.

    Raises BadSpec if there is none.
    """
    ran = [(ran, place) for ran, place in begun(session.trace) if f".{ran.function}".endswith(f".{name}")]
    calls = {line.frame: place for line, place in reversed(ran)}
    layers = [(events[0].index, 0) for events in session.in_layer(name).values()]
    return [*calls.values()] or layers or _holding(session, parse(name, session))


def _data(session: Session, name: str) -> list[Place]:
    """Return where a value is written or made anew, and where it gets its gradient. Raises NoMove if it is unknown."""
    places = {*_holding(session, written(name, session))}
    with suppress(NoMove):
        places.update(_holding(session, written(f"{name}.grad", session)))
    return [*places]


def _holding(session: Session, spec: Spec) -> list[Place]:
    return [(index, 0) for index in session.stops if spec.holds(session, session.trace.events[index])]


def _exception(session: Session, name: str) -> list[Place]:
    if name not in EXCEPTIONS:
        raise NoMove("exceptions are {names}", names=", ".join(EXCEPTIONS))
    return [(index, 0) for index, (kind, _) in exceptions(session).items() if kind == name]


def exceptions(session: Session) -> dict[int, tuple[str, str]]:
    """Return where something goes wrong, by event: its kind, and a sentence."""
    births, events = hunt(session.trace, infinite_too=True).births, session.trace.events
    raised = {one.index: ("error", one.note) for one in events if isinstance(one, Raised)}
    return raised | {one.event.index: (one.what.lower(), one.note) for one in births}


_FINDING: dict[str, tuple[str, Callable[[Session, str], list[Place]]]] = {
    "function breakpoint": ("name", _function),
    "data breakpoint": ("dataId", _data),
    "exception": ("filterId", _exception),
}
