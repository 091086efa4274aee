"""Gradient flow: the size of the gradient at each step of backward, and the steps that lose it."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from minipaddle.tools.checks.training.mistakes import mistakes_of
from minipaddle.tools.checks.training.steps import (
    Mistake,
    mistakes_object,
    more_like,
    passes_before_update,
    steps_of,
)
from minipaddle.tools.explain.autopsy.missing import why_unused
from minipaddle.tools.explain.autopsy.one_pass import way_to
from minipaddle.tools.explain.autopsy.verdict import HIGH, LOW, Autopsies, Autopsy
from minipaddle.tools.explain.rule import hook_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import around, blamed, in_iteration, iterations, place, stop_numbers, title
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import not_finite
from minipaddle.tools.words.terminal import table_lines, word

_WELL = (
    *("ok", "not taken", "not asked", "unknown", "not trained", "other step"),
    *("by algebra", "at first", "learned"),
)
_BY_SIZE = ("dead", "vanishing", "exploding")


@dataclass
class FlowRow:
    """The gradient that one event computed for one input."""

    name: str
    """The value that the gradient belongs to."""
    verdict: str
    """``ok``, ``vanishing``, ``exploding``, ``dead`` (all zero), ``NaN``, ``frozen``, ``unused``, ``without gradient``
    (used, and cut off), ``broken off`` (an error ended the pass before this row), ``not asked`` (not an input of the
    paddle.grad), ``other step`` (it gets none in this one), ``not taken`` (zeros of a Program's branch that did not
    run), or ``unknown``, if its numbers are. Of a leaf with several uses, no part is dead, vanishing or exploding if
    the sum is not."""
    is_parameter: bool = True
    event: Event | None = None
    value: Value | None = None
    ratio: float | None = None
    """The factor from the incoming gradient's size to this one's."""
    begins: bool = False
    """Whether a bad gradient begins in this row."""
    where: str = ""
    iterations: Sequence[int] = ()
    """The iterations, from 1, of the Program's loops around the event."""
    autopsy: Autopsy | None = None
    """The verdict and reason for a leaf."""
    why: str = ""
    """The reason, for a parameter that no operator used."""


@dataclass
class Flow:
    """The table of a backward pass."""

    rows: list[FlowRow]
    summary: str
    numbers: dict[int, int]
    """The numbers of the debugger's stops, for its command `goto`."""
    mistakes: Sequence[Mistake] = ()
    """Of the training loop, and of how the loss is computed."""

    @property
    def findings(self) -> list[FlowRow]:
        """The parameters that learn nothing, or too much at once; frozen ones only where nothing else is left."""
        bad = [row for row in self.rows if _is_bad(row)]
        learning = [row for row in bad if row.verdict != "frozen"]
        none_learns = all(_is_bad(row) or row.verdict == "not trained" for row in self.rows)
        return bad if none_learns else learning

    @property
    def reasons(self) -> list[tuple[str, list[str]]]:
        """Return a sentence for each root cause, with the names of its leaves; the sentence names the first leaf."""
        found: dict[object, tuple[str, list[str]]] = {}
        findings = self.findings
        for row in self.rows:
            one = row.autopsy
            if one is None and row.verdict == "unused":
                found.setdefault(row.why.replace(row.name, ""), (row.why, []))[1].append(row.name)
            told = one is not None and (one.is_alarm or one.verdict == "not asked" or row in findings)
            if one is not None and one.reason is not None and told:
                names = found.setdefault((one.verdict, one.reason.cause), (one.reason.sentence, []))[1]
                if one.leaf.name not in names:
                    names.append(one.leaf.name)
        return list(found.values())


def gradient_flow(
    trace: Trace,
    pass_number: int | None = None,
    low: float = LOW,
    high: float = HIGH,
    mistakes: Sequence[Mistake] | None = None,
    in_table: bool = True,
) -> Flow:
    """Return the table of gradients of one backward pass (the last by default).

    All passes before one update are judged together: of the earlier ones there are rows for the leaves whose verdict
    they decide. A gradient below `low` vanishes, one above `high` explodes. Rows in which a bad
    gradient begins stand first, then those of bad parameters. The `mistakes` of the training loop are found if they are
    not known; of one pass, its own are told. What is bad on the way alone is told if it can be seen `in_table`.
    """
    number = pass_number or trace.last_pass
    together, updated = passes_before_update(trace, number)
    looks = {one: Autopsies(trace, one, low, high) for one in together}
    judged: dict[int, tuple[int, Autopsy]] = {}  # by holder: the pass that decides, and its verdict
    for one, look in looks.items():
        for leaf in look.leaves():
            if one == number or updated or leaf.kind == "parameter":
                found, before = look.of(leaf), judged.get(leaf.holder)
                if before is None or found.rank >= before[1].rank:
                    judged[leaf.holder] = one, found
    tables = [_Table(look, judged, one == number) for one, look in looks.items()]
    rows = [row for table in tables for row in table.rows]
    names = {row.name for row in rows if row.event is not None}
    rows = [row for row in rows if row.verdict != "other step" or row.name not in names]
    unused = (FlowRow(name, "unused", why=why_unused(trace, name)) for name in trace.unused)
    rows = sorted([*rows, *unused], key=lambda row: 0 if row.begins else 1 if _is_bad(row) else 2)
    known = mistakes_of(trace, steps_of(trace)) if mistakes is None else mistakes
    deciding = sorted({number, *(one for one, _ in judged.values())})
    if any(one.kind == "cut term" and one.sure for one in known):
        for row in rows:
            was = row.autopsy
            # a factor of 0 is innocent: the term that was cut off would give a gradient, too
            if was is not None and was.reason is not None and was.reason.by_factor:
                row.autopsy, row.begins = replace(was, reason=None), False
    in_rows = {row.verdict for row in rows}
    told = [
        one for one in known if (pass_number is None or one.number in together) and one.kind not in in_rows
    ]
    return Flow(rows, _summary(rows, deciding, told, in_table), stop_numbers(trace), told)


