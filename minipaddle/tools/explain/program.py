"""Plain sentences for the operators that run Blocks or the user's functions in a Program."""

from collections.abc import Sequence

import numpy as np

from minipaddle.engine.names.translatable import phrase
from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.live_answers import follows, numbers_of, tell
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.language import say


def explain_program_operator(trace: Trace, event: Event) -> str:
    """Return what to say of an operator that runs Blocks or the user's functions, or of its gradient.

    Nothing of other operators: a PyLayer in dynamic mode goes by the name ``pylayer`` too.
    """
    back = event.kind == "grad"
    bodies = bodies_of(trace, event)
    match event.control:
        case "branch":
            return _branch(trace, event, bodies, back)
        case "loop":
            return _loop(bodies, back)
        case "choice":
            return _selected(trace, event, back)
    match event.op:
        case "python":
            name = trace.events[event.parent].title if event.parent is not None else ""
            return say("a line of {name}, which is the user's own Python", name=name)
        case "late" | "late_grad":
            return _late(event.title, back)
        case "py_func":
            return _function(bodies[0].title if bodies else event.title, back)
        case "pylayer" | "pylayer_grad" if bodies and bodies[0].op == "block":
            return _layer(bodies[0], back)
    return ""


def bodies_of(trace: Trace, event: Event) -> list[Event]:
    """Return where the Blocks of an operator begin: once for each iteration of a loop."""
    if event.body is None:
        return []
    enter, leave = event.body
    depth = trace.events[enter].depth
    inside = trace.events[enter : leave + 1]
    return [one for one in inside if one.kind == "enter" and one.depth == depth]


def _function(name: str, back: bool) -> str:
    if back:
        return say("{name} returned this gradient: py_func takes what it returns, right or wrong", name=name)
    return say("{name} is the user's own Python: every run calls it with arrays", name=name)


def _late(name: str, back: bool) -> str:
    if back:
        return say("each run calls {name} once more, and takes its gradient on a tape of its own", name=name)
    return say("{name} waits for the numbers of its Variables: each run calls it with them", name=name)


def _layer(body: Event, back: bool) -> str:
    if back:
        return say(
            "block {number} ran, which backward_fn filled: what it computes is the gradient, right or wrong",
            number=body.block,
        )
    return say("block {number} ran, which forward_fn filled: `step` goes into it", number=body.block)


def _branch(trace: Trace, event: Event, bodies: list[Event], back: bool) -> str:
    if bodies and back:
        return say("the branch had run, so block {number} ran: its gradient", number=bodies[0].block)
    if back and any(event.parts):
        return say("the branch had not run: what it writes over keeps the gradient that it has")
    if back:
        return say("the branch had not run: no gradient comes from it, only zeros")
    condition = _named(trace, event.inputs[:1])
    known, number = trace.known(event.inputs[:1])[0], bodies[0].block if bodies else None
    is_true = (numbers_of(known) != 0).all() if follows(known) else np.bool_(bool(bodies))
    if bodies:
        ran = phrase("{name} is true, so block {number} ran", name=condition, number=number)
        return "".join(tell([Claim(ran, is_true)]))
    return "".join(tell([Claim(phrase("{name} is false: the block did not run", name=condition), ~is_true)]))


def _loop(bodies: list[Event], back: bool) -> str:
    if not bodies:
        return say("the loop ran no iteration")
    number, count = bodies[0].block, len(bodies)
    if back:
        return say(
            "block {number} ran {count} times, from the last iteration to the first; what the loop only read gets "
            "the sum over all iterations",
            number=number,
            count=count,
        )
    return say("block {number} ran {count} times: `step` goes into it", number=number, count=count)


def _selected(trace: Trace, event: Event, back: bool) -> str:
    if back:
        return say("the gradient goes to what was taken, as {names}", names=_named(trace, event.outputs))
    taken = [id_ for terms in event.parts for id_ in terms or ()]
    return say("the branch that ran made {names}", names=_named(trace, taken or event.inputs[1:]))


def _named(trace: Trace, ids: Sequence[int | None]) -> str:
    return ", ".join(value.name for value in trace.known(ids))
