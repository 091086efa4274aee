"""Who wrote the numbers of a tensor, newest first, and which other tensors share its memory.

A tensor's values in a recording are what its holder held, one after the other: whatever made one of them is a write.
Read next: :mod:`minipaddle.tools.record.value`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.table import TABLE
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import SET, Op, Store, Update
from minipaddle.tools.words.events import title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, line_text, shape_text, spaced
from minipaddle.tools.words.terminal import Symbols


@dataclass(frozen=True)
class Write:
    """One time at which a tensor got its numbers."""

    value: Value
    """The tensor after it."""
    event: int | None
    """Index of the event that wrote; None: none did, the user gave the numbers."""
    how: str
    """A phrase: the optimizer, an operator in place, another name of the same memory ..."""
    where: Line | None


def writes(trace: Trace, value: Value) -> Iterator[Write]:
    """Yield the writes to the tensor of a value, from that value backwards."""
    leaf = _leaf_of(trace, value)
    every = [one for one in trace.values[: value.id + 1] if one.holder == value.holder]
    if leaf is not None:  # the tensor of a .grad may change: it is the leaf's
        stores = [event for event in trace.events if isinstance(event, Store) and event.into == "grad"]
        ids = [event.outputs[0] for event in stores if _holder(trace, event.about) == leaf]
        every = [one for one in trace.known(ids) if one.id <= value.id]
    for place in range(len(every) - 1, -1, -1):
        one = every[place]
        event = trace.maker(one)
        given = next((cut for cut in trace.cuts if cut.made == one.id), None)
        where = event.where if event is not None else given.where if given is not None else None
        yield Write(one, one.producer, _how(trace, one, is_first=place == 0), where)


def _how(trace: Trace, value: Value, is_first: bool) -> str:
    """Return what gave a value its numbers."""
    event = trace.maker(value)
    match event:
        case None:
            cut = next((cut for cut in trace.cuts if cut.made == value.id), None)
            if value.same is not None:
                return say("the memory of {name}", name=trace.values[value.same].name)
            return (
                cut.how
                if cut is not None
                else say("was there before")
                if is_first
                else say("set from outside")
            )
        case Update() if event.op == SET:
            return "set_value"
        case Update():
            gradient = next((one for one in trace.known(event.inputs) if one.kind == "gradient"), None)
            said = "" if gradient is None else spaced(gradient.name, glance(gradient))
            return say("the optimizer: {title}, with {gradient}", title=event.title, gradient=said)
        case Store():
            before = trace.value(event.before)
            if before is not None:
                return say("backward, added to {numbers}", numbers=glance(before))
            return say("backward, into an empty .grad")
    if value.id not in event.outputs:
        through = trace.known(event.outputs)
        name = through[0].name if through else event.title
        return say("{title} in place, through {name}", title=title(event), name=name)
    if is_first and not value.version:
        return say("made by {title}", title=title(event))
    if value.kind == "buffer":
        return say("{title}, as a buffer", title=title(event))
    return say("{title} in place", title=title(event))


def _leaf_of(trace: Trace, value: Value) -> int | None:
    """Return the holder of the leaf in whose ``.grad`` a value lies; None if it is no such gradient."""
    made = trace.maker(value)
    return _holder(trace, made.about) if isinstance(made, Store) and made.into == "grad" else None


def _holder(trace: Trace, id_: int | None) -> int | None:
    return None if id_ is None else trace.values[id_].holder


def sharing(trace: Trace, value: Value, symbols: Symbols) -> Iterator[str]:
    """Yield a small tree of the names and views that share a tensor's memory; the tensor that made it comes first."""
    above = dict(_memory(trace))
    root = value.holder
    while root in above:
        root = above[root][0]
    below: dict[int, list[int]] = {}
    for holder, (owner, _) in above.items():
        below.setdefault(owner, []).append(holder)

    def lines(holder: int, lead: str) -> Iterator[str]:
        inner = below.get(holder, [])
        for one in inner:
            is_last = one is inner[-1]
            yield f"{lead}{symbols.last if is_last else symbols.branch}{_named(trace, one)}  {above[one][1]}"
            yield from lines(one, lead + (symbols.blank if is_last else symbols.pipe))

    yield _named(trace, root)
    yield from lines(root, "")


def _memory(trace: Trace) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield each holder that lies in the memory of another one: its number, the owner's, and how it came to be."""
    for value in trace.values:
        if value.same is not None and value.version == 0 and value.kind != "gradient":
            owner = trace.values[value.same].holder
            cut = next((cut for cut in trace.cuts if cut.made == value.id), None)
            if owner != value.holder:
                yield value.holder, (owner, spaced(cut.how, line_text(cut.where)) if cut is not None else "")
    for event in trace.events:
        op = TABLE.get(event.op) if isinstance(event, Op) else None
        if op is not None and op.view and event.inputs[0] is not None:
            owner = trace.values[event.inputs[0]].holder
            for one in trace.known(event.outputs):
                if one.holder != owner:
                    yield one.holder, (owner, spaced(title(event), line_text(event.where)))


def _named(trace: Trace, holder: int) -> str:
    """Return the names of a tensor, and its shape: ``w, self.weight  [2, 3]``."""
    values = [value for value in trace.values if value.holder == holder]
    names = dict.fromkeys(
        name for value in values for name in (value.name, *trace.variables.get(value.id, ()))
    )
    return f"{', '.join(names)}  {shape_text(values[0])}"