class _Table:
    """The rows of one pass; of one that is not the `last`, those that decide about a leaf."""

    def __init__(self, look: Autopsies, judged: Mapping[int, tuple[int, Autopsy]], last: bool) -> None:
        self.trace, self.look = look.trace, look
        number = look.one.number
        found = [one for decides, one in judged.values() if decides == number]
        self.stored = {holder: one for holder, (_, one) in judged.items() if one.store is not None}
        self.rows: list[FlowRow] = []
        self.told: set[int] = set()
        """The autopsies (by ``id``) whose verdict a row says."""
        passing = list(self.trace.of_pass(number))
        for event in passing:
            if event.kind == "grad" and self._is_of_the_walk(event):
                self._add(event)
            if event.kind == "store" and event.outputs[0] is not None:
                self._add_store(event)
        for event in self.look.one.inner_stores:
            self._add_store(event)
        if not last and not any(one.is_alarm for one in found):
            self.rows = [row for row in self.rows if row.autopsy in found]
        for one in found:
            if one.store is None:
                self.rows.append(FlowRow(one.leaf.name, one.verdict, autopsy=one))
        self._mark_roots(found)

    def _is_of_the_walk(self, event: Event) -> bool:
        """Whether the reverse walk ran an event: also in a Program's branch or loop, but not in user code."""
        bodies = around(self.trace, event)
        here = (body for body in bodies if body.phase == "backward" and body.pass_number == event.pass_number)
        return all(body.control in ("branch", "loop") for body in here)

    def _add(self, event: Event) -> None:
        coming = self.trace.known(event.inputs)
        before = max((self._size(value) for value in coming), default=0.0)
        for value in self.trace.known(event.outputs):
            target = self.trace.value(value.of)
            one = None if target is None else self.stored.get(target.holder)
            verdict = self.look.judge(value) if event.was_taken else "not taken"
            if one is not None and one.verdict in ("ok", "in no optimizer") and verdict in ("ok", *_BY_SIZE):
                verdict = one.verdict
            if one is not None and one.verdict == verdict and one.reason is not None and one.reason.meant:
                verdict = one.reason.meant if verdict in ("dead", "vanishing") else verdict
            name, ratio = (target or value).name, self._ratio(value, before)
            row = FlowRow(name, verdict, one is not None, event, value, ratio, autopsy=one)
            row.where, row.iterations = place(blamed(self.trace, event)), iterations(self.trace, event)
            self._append(row)

    def _add_store(self, store: Event) -> None:
        """Add rows for a leaf's gradient if a hook changed it, if it is a seed, or a sum worse than its terms."""
        stored, leaf = self.trace.value(store.inputs[0]), self.trace.value(store.about)
        one = None if leaf is None else self.stored.get(leaf.holder)
        if stored is None or one is None or leaf is None:
            return
        given = self.trace.value(stored.replaces)
        hook = None if given is None else hook_of(self.trace, stored)
        if hook is not None or id(one) not in self.told:
            event, name = (store, leaf.name) if hook is None else (hook, store.title)
            ratio = None if hook is None or given is None else self._ratio(stored, self._size(given))
            row = FlowRow(name, one.verdict, True, event, stored, ratio, where=place(event), autopsy=one)
            self._append(row)

    def _append(self, row: FlowRow) -> None:
        self.rows.append(row)
        if row.autopsy is not None and (row.verdict == row.autopsy.verdict or not row.autopsy.is_alarm):
            self.told.add(id(row.autopsy))

    def _mark_roots(self, found: list[Autopsy]) -> None:
        """Mark the row where each finding begins: the first bad gradient on the path to the leaf."""
        for one in found:
            arrived = None if one.store is None else self.look.one.arrived(one.store)
            if arrived is None or not one.is_alarm:
                continue
            wanted = ("NaN", "Inf") if one.verdict in ("NaN", "Inf") else _BY_SIZE
            bad = [leg for leg in way_to(self.look.one, arrived) if self.look.judge(leg.after) in wanted]
            first = bad[-1] if bad else None
            for row in self.rows:
                if first is not None and row.event is first.event and row.value is first.after:
                    row.begins = row.verdict not in _WELL

    def _size(self, value: Value) -> float:
        return value.stats.rms if not not_finite(value.stats) else math.inf

    def _ratio(self, value: Value, before: float) -> float | None:
        """Return the size of a value relative to the gradient before it; None if not finite."""
        size = self._size(value)
        return size / before if before and math.isfinite(size) and math.isfinite(before) else None


