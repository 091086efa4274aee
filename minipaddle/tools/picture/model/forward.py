"""The operators behind a picture: the inside of each, where the user cut the graph, and which led to a backward pass.

The inside is the body of a PyLayer, a Block of a Program, the iterations of a loop. The user cuts by ``detach``, a
round trip through NumPy, ``no_grad``, ``stop_gradient = True``.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Op, Store
from minipaddle.tools.record.reads_and_cuts import Cut
from minipaddle.tools.words.events import place

# -- the inside of operators -------------------------------------------------------------------------------------------

COMPUTING = ("op", "grad", "accumulate")
"""Kinds of events that compute something."""


def inside(trace: Trace, event: Event) -> list[Event]:
    """Return the events directly inside the bodies of an operator."""
    return [one for enter, leave in trace.bodies(event) for one in between(trace, enter, leave)]


def between(trace: Trace, enter: Event, leave: Event) -> list[Event]:
    """Return the events directly inside one body, stores of gradients included."""
    span = trace.events[enter.index : leave.index]
    return [one for one in span if one.kind in (*COMPUTING, "store") and one.parent == enter.index]


def within(trace: Trace, backward: Sequence[Event]) -> list[Event]:
    """Return all events during a pass, including passes started inside a PyLayer's backward."""
    return trace.events[backward[0].index : backward[-1].index + 1] if backward else []


def flowing_back(trace: Trace, backward: Sequence[Event]) -> set[int]:
    """Return the values that are gradients or computed from one: not masks, nor recomputed forward values."""
    found: set[int | None] = set()
    cut_off = {cut.made: cut.value for cut in trace.cuts}
    for event in within(trace, backward):
        given = {id_ for id_ in event.inputs if id_ is not None}
        handed = event.kind == "enter" and event.op in ("backward", "hook")
        for value in trace.known(given):
            source = cut_off.get(value.id, value.same)
            if handed or value.kind == "gradient" or (source is not None and source in found):
                found.add(value.id)
        if event.kind in ("grad", "accumulate", "store") or (event.kind == "op" and found & given):
            found.update(event.outputs)
    return {id_ for id_ in found if id_ is not None}


def used_inside(trace: Trace, event: Event) -> set[int]:
    """Return the values that an operator's bodies use, with the sources of seeds of passes in them."""
    used = trace.known(id_ for one in inside(trace, event) for id_ in one.inputs)
    begun = {value.same for value in used if value.seed and value.same is not None}
    return {value.id for value in used} | begun


def in_a_body(trace: Trace, event: Event) -> bool:
    """Whether an event is inside a body run by its own pass (not by an outer pass)."""
    outer = None if event.parent is None else trace.events[event.parent]
    return outer is not None and outer.phase == "backward" and outer.pass_number == event.pass_number


# -- cuts --------------------------------------------------------------------------------------------------------------


