"""The operators in the forward run of a backward pass."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from minipaddle.tools.picture.model.bodies import COMPUTING, in_a_body
from minipaddle.tools.picture.model.cuts import Cuts
from minipaddle.tools.picture.model.earlier_passes import gone_through, passes_around
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import place


def led_to(
    trace: Trace, number: int, backward: Sequence[Event], leaves: Collection[int | None], cuts: Cuts
) -> list[Event]:
    """Return the operators that lead to the root of pass `number`, oldest first, excluding those behind a leaf.

    A value made before an earlier pass or update and used after it, such as the running mean of a
    BatchNorm, counts as data, unless the gradient went through it.

    Args:
        trace: the recording.
        number: the pass.
        backward: the events of the pass.
        leaves: ids of the values with stored gradients, or that could have some.
        cuts: the source of a cut value also leads to the root.
    """
    events = trace.events
    found: set[int] = set()
    done = [event.index for event in events if event.phase == "backward" or event.kind == "update"]
    grads = [event for event in backward if event.kind == "grad" and not in_a_body(trace, event)]
    stack = [event.origin for event in grads if event.origin is not None]
    if not stack:  # the first rule, or a hook of the root, raised
        came = (
            trace.value(value.of) for event in backward for value in trace.known(event.inputs) if value.seed
        )
        stack = [root.producer for root in came if root is not None and root.producer is not None]
    known = passes_around(trace, number)
    while stack:
        index = stack.pop()
        if index in found:
            continue
        found.add(index)
        forward = events[index].phase != "backward"
        if not forward and events[index].pass_number not in known:
            known.add(events[index].pass_number)
            stack += gone_through(trace, events[index].pass_number)
        for id_ in read_by(trace, events[index]):
            if id_ in leaves:
                continue
            cut = cuts.before(id_)
            value = trace.values[true_id(trace, id_ if cut is None or cut.value is None else cut.value)]
            if value.id in leaves:
                continue
            before = forward and value.stop_gradient
            if value.producer is None:
                continue
            if before and bisect_left(done, value.producer) != bisect_left(done, index):
                continue  # a pass or an update came between the two
            if _leads_to(trace, events[value.producer], value, number):
                stack.append(value.producer)
    drawn_with_their_loop = {index for one in found for index in range(*(events[one].body or (0, 0)))}
    return [events[index] for index in sorted(found - drawn_with_their_loop)]


def aside(trace: Trace, number: int, led: Sequence[Event], cuts: Cuts) -> tuple[list[Event], list[Event]]:
    """Return the operators since the last pass or update that do not lead to this pass's root, to draw or to count.

    Those on the tape may explain a ``.grad`` of None; if nothing required gradient, all do. A Program is shown
    as a whole elsewhere.
    """
    start = trace.began(number)
    if start is None or start.made_by in ("program", "sketch"):
        return [], []
    before = trace.events[: start.index]
    done = [event.index for event in before if event.phase == "backward" or event.kind == "update"]
    known = {event.index for event in led}
    since = cuts.without_makers(everything(before[done[-1] + 1 if done else 0 :]))
    ran = [event for event in since if event.index not in known]
    drawn = [
        event for event in ran if not led or any(not v.stop_gradient for v in trace.known(event.outputs))
    ]
    known |= {event.index for event in drawn}
    read = {id_ for event in drawn for id_ in event.inputs}
    nowhere: list[Event] = []
    for event in reversed([event for event in ran if event.index not in known]):
        if read.isdisjoint(event.outputs):
            nowhere.append(event)
        else:
            read.update(event.inputs)
    return drawn, nowhere[::-1]


def everything(events: Sequence[Event]) -> list[Event]:
    """Return all operators that ran outside of other operators."""
    return [event for event in events if event.kind == "op" and event.parent is None]


def read_by(trace: Trace, event: Event) -> list[int]:
    """Return the values that an operator reads; for a differentiated gradient also its saved values."""
    kept = trace.events[event.origin].saved if event.kind == "grad" and event.origin is not None else []
    return [id_ for id_ in dict.fromkeys([*event.inputs, *kept]) if id_ is not None]


def kept_for(trace: Trace, event: Event) -> list[int]:
    """Return the saved values of a gradient rule that is differentiated itself."""
    return [id_ for id_ in read_by(trace, event) if id_ not in event.inputs]


def true_id(trace: Trace, id_: int) -> int:
    """Return the operator's result that equals a differentiable gradient: a later pass goes through it."""
    value = trace.values[id_]
    while value.same is not None and value.kind == "gradient":
        value = trace.values[value.same]
    return value.id


def on_the_tape(trace: Trace, id_: int) -> int:
    """Return the value that the tape has in place of an overwritten one: written through another tensor."""
    value = trace.values[id_]
    while _overwriting(trace, value) is not None and value.version > 0:
        earlier = (one for one in reversed(trace.values[: value.id]) if one.holder == value.holder)
        value = next(earlier)
    return value.id


def written_over(trace: Trace, id_: int) -> str:
    """Return in words where a value's memory was overwritten through another tensor; "" if it was not."""
    writer = _overwriting(trace, trace.values[id_])
    return "" if writer is None else f"written over at {place(writer)}"


def _overwriting(trace: Trace, value: Value) -> Event | None:
    """Return the operator that made a value without returning it: it overwrote memory that others share."""
    made = trace.maker(value) if value.kind == "result" else None
    return made if made is not None and made.kind == "op" and value.id not in made.outputs else None


def _leads_to(trace: Trace, event: Event, value: Value, number: int) -> bool:
    """Whether the maker of a value belongs to the forward run; in a Program, makers of earlier gradients do."""
    earlier = event.phase == "backward" and trace.pass_of(event) < number
    return event.kind == "op" or (event.kind in COMPUTING and earlier and not value.stop_gradient)
