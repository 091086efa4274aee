"""Who wrote the numbers of a tensor, newest first.

A tensor's values in a recording are what its holder held, one after the other: whatever made one of them is a write.
Read next: :mod:`minipaddle.tools.record.value`.
"""

from collections.abc import Iterator

from minipaddle.engine.errors import Line
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET, Op, Store, Update
from minipaddle.tools.words.events import title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, spaced


def writes(trace: Trace, value: Value) -> Iterator[tuple[Value, str, Line | None]]:
    """Yield the writes to the tensor of a value, from that value backwards: what it was after each, how, and where."""
    # setting stop_gradient writes nothing
    given = (cut for cut in reversed(trace.cuts) if not cut.how.startswith("stop_gradient"))
    cell, cuts = cell_of(trace, value), {cut.made: cut for cut in given}
    for one in reversed(trace.values[: value.id + 1]):
        if cell_of(trace, one) != cell:
            continue
        event, cut = trace.maker(one), cuts.get(one.id)
        if event is not None:
            yield one, _by_event(trace, one, event), event.where
        elif cut is not None:
            memory = (
                say("the memory of {name}", name=trace.values[one.same].name) if one.same is not None else ""
            )
            yield one, memory or cut.how, cut.where
        elif one.same is not None:  # the same numbers in another holder, such as a Program's: no write
            cell = cell_of(trace, trace.values[one.same])
        else:
            yield one, say("backward began with it" if one.seed else "from outside the recording"), None


def cell_of(trace: Trace, value: Value) -> tuple[str | None, int]:
    """Return a key of a value's storage: its holder, or the leaf for a ``.grad``, whose tensor may change."""
    made = trace.maker(value)
    leaf = trace.value(made.about) if isinstance(made, Store) else None
    return (made.into, leaf.holder) if isinstance(made, Store) and leaf is not None else (None, value.holder)


def _by_event(trace: Trace, value: Value, event: Event) -> str:
    """Return how an event gave a value its numbers."""
    if isinstance(event, Update):
        if event.op == SET:
            return "set_value"
        read = trace.known(event.inputs)[1:2]  # after the parameter: its gradient, or the clipped one
        said = "".join(spaced(one.name, glance(one)) for one in read)
        return say("the optimizer: {title}, with {gradient}", title=event.title, gradient=said)
    if isinstance(event, Store) and event.into == "grad":
        before = trace.value(event.before)
        if before is not None:
            return say("backward, added to {numbers}", numbers=glance(before))
        return say("backward, into an empty .grad")
    if isinstance(event, Store):  # a Program's gradient, or a returned one: of no .grad
        event = trace.maker(trace.values[event.inputs[0] or 0]) or event
    elif value.id not in event.outputs:
        through = trace.known(event.outputs)
        name = through[0].name if through else event.title
        return say("{title} in place, through {name}", title=title(event), name=name)
    if value.kind == "buffer":
        return say("{title}, as a buffer", title=title(event))
    if isinstance(event, Op) and value.holder in {one.holder for one in trace.known(event.inputs)}:
        return say("{title} in place", title=title(event))
    return say("made by {title}", title=title(event))