def _is_bad(row: FlowRow) -> bool:
    alarm = row.autopsy is None or row.autopsy.is_alarm or row.verdict == "frozen"
    return row.verdict == "NaN" or (row.is_parameter and row.verdict not in _WELL and alarm)


def _summary(rows: list[FlowRow], passes: Sequence[int], mistakes: Sequence[Mistake], in_table: bool) -> str:
    number = "-".join(map(str, dict.fromkeys((passes[0], passes[-1]))))
    if not rows:
        return say("pass {number}: no gradient flowed", number=number)
    leaves = [(row.autopsy.leaf.holder if row.autopsy else row.name, row) for row in rows if row.is_parameter]
    kinds = {row.autopsy.leaf.kind for _, row in leaves if row.autopsy}
    if "parameter" in kinds:  # others are data
        leaves = [
            (leaf, row)
            for leaf, row in leaves
            if not row.autopsy or row.autopsy.leaf.kind == "parameter" or _is_bad(row)
        ]
    bad = {leaf: row for leaf, row in leaves if _is_bad(row) or row.verdict in ("unknown", "not asked")}
    count = len(dict(leaves))
    counts = Counter(row.autopsy.verdict if row.autopsy else row.verdict for row in bad.values())
    sure = sum(one.sure for one in mistakes)
    parts = [say("{count} {role}", count=count, role=word(verdict)) for verdict, count in counts.items()]
    parts += [say("{count} mistakes", count=sure)] if sure else []
    parts += [say("{count} observations", count=len(mistakes) - sure)] if len(mistakes) > sure else []
    on_the_way = sum(not row.is_parameter and row.verdict in _BY_SIZE[1:] for row in rows)
    if on_the_way and not parts and in_table:
        parts = [say("well in the end; {count} gradients are not, on the way", count=on_the_way)]
    what = say(", ").join(parts) or say("all well")
    return say("pass {number}: {count} parameters, {what}", number=number, count=count, what=what)


def flow_lines(flow: Flow) -> list[str]:
    """Return the table as text, columns aligned."""
    head = ("stop", "grad op", "for", "shape", "rms", "max", "vs before", "verdict")
    table = table_lines(head, (_cells(row, flow.numbers) for row in flow.rows))
    return [*table, *why_lines(flow), flow.summary]


def why_lines(flow: Flow) -> Iterator[str]:
    """Yield one line for each root cause, and one for each mistake of the loop."""
    yield from (sentence + more_like(names) for sentence, names in flow.reasons)
    yield from (one.sentence for one in flow.mistakes)


def _cells(row: FlowRow, numbers: dict[int, int]) -> tuple[str, ...]:
    verdict = word(row.verdict)
    if row.begins and row.event is not None:
        verdict += "  <- " + say("starts here ({op}, {where})", op=row.event.title, where=row.where)
    if row.value is None or row.event is None:
        return ("", "", row.name, "", "", "", "", verdict)
    stats = row.value.stats
    ratio = "" if row.ratio is None else f"x{row.ratio:.3g}"
    largest, rms = max(abs(stats.min), abs(stats.max)), stats.rms
    if not_finite(stats):  # the statistics are of the finite elements
        largest = rms = math.nan if stats.nans else math.inf
    shape = str(list(row.value.shape))
    return (
        str(numbers[row.event.index]),
        ", ".join(filter(None, (title(row.event), spoken(in_iteration(row.iterations))))),
        row.name,
        shape,
        f"{rms:.3g}",
        f"{largest:.3g}",
        ratio,
        verdict,
    )


def flow_object(flow: Flow) -> dict[str, object]:
    """Return the table as JSON data."""
    rows = [
        {
            "i": None if row.event is None else flow.numbers[row.event.index],
            "op": None if row.event is None else title(row.event),
            "iteration": ", ".join(map(str, row.iterations)) or None,
            "for": row.name,
            "shape": None if row.value is None else list(row.value.shape),
            "rms": None if row.value is None else json_number(row.value.stats.rms),
            "norm": None if row.value is None else json_number(row.value.stats.norm),
            "ratio": None if row.ratio is None else json_number(row.ratio),
            "verdict": row.verdict,
            "parameter": row.is_parameter,
            "begins": row.begins,
            "where": row.where,
            "why": row.why or (row.autopsy and row.autopsy.reason and row.autopsy.reason.sentence),
        }
        for row in flow.rows
    ]
    return {"flow": rows, "summary": flow.summary, "mistakes": mistakes_object(flow.mistakes)}