class Cuts:
    """The cuts of a recording, indexed by value."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        # value -> the cut between it and the source of its numbers
        self._sources: dict[int, Cut] = {}
        self._turned: dict[int, list[Cut]] = {}  # values that the user detached or attached themselves
        self.leaves: set[int] = set()
        """Results of operators that were made leaves: ``x = paddle.randn([3]); x.stop_gradient = False``.

        So are leaves that were written to in place: ``with paddle.no_grad(): w.subtract_(0.1 * w.grad)``.
        """
        ends = trace.known(event.about for event in trace.events if isinstance(event, Store))
        self.leaves.update(leaf.id for leaf in ends if leaf.version)
        for cut in trace.cuts:
            if cut.made is None or cut.value is None:
                continue
            if cut.value != cut.made:
                self._sources.setdefault(cut.made, cut)
                continue
            self._turned.setdefault(cut.made, []).append(cut)
            if cut.how == "stop_gradient=False" and self._has_no_history(trace.values[cut.made]):
                self.leaves.add(cut.made)

    def _has_no_history(self, value: Value) -> bool:
        maker = self.trace.maker(value)
        wanted = maker is not None and any(not one.stop_gradient for one in self.trace.known(maker.inputs))
        return isinstance(maker, Op) and not (wanted and maker.grad)

    def before(self, id_: int) -> Cut | None:
        """Return the cut between a value and its source, if the source requires gradient; else None."""
        cut = self._sources.get(id_)
        wanted = cut is not None and cut.value is not None and not self.trace.values[cut.value].stop_gradient
        return cut if wanted else None

    def into(self, id_: int, event: Event) -> str:
        """Return the cut that stops the gradient from an operator to its input, in a word; "" if there is none.

        The operators inside a PyLayer are not on the tape: it has its own backward.
        """
        if event.in_custom:
            return ""
        if isinstance(event, Op) and not event.grad and not self.trace.values[id_].stop_gradient:
            return "no_grad"
        turned = [cut.how for cut in self._turned.get(id_, ()) if cut.before_event <= event.index]
        was_made = self.trace.values[id_].producer is not None
        return turned[-1] if turned and turned[-1] != "stop_gradient=False" and was_made else ""

    def without_makers(self, events: Sequence[Event]) -> list[Event]:
        """Return the events without operators that only made a leaf: the graph begins at the leaf."""
        kept: list[Event] = []
        read: set[int | None] = set()
        behind: set[int | None] = set(self.leaves)
        for event in reversed(events):
            made = {id_ for id_ in event.outputs if id_ is not None}
            if made and made <= behind and (made <= self.leaves or not made & read):
                behind.update(event.inputs)
            else:
                kept.append(event)
                read.update(event.inputs)
        return kept[::-1]


# -- the forward run ---------------------------------------------------------------------------------------------------


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
        stack = [root.producer for root in stopped_at(trace, number) if root.producer is not None]
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
        for id_ in trace.takes(events[index]):
            if id_ in leaves:
                continue
            cut = cuts.before(id_)
            value = trace.values[true_id(trace, id_ if cut is None or cut.value is None else cut.value)]
            if value.id in leaves or value.producer is None:
                continue
            if (
                forward
                and value.stop_gradient
                and bisect_left(done, value.producer) != bisect_left(done, index)
            ):
                continue  # a pass or an update came between the two
            made = events[value.producer]
            earlier = made.phase == "backward" and trace.pass_of(made) < number
            computed = made.kind in COMPUTING and earlier and not value.stop_gradient  # in a Program
            if made.kind == "op" or computed:
                stack.append(value.producer)
    drawn_with_their_loop = {index for one in found for index in range(*(events[one].body or (0, 0)))}
    return [events[index] for index in sorted(found - drawn_with_their_loop)]


def stopped_at(trace: Trace, number: int) -> list[Value]:
    """Return the result at whose rule an error ended pass `number`; [] if none did, or if it is unknown."""
    raised = (event for event in trace.events if event.kind == "error" and event.pass_number == number)
    return trace.known(event.about for event in raised)


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


def kept_for(trace: Trace, event: Event) -> list[int]:
    """Return the saved values of a gradient rule that is differentiated itself."""
    return [id_ for id_ in trace.takes(event) if id_ not in event.inputs]


def true_id(trace: Trace, id_: int) -> int:
    """Return the operator's result that equals a differentiable gradient: a later pass goes through it.

    So does the argument of a user's backward, which the walk gave that gradient.
    """
    value = trace.values[id_]
    while value.same is not None and (value.kind == "gradient" or _is_handed(trace, value)):
        value = trace.values[value.same]
    return value.id


def _is_handed(trace: Trace, value: Value) -> bool:
    given = trace.value(value.same)
    if value.kind != "data" or given is None or given.kind != "gradient" or given.stop_gradient:
        return False
    return not any(cut.made == value.id for cut in trace.cuts)


def on_the_tape(trace: Trace, id_: int) -> int:
    """Return the value that the tape has in place of an overwritten one: written through another tensor."""
    value = trace.values[id_]
    while _overwriting(trace, value) is not None and value.version > 0:
        value = next(one for one in reversed(trace.values[: value.id]) if one.holder == value.holder)
    return value.id


def written_over(trace: Trace, id_: int) -> str:
    """Return in words where a value's memory was overwritten through another tensor; "" if it was not."""
    writer = _overwriting(trace, trace.values[id_])
    return "" if writer is None else f"written over at {place(writer)}"


def _overwriting(trace: Trace, value: Value) -> Event | None:
    """Return the operator that made a value without returning it: it overwrote memory that others share."""
    made = trace.maker(value) if value.kind == "result" else None
    return made if made is not None and made.kind == "op" and value.id not in made.outputs else None


def passes_around(trace: Trace, number: int) -> set[int]:
    """Return pass `number` and the passes around it: a PyLayer's backward may begin one."""
    event: Event | None = trace.began(number)
    around = {number}
    while event is not None and event.parent is not None:
        event = trace.events[event.parent]
        if event.phase == "backward":
            around.add(event.pass_number)
    return around


def gone_through(trace: Trace, number: int) -> list[int]:
    """Return the indices of the operators whose rules an earlier pass ran."""
    ran = (one for one in trace.of_pass(number) if one.kind == "grad" and not in_a_body(trace, one))
    return [event.origin for event in ran if event.origin is not None]
