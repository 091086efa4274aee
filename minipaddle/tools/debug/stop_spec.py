"""SPECs: conditions to stop at. ``op:matmul* pass:2 if norm > 10`` is three terms, all of which must hold."""

import operator
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from fnmatch import fnmatchcase, translate

from minipaddle.engine.errors import Line
from minipaddle.tools.debug.cursor import Cursor, NoMove, Place, with_dots
from minipaddle.tools.debug.expressions import Mistake, holds, truth
from minipaddle.tools.explain.writes import cell_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.labels import spellings
from minipaddle.tools.record.reads_and_cuts import Ran
from minipaddle.tools.words.events import around, is_stop, iterations, phase, place, title
from minipaddle.tools.words.language import nearest, say
from minipaddle.tools.words.numbers import all_zero, line_text

TERMS = (
    *("op:", "var:", "layer:", "line:", "block:", "iteration:", "pylayer:", "pass:"),
    *("forward", "backward", "nan", "inf", "zero", "norm>", "if"),
)
_COMPARES = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_COMPARISON = re.compile(r"(norm|rms|max|min|mean|zeros|size)(>=|<=|>|<)(.+)")

Test = Callable[[Cursor, Event], bool]


class BadSpec(NoMove):
    """A SPEC that matches nothing; the message has the reason, and similar names."""


class Spec:
    """The condition of a breakpoint."""

    def __init__(self, text: str, tests: Sequence[Test], places: frozenset[Place] | None = None) -> None:
        self.text = text
        self.tests = tests
        self.places = places
        """The only places at which it can hold; None: any event."""

    def is_at(self, line: Line) -> bool:
        """Return whether a term is about this line, ``22`` or ``line:train.py:22``, whatever the other terms ask."""
        words = (word.removeprefix("line:") for word in self.text.partition(" if ")[0].split())
        return any(fnmatchcase(name, word) for word in words for name in (str(line.number), line_text(line)))

    def holds(self, cursor: Cursor, event: Event | None = None) -> bool:
        """Return whether all terms hold at `event`; None: at the cursor, which may be at a line."""
        place = (event.index, 0) if event else cursor.place
        can_be = not place[1] if self.places is None else place in self.places
        return can_be and all(test(cursor, event or cursor.event) for test in self.tests)


def parse(text: str, cursor: Cursor) -> Spec:
    """Return the parsed SPEC.

    Raises BadSpec: there is no such term, nothing matches, or an expression is wrong.
    """
    text = text.strip()
    terms, _, expression = text.partition("if ") if text.startswith("if ") else text.partition(" if ")
    words = [word for word in re.split(r"\s+(?!#\d)", terms.strip()) if word]
    places = _without_operator(words[0], cursor.trace) if len(words) == 1 else None
    tests = [] if places else [_term(word, cursor.trace) for word in words]
    if expression:
        tests.append(condition(expression.strip(), cursor))
    if not tests and not places:
        raise BadSpec("stop at what? one or more of {terms}", terms=" ".join(TERMS))
    return Spec(text, tests, places)


def _without_operator(word: str, trace: Trace) -> frozenset[Place] | None:
    """Return where a line ran on which no operator did, ``7`` or ``line:train.py:7``; None for any other term."""
    line = word.removeprefix("line:")
    matches = re.compile(translate(line)).match
    if (word == line and not word.isdecimal()) or any(map(matches, _every("line", trace))):
        return None
    names = ((place, (str(ran.line), line_text(Line(*ran[4:7])))) for ran, place in begun(trace))
    return frozenset(place for place, those in names if any(map(matches, those))) or None


def begun(trace: Trace) -> Iterator[tuple[Ran, Place]]:
    """Yield each line that began, with its place."""
    for number, ran in enumerate(trace.lines, 1):
        if "return" not in ran.changed:
            yield ran, (ran.before_event - 1, number)


def written(name: str, cursor: Cursor) -> Spec:
    """Return the SPEC of a watch: it holds wherever the value `name`, or a parameter of that layer, is made anew.

    Raises NoMove if there is no such value.
    """
    known, found = cursor.canonical(name), cursor.find(name)
    if cursor.variable(name) or (found is None and name in cursor.variables.names):
        after = {bisect_left(cursor.stops, moment) for moment in cursor.variables.changes(name)}
        return Spec(name, [lambda cursor, event: bisect_left(cursor.stops, event.index) in after])
    watched = cursor.parameters_in(name) if found is None else [found]
    if not watched:
        raise NoMove(say("there is no {name}", name=name) + cursor.like(name))
    cells = {cell_of(cursor.trace, value) for value in watched}
    parts = (part for event in cursor.trace.events for part in event.parts)
    # to what is made from them: a PyLayer's result
    handed_over = {id_ for part in parts for id_ in part or ()}

    def made(cursor: Cursor, event: Event) -> bool:
        values, variables = cursor.trace.known(event.outputs), cursor.trace.variables
        return any(
            (cell_of(cursor.trace, one) in cells and one.id not in handed_over)
            or known in (*spellings(one.name), *variables.get(one.id, ()))
            for one in values
        )

    return Spec(name, [made])


def _term(word: str, trace: Trace) -> Test:
    kind, colon, rest = word.partition(":")
    if colon and kind in _NAMED:
        if not rest:
            raise BadSpec("{word} needs a name or a number after the colon", word=word)
        return _named(kind, rest, trace)
    if word.isdecimal():
        return _named("line", word, trace)
    if word in ("forward", "backward"):
        return lambda cursor, event: phase(event) == word
    comparison = _COMPARISON.fullmatch(word)
    of_output = _STATES.get(word) if comparison is None else _comparison(*comparison.groups())
    if of_output is None:
        return _unknown(word, trace)
    return lambda cursor, event: any(map(of_output, cursor.trace.known(event.outputs)))


