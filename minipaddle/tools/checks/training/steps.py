"""A recording cut into training steps: one backward pass each, with what led to it and what was updated after it."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import has
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET
from minipaddle.tools.record.reads_and_cuts import Cut, Trainer
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import cut, line_text, number

COMPARES = (
    *("elementwise_sub", "huber_loss", "bce_loss", "sigmoid_cross_entropy_with_logits"),
    *("softmax_with_cross_entropy", "nll_loss", "kldiv_loss"),
)
"""Operators that compare a guess with a target."""
CLEARS = ("clear_grad", "clear_gradients", "clear_gradient")
"""The methods that clear gradients."""
_LONGEST = 24
"""Characters of the names of a group."""


@dataclass
class Step:
    """One backward pass, and the optimizer's updates after it."""

    trace: Trace
    number: int
    marker: Event
    forward: list[Event] = field(default_factory=list)
    """Calls since the previous pass."""
    backward: list[Event] = field(default_factory=list)
    updates: list[Event] = field(default_factory=list)
    roots: list[Value] = field(default_factory=list)
    """The values that backward started from."""

    def through(self) -> Iterator[tuple[Event, Event]]:
        """Yield the forward calls that the pass differentiated, each with its gradient event."""
        for event in self.backward:
            forward = self.trace.differentiated(event)
            if forward is not None:
                yield forward, event

    def leaves(self) -> Iterator[tuple[Value, Value]]:
        """Yield the leaves that got gradients, each with its gradient."""
        for store in self.stores:
            yield from zip(self.trace.known([store.about]), self.trace.known(store.inputs))

    def data(self) -> Value | None:
        """Return the largest floats that the pass read, without gradient and parameters; None if there are none."""
        read = (one for event, _ in self.through() for one in self.trace.known(event.inputs))
        fixed = (one for one in read if one.stop_gradient and one.kind in ("data", "result"))
        floats = (one for one in fixed if one.kind_of_dtype == "f")
        return max(floats, key=lambda one: one.stats.size, default=None)

    @property
    def began(self) -> int:
        """Return the index of the first event of its forward run; of a second backward, that of the backward."""
        return (self.forward or [self.marker])[0].index

    def moved(self) -> set[int]:
        """Return the holders that were updated after the pass."""
        return {self.trace.values[update.inputs[0] or 0].holder for update in self.updates}

    def trainer(self) -> Trainer | None:
        """Return the optimizer that was stepped after the pass, as it was made; None if none is known."""
        moved = self.moved()
        return next((one for one in self.trace.optimizers if not moved.isdisjoint(one.holders)), None)

    @property
    def stores(self) -> Iterator[Event]:
        """Yield the events that store gradients at leaves."""
        return (event for event in self.backward if event.kind == "store" and event.op != "returned")

    @property
    def loss(self) -> float:
        """Return the number that the pass started from; of several, their sum; NaN if unknown."""
        kept = ((value.array if value.stats.infs else None, value) for value in self.roots)
        found = [value.stats.mean if array is None else float(np.mean(array)) for array, value in kept]
        return sum(found) if found else math.nan

    @property
    def gradient(self) -> float:
        """Return the norm of all gradients that the pass stored at leaves; NaN or infinite if an element is."""
        arrived = [gradient.stats for _, gradient in self.leaves()]
        bad = [math.nan if stats.nans else math.inf for stats in arrived if stats.bad]
        return math.sqrt(sum([*bad, *(stats.norm**2 for stats in arrived if not stats.bad)]))

    def terms(self) -> Iterator[tuple[Value, Event | None, float]]:
        """Yield a loss, and all that is added up to it, each with what made it and with its weight in the sum."""
        waiting = [(root, 1.0) for root in self.roots]
        for value, weight in waiting:
            made = self.trace.maker(value)
            yield value, made, weight
            op = "" if made is None or (value.stop_gradient and made.op != "scale") else made.op
            if made and (op in ("elementwise_add", "elementwise_sub", "scale", "sum") or has("averages", op)):
                weight *= made.attrs.get("scale", 1.0)
                weights = (weight, -weight) if op == "elementwise_sub" else (weight,) * len(made.inputs)
                waiting += zip(self.trace.known(made.inputs), weights)

    def constant_terms(self) -> Iterator[Value]:
        """Yield the terms of a loss that require no gradient, without the number that one is scaled by."""
        constant = ((value, made) for value, made, _ in self.terms() if value.stop_gradient)
        return (value for value, made in constant if made is None or made.op != "scale")

    def changes(self) -> Iterator[tuple[Event, Value, Array, Array]]:
        """Yield the updates, each with the leaf before it, and the numbers before and after, in double precision."""
        for update in self.updates:
            before, after = (self.trace.values[ids[0] or 0] for ids in (update.inputs, update.outputs))
            if before.array is not None and after.array is not None:
                yield update, before, before.array.astype(np.float64), after.array.astype(np.float64)

    def ratios(self, groups: "Groups | None" = None) -> dict[str, float]:
        """Return, by group, the size of the update relative to that of the weights, where all numbers are known."""
        moved, sizes = defaultdict[str, float](float), defaultdict[str, float](float)
        of, lost = groups.of if groups is not None else lambda _: "", {one.inputs[0] for one in self.updates}
        for _, leaf, before, after in self.changes():
            with np.errstate(all="ignore"):
                moved[of(leaf)] += float(np.linalg.norm(after - before)) ** 2
            sizes[of(leaf)] += leaf.stat("norm") ** 2
            lost.discard(leaf.id)
        known = moved.keys() - set(map(of, self.trace.known(lost)))
        return {
            name: math.sqrt(moved[name] / sizes[name]) if sizes[name] else math.inf
            for name in moved
            if name in known
        }


