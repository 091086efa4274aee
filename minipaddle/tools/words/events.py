"""Names of events, the lines behind them, and the loops that they are in."""

from collections.abc import Iterator, Sequence

from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Accumulate, Backward, Enter, Grad, Leave, Raised, Store, Update
from minipaddle.tools.record.reads_and_cuts import Trainer
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import line_text


def title(event: Event) -> str:
    """Return the title of an event: ``matmul``, ``matmul_grad``, ``W.grad``, ``into cus_tanh.backward``."""
    match event:
        case Enter():
            return f"into {body_title(event)}"
        case Leave():
            return f"out of {event.title}"
        case Grad():
            return f"{event.title}_grad"
        case Accumulate():
            return "accumulate"
        case Store():
            return f"{event.title}@GRAD" if event.op == "returned" else f"{event.title}.grad"
        case Update():
            return f"{event.title} (update)"
        case Raised():
            return f"raised {event.title}"
    return event.title


def body_title(event: Event) -> str:
    """Return the title of the body that an event enters: ``cus_tanh.backward``, ``hook halve``."""
    words = {"hook": f"hook {event.title}", "block": event.title, "function": event.title}
    return words.get(event.op, f"{event.title}.{event.op}")


def phase(event: Event) -> str:
    """Return ``forward`` or ``backward``; "" for an update or an error."""
    return "" if isinstance(event, (Update, Raised)) else event.phase


def place(event: Event) -> str:
    """Return the user's line, ``train.py:12``; "" where it is not known."""
    return line_text(event.where)


def trainer_text(one: Trainer) -> str:
    """Return the class of an optimizer and the line that made it: ``SGD (train.py:9)``."""
    return f"{one.kind} ({line_text(one.where)})" if one.where else one.kind


def born_text(trace: Trace, value: Value) -> str:
    """Return the line that made the tensor of a value, in parentheses; "" if it is not known."""
    cut = trace.born(value)
    return f" ({line_text(cut.where)})" if cut is not None else ""


def layer_text(event: Event) -> str:
    """Return ``, layer 1`` for an operator that a layer of its own ran; "" for one in a network's forward."""
    scope = event.scope
    own = scope is not None and scope.kind.lower().startswith(event.op.partition("_")[0])
    return phrase(", layer {layer}", layer=scope.path) if scope is not None and own else ""


def blamed(trace: Trace, event: Event) -> Event:
    """Return the event whose line caused this one: for a gradient rule, the forward call."""
    return event if event.origin is None else trace.events[event.origin]


def ancestors(
    trace: Trace, *values: Value | None, alike: bool = False, requiring: bool = False
) -> Iterator[Value]:
    """Yield values and all that they were computed from, on to what the user made.

    With `alike`, also the values of other holders that had the same numbers; with `requiring`, of the others only
    those that require gradient.
    """
    waiting, seen = [one for one in values if one is not None], set[int]()
    for one in waiting:
        if one.id not in seen:
            seen.add(one.id)
            made = trace.maker(one)
            read = made.inputs if made is not None and made.kind == "op" else []
            before = trace.known([*read, one.same] if alike else read)
            waiting += [value for value in before if not (requiring and value.stop_gradient)]
            yield one


def is_stop(event: Event) -> bool:
    """Return whether the cursor can be at an event: not at the end of a body, nor where a backward pass begins."""
    return not isinstance(event, (Leave, Backward))


def stop_numbers(trace: Trace) -> dict[int, int]:
    """Return the number of each stop, as used by `goto`, by the index of its event."""
    stops = (event.index for event in trace.events if is_stop(event))
    return {index: number for number, index in enumerate(stops)}


def around(trace: Trace, event: Event) -> Iterator[Event]:
    """Yield the events that begin the bodies around an event, the innermost first."""
    while event.parent is not None:
        event = trace.events[event.parent]
        yield event


def iterations(trace: Trace, event: Event) -> list[int]:
    """Return the iterations, from 1, that an event is in; for nested loops, the outermost first."""
    body = next(around(trace, event), None)  # the event that begins an iteration belongs to it
    return [] if body is None else [number + 1 for number in body.iterations]


def in_iteration(numbers: Sequence[int]) -> str:
    """Return ``iteration 3``, ``iteration 3, 1`` in a loop within a loop, or nothing."""
    return phrase("iteration {number}", number=", ".join(map(str, numbers))) if numbers else ""
