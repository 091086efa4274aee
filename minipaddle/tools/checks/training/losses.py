"""Mistakes in how a loss is worked out: probabilities where scores are wanted, and shapes that broadcast."""

from collections.abc import Iterator, Sequence

from minipaddle.engine.names.group_by import grouped
from minipaddle.ops.definition.traits import has
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import say


def probabilities_in(trace: Trace, calls: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Yield losses that take scores and are fed probabilities."""
    for event in calls:
        of_logs = has("takes log probabilities", event.op)
        takes = of_logs or has("takes scores", event.op)
        made = _source(trace, trace.value(event.inputs[0])) if takes else None
        if made is not None and has("gives probabilities", made.op):
            text = say(
                "{loss} ({where}) takes {takes}, and is fed the probabilities of {op} ({at})",
                loss=event.title, where=place(event), op=made.title, at=place(made),
                takes=say("log probabilities") if of_logs else say("scores (logits)"),
            )  # fmt: skip
            yield text, event


def _source(trace: Trace, value: Value | None) -> Event | None:
    """Return what made the numbers of a value, whatever shape they have had since."""
    made = None if value is None else trace.maker(value)
    while made is not None and has("same numbers", made.op):
        (value, *_) = trace.known(made.inputs)
        made = trace.maker(value)
    return made


def broadcast_in(trace: Trace, calls: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Yield differences of a column and a row, a prediction and data, that are then averaged: [8, 1] - [8]."""
    readers = grouped((id_, event) for event in calls for id_ in event.inputs if id_ is not None)
    for event in calls:
        if event.op not in ("elementwise_sub", "huber_loss", "elementwise_mul") or len(event.inputs) < 2:
            continue
        one, other = trace.value(event.inputs[0]), trace.value(event.inputs[1])
        if one is None or other is None or not _crosses(one.shape, other.shape):
            continue
        is_data = one.stop_gradient != other.stop_gradient
        if is_data and event.op != "elementwise_mul" and _is_averaged(event, readers):
            made = trace.known(event.outputs)[0]
            text = say(
                "{op} ({where}) broadcasts {one} {shape} and {other} {wide} to {made}: each is compared with all",
                op=event.title, where=place(event), one=one.name, shape=list(one.shape), other=other.name,
                wide=list(other.shape), made=list(made.shape),
            )  # fmt: skip
            yield text, event


def _crosses(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether two shapes are those of as many numbers, one as a column: [8, 1] and [8]."""
    long, short = (one, other) if len(one) > len(other) else (other, one)
    return len(long) == len(short) + 1 and long[-1] == 1 and long[:-1] == short and short[-1] > 1


def _is_averaged(event: Event, readers: dict[int, list[Event]]) -> bool:
    """Return whether elementwise calls and a reduction are all that follows."""
    waiting, seen = [event], set()
    for one in waiting:
        for id_ in one.outputs:
            for reader in readers.get(id_, ()) if id_ is not None else ():
                if has("averages", reader.op):
                    return True
                if has("elementwise", reader.op) and reader.index not in seen:
                    seen.add(reader.index)
                    waiting.append(reader)
    return False