def _unknown(word: str, trace: Trace) -> Test:
    """Return the test for a plain word: the name of an operator or variable, as gdb takes one for a function."""
    for kind in ("op", "var", "layer"):
        with suppress(BadSpec):
            return _named(kind, word, trace)
    hint = nearest(word, [*{*_every("op", trace), *_every("var", trace)}, *TERMS])
    hint = hint or f"; {say('terms are {terms}', terms=' '.join(TERMS))}"
    raise BadSpec(say("no such term: {word}", word=word) + hint)


def _named(kind: str, pattern: str, trace: Trace) -> Test:
    """Return the test for a name. Raises BadSpec unless a name in the recording matches."""
    names_of, every = _NAMED[kind], _every(kind, trace)
    recorded = with_dots(pattern) if kind in ("var", "layer") else pattern  # net.0 for net[0]
    matches = re.compile(translate(recorded)).match
    if not any(map(matches, every)):
        near = _nearest_lines(pattern, every) if kind == "line" else get_close_matches(pattern, every)
        near = near or list(every)[:3]
        there = say("there are {names}", names=", ".join(near)) if near else say("there are none")
        raise BadSpec("nothing matches {kind}:{pattern}; {there}", kind=kind, pattern=pattern, there=there)
    return lambda cursor, event: any(map(matches, names_of(cursor.trace, event)))


def _nearest_lines(pattern: str, every: Iterable[str]) -> list[str]:
    """Return the line numbers nearest to the given one; none if it is not a number."""
    wanted = pattern.rpartition(":")[2]
    numbers = {name.rpartition(":")[2] for name in every}
    if not wanted.isdigit():
        return []
    return sorted(numbers, key=lambda name: abs(int(name) - int(wanted)))[:3]


def _comparison(what: str, sign: str, number: str) -> Callable[[Value], bool]:
    try:
        limit = float(number)
    except ValueError:
        raise BadSpec("{number} is no number", number=repr(number)) from None
    return lambda value: bool(_COMPARES[sign](value.stat(what), limit))


def condition(text: str, cursor: Cursor) -> Test:
    """Return the test for an expression, after trying it at the cursor and at the end, where every name has a value.

    It does not hold where it has no meaning (a name without a value yet).
    """
    for event in (cursor.event, cursor.trace.events[cursor.stops[-1]]):
        try:
            truth(cursor, event, text)
        except Mistake as error:
            if error.is_final or not cursor.expressions[text].names:
                raise BadSpec(str(error)) from error

    return lambda cursor, event: holds(cursor, event, text)


def _variable_names(trace: Trace, event: Event) -> Iterator[str]:
    """Yield the names of the values that an event makes, and for a gradient also of the value it belongs to."""
    for value in trace.known(event.outputs):
        yield from (*spellings(value.name), *trace.variables.get(value.id, ()))
        if value.kind == "gradient" and value.of is not None:
            variables = trace.variables.get(value.of, ())
            yield from (*spellings(trace.values[value.of].name), *variables)
            yield from (f"{name}@GRAD" for name in variables)


def _layers(trace: Trace, event: Event) -> Iterator[str]:
    """Yield the layers that an event ran in, or whose gradient it computes."""
    ran = trace.events[event.origin] if event.kind == "grad" and event.origin is not None else event
    for scope in ran.scope.around() if ran.scope is not None else ():
        yield from scope.names


def _lines(trace: Trace, event: Event) -> Iterator[str]:
    origin = event if event.origin is None or event.kind == "leave" else trace.events[event.origin]
    if origin.where is not None and is_stop(event):
        yield place(origin)
        yield str(origin.where.number)


def _blocks(trace: Trace, event: Event) -> Iterator[str]:
    if is_stop(event) and event.parent is None:
        yield "0"
    for body in around(trace, event):
        if body.block is not None:
            yield str(body.block)


_OWN_CODE = ("forward", "backward", "block", "function")


def _py_layers(trace: Trace, event: Event) -> Iterator[str]:
    if event.is_custom or (event.kind == "enter" and event.op in _OWN_CODE):
        yield event.title
    yield from (body.title for body in around(trace, event) if body.op in _OWN_CODE)


_NAMED: dict[str, Callable[[Trace, Event], Iterable[str]]] = {
    "op": lambda trace, event: (title(event), event.title, event.op) if is_stop(event) else (),
    "var": _variable_names,
    "layer": _layers,
    "line": _lines,
    "block": _blocks,
    "iteration": lambda trace, event: map(str, iterations(trace, event)[-1:] if is_stop(event) else ()),
    "pylayer": _py_layers,
    "pass": lambda trace, event: [str(trace.pass_of(event))],
}


def names_of_terms(trace: Trace, beginning: str = "") -> Iterator[str]:
    """Yield ``op:matmul``, ``line:14`` and so on: the names that a term with this beginning can ask for."""
    kind, colon, _ = beginning.partition(":")
    yield from (f"{kind}:{name}" for name in (_every(kind, trace) if colon and kind in _NAMED else ()))


def _every(kind: str, trace: Trace) -> dict[str, None]:
    """Return all names of a kind, in the order of the events."""
    return dict.fromkeys(name for event in trace.events for name in _NAMED[kind](trace, event))


_STATES: dict[str, Callable[[Value], bool]] = {
    "nan": lambda value: value.stats.nans > 0,
    "inf": lambda value: value.stats.infs > 0,
    "zero": lambda value: all_zero(value.stats),
}