def steps_of(trace: Trace) -> list[Step]:
    """Return the training steps; a pass within another, or one of ``paddle.grad``, belongs to the step around it."""
    found: list[Step] = []
    before: list[Event] = []
    for event in trace.events:
        step = found[-1] if found else None
        if event.kind == "backward" and event.depth == 0:
            found.append(Step(trace, event.pass_number, event, forward=before))
            before = []
        elif event.kind == "update" and event.op != SET:
            if step is not None:
                step.updates.append(event)
        elif step is not None and event.phase == "backward" and event.pass_number == step.number:
            step.backward.append(event)
        else:
            before.append(event)
    for step in found:
        seeds = (value for event in step.backward for value in trace.known(event.inputs) if value.seed)
        step.roots = trace.known(dict.fromkeys(seed.of for seed in seeds))
    for step, after in pairwise(found):
        if not any(step.stores):
            after.forward = [*step.forward, *after.forward]
    return [step for step in found if any(step.stores)]


def passes_before_update(trace: Trace, number: int) -> tuple[list[int], bool]:
    """Return the passes that lead to the same update as pass `number`, and whether that update is in the recording.

    A pass of ``paddle.grad``, which stores nothing, is judged alone.
    """
    found, stored = list[int](), set[int]()
    for step in steps_of(trace):
        found.append(step.number)
        stored |= {leaf.holder for leaf, _ in step.leaves()}
        if not stored.isdisjoint(step.moved()):
            if number in found:
                return found, True
            found, stored = [], set()
    return (found, False) if number in found else ([number], False)


def writes(trace: Trace, events: Iterable[Event]) -> Iterator[tuple[Event, Value, Value]]:
    """Yield the events by which the user writes into a tensor, with its values before and after."""
    users = (one for one in events if one.op == SET or one.kind == "op")
    for event in (one for one in users if one.inputs and one.outputs):
        before, after = trace.value(event.inputs[0]), trace.value(event.outputs[0])
        if before and after and before.id < after.id and before.holder == after.holder:
            yield event, before, after


