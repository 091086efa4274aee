"""Compares two recordings: first the operators that only one of them has, then values and gradients."""

import difflib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.words.events import around, blamed, in_iteration, iterations, place, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance
from minipaddle.tools.words.terminal import padded, word

_ALIKE = {
    "matmul_v2": "matmul",
    "mul": "matmul",
    "elementwise_pow": "pow",
    "elementwise_pow_grad": "pow",  # x ** 2 in a Program makes a tensor of the 2
}
"""Two names of one operator: in eager mode and in a Program."""

Kind = Literal["removed", "added", "shape", "value", "gradient"]
_STRUCTURE: tuple[Kind, ...] = ("removed", "added", "shape")


@dataclass
class Difference:
    """One thing that differs between two recordings."""

    kind: Kind
    """``removed`` is in A only, ``added`` in B only."""
    event: Event
    """The event of A, or of B if only B has it."""
    where: str
    said: str
    other: Event | None = None
    """The event of B, where both have one."""

    @property
    def structural(self) -> bool:
        """Whether it is a difference of the graphs, not of numbers."""
        return self.kind in _STRUCTURE


def compare(
    a: Trace, b: Trace, tolerance: float = 1e-5, pass_a: int | None = None, pass_b: int | None = None
) -> list[Difference]:
    """Return the differences of two recordings, or of one backward pass of each, structure first.

    Names need not be the same, operators must.

    Raises NoBackward if there is no such pass.
    """
    both = [
        _in_one_order(trace, list(_computing(trace, number))) for trace, number in ((a, pass_a), (b, pass_b))
    ]
    if not all(any(one.kind == "store" for one in events) for events in both):  # a Program fills no .grad
        both = [[one for one in events if one.kind != "store"] for events in both]
    mine, other = both
    matcher = difflib.SequenceMatcher(None, list(map(_key, mine)), list(map(_key, other)), autojunk=False)
    answer: list[Difference] = []
    seen: set[tuple[int, ...]] = set()
    for tag, i, j, start, end in matcher.get_opcodes():
        if tag == "equal":
            for one, two in zip(mine[i:j], other[start:end]):
                answer += _differences(a, b, one, two, tolerance, seen)
        else:
            answer += [_only(a, event, "removed", "A") for event in mine[i:j] if event.kind != "store"]
            answer += [_only(b, event, "added", "B") for event in other[start:end] if event.kind != "store"]
    answer.sort(key=lambda one: not one.structural)
    return answer


def _computing(trace: Trace, number: int | None) -> Iterator[Event]:
    """Yield the events to compare: those that compute outputs from inputs, and those that store a gradient."""
    of_pass = None if number is None else {node.event for node in mirror(trace, number).nodes.values()}
    for event in trace.events:
        # of a branch or loop, compare the operators inside, in every iteration; of user code, none
        computes = event.kind in ("op", "grad", "update") and event.control not in ("branch", "loop")
        computes = computes or (isinstance(event, Store) and event.into != "program")
        computes = computes and not _begins(event)
        in_blocks_only = all(body.op == "block" for body in around(trace, event))
        if computes and in_blocks_only and (of_pass is None or event.index in of_pass):
            yield event


def _begins(event: Event) -> bool:
    """Return whether an operator takes no tensor: startup Programs make parameters so."""
    return event.kind == "op" and not {*event.inputs} - {None}


def _in_one_order(trace: Trace, events: list[Event]) -> list[Event]:
    """Return the events with updates of parameters in the order of their first use: Programs sort updates by name."""
    first: dict[int, int] = {}
    for event in events:
        for value in trace.known(event.inputs):
            first.setdefault(value.id, len(first))
    ordered: list[Event] = []
    for _, alike in itertools.groupby(events, lambda one: (_key(one), _parameter(trace, one) is None)):
        run = list(alike)
        ordered += sorted(run, key=lambda one: first.get(_parameter(trace, one) or -1, -1))
    return ordered


def _parameter(trace: Trace, event: Event) -> int | None:
    """Return the parameter that an event updates, or whose gradient it processes after backward; else None."""
    value = trace.value(event.inputs[0]) if event.inputs else None
    if value is None or event.kind not in ("update", "op"):
        return None
    return value.id if event.kind == "update" else value.of


def _key(event: Event) -> tuple[str, str]:
    return event.kind, "custom" if event.is_custom else _ALIKE.get(event.op, event.title)


