"""Why a call left no node on the tape, although one of its inputs requires gradient."""

from typing import Literal, NamedTuple

from minipaddle.engine.operator.operator import TABLE
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.record.reads_and_cuts import Cut
from minipaddle.tools.words.events import ancestors, place
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import line_text


class Unrecorded(NamedTuple):
    """A call that recorded no node, or that has a result without a gradient."""

    event: Event
    why: Literal["stopped", "none", "no_grad", "marked", ""]
    """stopped: stop_gradient was set to True since then. none: the operator has no gradient, or not for that result.
    no_grad: paddle.no_grad was on. marked: a PyLayer marked its result as not differentiable. "": unknown."""
    wanting: list[Value]
    """Its inputs that require gradient; for a stopped call, those that did before."""
    cut: Cut | None = None
    """The event that stopped the gradient of the first of these."""


def why_unrecorded(trace: Trace, event: Event, result: Value) -> Unrecorded | None:
    """Return why a call's result has no gradient; None if none of its inputs required one."""
    wanted = [value for value in trace.known(event.inputs) if not value.stop_gradient]
    cuts = {value.id: _stop(trace, value, event) for value in wanted}
    wanting = [value for value in wanted if cuts[value.id] is None]
    op, made = TABLE.get(event.op), event.outputs
    at = made.index(result.id) if result.id in made else 0
    if not wanted:
        return None
    # or not for this result, such as the indices of a maximum
    if op is not None and (not op.rules or (not op.list_output and at not in op.differentiable)):
        return Unrecorded(event, "none", wanting or wanted)
    if not wanting:
        return Unrecorded(event, "stopped", wanted, cuts[wanted[0].id])
    if isinstance(event, Op) and not event.grad:
        return Unrecorded(event, "no_grad", wanting)
    is_marked = event.is_custom and event.block is None
    return Unrecorded(event, "marked" if is_marked else "", wanting)


def _stop(trace: Trace, value: Value, event: Event) -> Cut | None:
    """Return where stop_gradient was set to True before a call; None if the call saw no change."""
    cuts = [one for one in trace.cuts if one.made == value.id and one.before_event <= event.index]
    last = next((one for one in reversed(cuts) if one.how != "to_tensor"), None)
    return last if last is not None and last.how in ("stop_gradient=True", "detach_") else None


def unrecorded_before(trace: Trace, value: Value) -> Unrecorded | None:
    """Return the nearest call before a value that cut it off from a value that requires gradient."""
    made = ((trace.maker(one), one) for one in ancestors(trace, value))
    calls = ((call, one) for call, one in made if call is not None and call.kind == "op" and call.where)
    found = (why_unrecorded(trace, call, one) for call, one in calls)
    return next((one for one in found if one is not None), None)


_SENTENCES = {
    "none": phrase("nothing is recorded here: {op} has no gradient"),
    "no_grad": phrase("nothing is recorded here though {names} requires gradient: paddle.no_grad was on"),
    "stopped": phrase(
        "nothing is recorded here though {names} required gradient: stop_gradient was set to True since then"
    ),
    "marked": phrase("nothing is recorded here: {op}.forward marked its result as not differentiable"),
    "": phrase("nothing is recorded here though {names} requires gradient"),
}
_OF_A_VALUE = {
    "none": phrase("{name} gets none: it comes of what {op} ({where}) gives, and that has no gradient"),
    "no_grad": phrase(
        "{name} gets none: {cut} requires gradient, but {op} ({where}) ran under paddle.no_grad"
    ),
    "stopped": phrase(
        "{name} gets none: {cut} required gradient, but stop_gradient was set to True ({line}) before {op} ({where})"
    ),
    "marked": phrase("{name} gets none: {op}.forward marked its result as not differentiable ({where})"),
    "": phrase("{name} gets none: {cut} requires gradient, but {op} ({where}) does not record it"),
}


def said_here(found: Unrecorded) -> str:
    """Return the sentence for the call itself."""
    names = ", ".join(value.name for value in found.wanting)
    return say(_SENTENCES[found.why].sentence, names=names, op=found.event.title)


def said_of(value: Value, found: Unrecorded) -> str:
    """Return the sentence for a value that depends on the call, and gets no gradient."""
    return say(
        _OF_A_VALUE[found.why].sentence, name=value.name, cut=found.wanting[0].name, op=found.event.title,
        where=place(found.event), line=line_text(found.cut.where if found.cut else None),
    )  # fmt: skip