def cosine(one: Array | None, other: Array | None) -> float:
    """Return the cosine of two gradients or moves; 0 if it is not known."""
    if one is None or other is None or not one.any() or not other.any():
        return 0.0
    return float(np.vdot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


class Call(NamedTuple):
    """A call that a pass went back through."""

    trace: Trace
    step: Step
    event: Event
    readers: dict[int, list[Event]]

    @property
    def inputs(self) -> list[Value]:
        """What it reads."""
        return self.trace.known(self.event.inputs)

    def after(self) -> Iterator[tuple[Value, Event]]:
        """Yield the calls that follow, and what they read, on to the first that are not elementwise."""
        waiting, seen = [self.event], set[int]()
        for one in waiting:
            for value in self.trace.known(one.outputs):
                for reader in self.readers.get(value.id, ()):
                    if reader.index not in seen:
                        seen.add(reader.index)
                        waiting += [reader] if has("elementwise", reader.op) else []
                        yield value, reader


def enlarging(weight: Value) -> float:
    """Return how many times larger a matrix or a kernel makes random numbers."""
    return weight.stats.rms * math.sqrt(weight.stats.size / weight.shape[-1 if len(weight.shape) == 2 else 0])


def maker_of(trace: Trace, value: Value | None) -> tuple[Event | None, Value | None]:
    """Return what made the numbers of a value, whatever shape they have had since, and as which value."""
    made = None if value is None else trace.maker(value)
    while value is not None and made is not None and has("same numbers", made.op):
        (value, *_) = trace.known(made.inputs)
        made = trace.maker(value)
    return made, value


class Mistake(NamedTuple):
    """One thing that is wrong with the loop."""

    kind: str
    sentence: str
    number: int
    """The backward pass that shows it first."""
    where: str
    """The user's line, ``train.py:12``."""
    sure: bool = True
    """False for an observation: correct code may show it, too."""


def mistake(
    sentence: str,
    at: Event | Trainer | Cut | Line | None,
    step: Step,
    kind: str = "loss",
    sure: bool = True,
    blamed: Trainer | Event | Cut | Line | None = None,
    by: tuple[str, Line | None] = ("", None),
    **parts: object,
) -> Mistake:
    """Return a mistake whose sentence is about an event, an optimizer, a cut or a line: {op} and {where}.

    Its line is that which is `blamed`, if any: the line of its making, which the sentence names in the end; or that
    of the call {by}, as ``the_call`` gives it. It may call an optimizer {owner}.
    """
    lines = (one if one is None or isinstance(one, Line) else one.where for one in (at, blamed or by[1]))
    where, made = map(line_text, lines)
    op = at.kind if isinstance(at, Trainer) else getattr(at, "title", "")
    owner = f" ({blamed.kind}, {made})" if isinstance(blamed, Trainer) else ""
    named = {name: _said(part) for name, part in parts.items()}
    said = say(sentence, **{"op": op, "where": where, "owner": owner, "by": by[0], **named})
    if not re.search(rf"(?<!\w){re.escape(made)}(?!\d)", said):  # train.py:1 is not train.py:12
        said = say("{finding}; the line to change: {where}", finding=said, where=made)
    said = said if sure else say("observed: {finding}", finding=said)
    return Mistake(kind, said, step.number, made or where, sure)


def _said(part: object) -> object:
    """Return a part of a sentence: the name of a value, the line of an event, a number in short, a shape as a list."""
    match part:
        case Value():
            return part.name
        case Event() | Cut() | Trainer():
            return line_text(part.where)
        case Line():
            return line_text(part)
        case float():
            return number(part)
    return list(part) if isinstance(part, tuple) else part


Look = Callable[[Call], Mistake | None]
"""Finds one kind of mistake at a call."""
Found = Iterator[dict[str, Any]]
"""The parts of the sentence about it."""


def look(sentence: str) -> Callable[[Callable[[Call], Found]], Look]:
    """Return a decorator: what yields the parts of the sentence about a call becomes a look."""

    def made(find: Callable[[Call], Found]) -> Look:
        return lambda call: next(
            (mistake(sentence, parts.pop("at", call.event), call.step, **parts) for parts in find(call)), None
        )

    return made


def more_like(names: Sequence[str]) -> str:
    """Return the end of a sentence about the first of these names, which is true of the others, too."""
    others = ", ".join(names[1:4]) + (", ..." if len(names) > 4 else "")
    more = say("{count} more like it: {names}", count=len(names) - 1, names=others)
    return f"; {more}" if others else ""


def mistakes_object(found: Sequence[Mistake]) -> list[dict[str, object]]:
    """Return mistakes as JSON data."""
    return [dict(zip(("mistake", "says", "pass", "where", "sure"), one)) for one in found]


Finder = Callable[[Trace, list[Step]], Iterator[Mistake]]
"""Finds one kind of mistake; the first is told."""


class Groups:
    """Parameters reported together: an optimizer's groups if it was given several, else the layers."""

    def __init__(self, trace: Trace) -> None:
        self.given = {holder: number for number, group in enumerate(trace.groups) for holder in group}
        """The number of the group, by holder."""
        own = (value for value in trace.values if value.kind == "parameter")
        self.names = grouped((self.given.get(value.holder, -1), value.name) for value in own)

    def of(self, value: Value) -> str:
        """Return the name of a parameter's group: the optimizer's group, else its layer, else the parameter itself."""
        number = self.given.get(value.holder)
        if number is None:
            return value.name.rpartition(".")[0] or value.name
        names = cut(", ".join(dict.fromkeys(self.names[number])), _LONGEST)
        return say("group {number} ({names})", number=number, names=names)


def rate_of(trace: Trace, update: Event) -> tuple[float, bool]:
    """Return the learning rate of an update, NaN if unknown, and whether it is known to stay (by no scheduler)."""
    slots = zip(TABLE[update.op].input_names, update.inputs) if update.op in TABLE else ()
    found = next((trace.value(id_) for slot, id_ in slots if slot == "learning_rate"), None)
    if found is None:
        return math.nan, False
    stays = found.name == "learning_rate" or found.same is not None  # as a startup Program set it
    return found.stat("mean"), stays