def _only(trace: Trace, event: Event, kind: Kind, which: str) -> Difference:
    made = ", ".join(f"{value.name} {list(value.shape)}" for value in trace.known(event.outputs))
    return Difference(
        kind, event, place(blamed(trace, event)), say("{made} (only in {which})", made=made, which=which)
    )


def _differences(
    a: Trace, b: Trace, one: Event, two: Event, tolerance: float, seen: set[tuple[int, ...]]
) -> Iterator[Difference]:
    """Yield the differences of two events: in inputs from outside, each once, and in outputs."""
    turn = in_iteration(iterations(a, one))
    where = f"{place(blamed(a, one))} | {place(blamed(b, two))}{f', {turn}' if turn else ''}"
    given = [pair for pair in zip(one.inputs, two.inputs) if _given(a, pair[0]) and _given(b, pair[1])]
    if one.kind == "store" and (one.pass_number, one.about, 0) in seen:
        return  # it was different before it was stored
    of_results: Kind = "gradient" if one.kind in ("grad", "store") else "value"
    for left, right in (*given, *zip(one.outputs, two.outputs)):
        if left is None or right is None or (left, right) in seen:
            continue
        seen.add((left, right))
        x, y = a.values[left], b.values[right]
        if x.shape != y.shape and not (one.kind == "update" and x.stats.size == y.stats.size == 1):
            yield Difference("shape", one, where, f"{x.name} {list(x.shape)} | {y.name} {list(y.shape)}", two)
        elif (gap := _gap(x, y)) > tolerance:
            seen.add((one.pass_number, -1 if x.of is None else x.of, 0))
            numbers = f"{x.name} {glance(x)} | {y.name} {glance(y)}"
            said = f"{numbers}  {say('relative difference {gap}', gap=f'{gap:.2g}')}"
            is_given = (left, right) in given
            said = say("given: {what}", what=said) if is_given else said
            yield Difference("value" if is_given else of_results, one, where, said, two)


def _given(trace: Trace, id_: int | None) -> bool:
    """Return whether no recorded operator computed a value: data and parameters."""
    if id_ is None:
        return False
    producer = trace.values[id_].producer
    return producer is None or _begins(trace.events[producer])


def _gap(x: Value, y: Value) -> float:
    """Return the largest difference, relative to the largest absolute value."""
    if x.array is None or y.array is None:
        norms = x.stats.norm, y.stats.norm
        gap = abs(norms[0] - norms[1]) / max(*norms, 1e-12)
        return 0.0 if np.isnan(gap) else gap
    one, two = (np.asarray(value.array, np.complex128).ravel() for value in (x, y))
    if (np.isfinite(one) != np.isfinite(two)).any():
        return float("inf")
    both = np.isfinite(one)
    scale = max(float(np.abs(one[both]).max(initial=0)), float(np.abs(two[both]).max(initial=0)), 1e-12)
    return float(np.abs(one[both] - two[both]).max(initial=0)) / scale


def compare_lines(found: list[Difference]) -> list[str]:
    """Return the answer as text: the first 20 differences, and the count of all."""
    if not found:
        return [say("nothing differs")]
    lines = [
        f"{padded(word(one.kind), 10)} {title(one.event):<18} {one.said}  {one.where}".rstrip()
        for one in found[:20]
    ]
    if len(found) > 20:
        lines.append(say("... and {count} more", count=len(found) - 20))
    return [*lines, _counted(found)]


def _counted(found: list[Difference]) -> str:
    counts = Counter(one.kind for one in found if one.structural)
    numbers = len(found) - counts.total()
    if not counts:
        return say("the structure is the same; values and gradients that differ: {count}", count=numbers)
    parts = (
        say("{count} {role}", count=counts[kind], role=word(kind)) for kind in _STRUCTURE if counts[kind]
    )
    what = say(", ").join(parts)
    return say("structure: {what}; values and gradients that differ: {count}", what=what, count=numbers)


def compare_object(found: list[Difference]) -> dict[str, object]:
    """Return the answer as JSON data."""
    return {
        "diff": [
            {
                "kind": one.kind,
                "op": title(one.event),
                "event": one.event.index,
                "other": None if one.other is None else one.other.index,
                "said": one.said,
                "where": one.where,
            }
            for one in found
        ]
    }
