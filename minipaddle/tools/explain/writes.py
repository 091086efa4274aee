"""Who wrote the numbers of a tensor, newest first.

A tensor's values in a recording are what its holder held, one after the other: whatever made one of them is a write.
Read next: :mod:`minipaddle.tools.record.value`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minipaddle.engine.errors import Line
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import SET, Store, Update
from minipaddle.tools.words.events import title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, spaced


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
