"""The answer to why: a formula, the formula with this event's numbers, and plain sentences."""

from collections import Counter
from itertools import chain

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.formula import Why, follows, names_of, numbers_of, tell
from minipaddle.tools.explain.forward import add_formulas, explain_forward
from minipaddle.tools.explain.rule import explain_rule, where_it_came_from
from minipaddle.tools.explain.terms import explain_store, explain_sum
from minipaddle.tools.explain.unrecorded import said_here, said_of, unrecorded_before, why_unrecorded
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import FREED, Accumulate, Enter, Grad, Op, Store, Update
from minipaddle.tools.words.events import body_title, place
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import glance, shape_text, spaced

_OF_PROGRAMS = {
    ("py_func", False): phrase("{name} is the user's own Python: every run calls it with arrays"),
    ("py_func", True): phrase("{name} returned this gradient: py_func takes what it returns, right or wrong"),
    ("late", False): phrase("{name} waits for the numbers of its Variables: each run calls it with them"),
    ("late", True): phrase("each run calls {name} once more, and takes its gradient on a tape of its own"),
    ("pylayer", False): phrase("block {number} ran, which forward_fn filled: `step` goes into it"),
    ("pylayer", True): phrase(
        "block {number} ran, which backward_fn filled: what it computes is the gradient, right or wrong"
    ),
}
"""The sentence about an operator that runs the user's functions, and about its gradient."""


def explain_program_operator(trace: Trace, event: Event) -> str:
    """Return the sentence about an operator that runs Blocks or the user's functions, or about its gradient.

    "" for other operators: a PyLayer in dynamic mode is called ``pylayer`` too.
    """
    back = event.kind == "grad"
    bodies = [enter for enter, _ in trace.bodies(event)]
    match event.control:
        case "branch":
            return _branch(trace, event, bodies, back)
        case "loop":
            return _loop(bodies, back)
        case "choice":
            return _selected(trace, event, back)
    if event.is_custom and (not bodies or bodies[0].op != "block"):
        return ""  # of dynamic mode
    first, said = next(iter(bodies), event), _OF_PROGRAMS.get((event.op.removesuffix("_grad"), back))
    name = event.title if event.op.startswith("late") else first.title
    return "" if said is None else say(said.sentence, name=name, number=first.block)


def _branch(trace: Trace, event: Event, bodies: list[Event], back: bool) -> str:
    if bodies and back:
        return say("the branch had run, so block {number} ran: its gradient", number=bodies[0].block)
    if back and any(event.parts):
        return say("the branch had not run: what it writes over keeps the gradient that it has")
    if back:
        return say("the branch had not run: no gradient comes from it, only zeros")
    condition, number = trace.known(event.inputs[:1])[0], bodies[0].block if bodies else None
    is_true = (numbers_of(condition) != 0).all() if follows(condition) else np.bool_(bool(bodies))
    ran = Claim("{name} is true, so block {number} ran", is_true, name=condition.name, number=number)
    skipped = Claim("{name} is false: the block did not run", ~is_true, name=condition.name)
    return "".join(tell([ran if bodies else skipped]))


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
        given = names_of(trace.known(event.outputs))
        return say("the gradient goes to what was taken, as {names}", names=given)
    taken = [id_ for terms in event.parts for id_ in terms or ()]
    return say("the branch that ran made {names}", names=names_of(trace.known(taken or event.inputs[1:])))


def why(trace: Trace, event: Event) -> Why:
    """Return the explanation of an event's results."""
    match event:
        case Op() | Update():
            return _why_op(trace, event)
        case Grad():
            return _why_grad(trace, event)
        case Accumulate():
            return explain_sum(trace, event)
        case Store():
            return explain_store(trace, event)
        case Enter():
            return _why_enter(trace, event)
    return _why_error(trace, event)


def _why_op(trace: Trace, event: Event) -> Why:
    answer = Why()
    outputs = trace.known(event.outputs)
    op = TABLE.get(event.op)
    if op is None:
        answer.rule, answer.numbers = _own_lines(trace, event)
        answer.says.append(explain_program_operator(trace, event) or _own_code(trace, event, "forward"))
        count = len(trace.bodies(event)) if event.control == "loop" and answer.numbers else 1
        if count > 1:
            answer.say("the numbers are those of iteration 1 of {count}", count=count)
    else:
        explain_forward(trace, op, event, answer)
    if event.kind == "update":
        return answer
    if event.saved:
        return answer.say("kept for backward: {names}", names=names_of(trace.known(event.saved)))
    if op is not None and not trace.known(event.inputs):  # without inputs: no gradient to speak of
        return answer
    if outputs and all(value.stop_gradient for value in outputs):
        return _add_why_not_recorded(trace, event, answer)
    return answer if op is None else answer.say("nothing needs to be kept for backward")


def _add_why_not_recorded(trace: Trace, event: Event, answer: Why) -> Why:
    """Add why an operator left no node on the tape."""
    around = None if event.parent is None else trace.events[event.parent]
    if around is not None and around.op == "forward":
        return answer.say(
            "{name}.forward is not recorded: {name}.backward says what its gradient is", name=around.title
        )
    wanting = any(not value.stop_gradient for value in trace.known(event.inputs))
    if event.phase == "backward" and wanting and isinstance(event, Op) and not event.grad:
        return answer.say(
            "the gradient of this is not recorded: backward records only with create_graph=True"
        )
    found = why_unrecorded(trace, event, trace.known(event.outputs)[0])
    if found is None:
        return answer.say("nothing is recorded here: no input requires gradient (stop_gradient)")
    answer.says.append(said_here(found))
    return answer


def _why_grad(trace: Trace, event: Event) -> Why:
    forward = trace.differentiated(event)
    if forward is None:
        return Why().say("the forward call of this gradient was not recorded")
    answer = Why(says=where_it_came_from(trace, event, forward))
    op = TABLE.get(forward.op)
    if op is None:
        return _why_py_layer(trace, event, forward, answer)
    for rule in op.rules:
        explain_rule(trace, op, rule, forward, event, answer)
    wanted = Counter(id_ for id_, made in zip(forward.inputs, event.outputs) if made is not None)
    for id_, count in wanted.items():
        if id_ is not None and count > 1:
            answer.say(
                "{name} stands there {count} times: a gradient for each, added next",
                name=trace.values[id_].name,
                count=count,
            )
    for lines in (answer.rule, answer.numbers, answer.says):  # `w * w` has the same rule for both
        lines[:] = dict.fromkeys(lines)
    for id_, made in zip(forward.inputs, event.outputs):
        value = trace.value(id_)
        if value is not None and made is None and value.stop_gradient:
            _add_why_stopped(trace, value, answer)
    return answer


def _add_why_stopped(trace: Trace, value: Value, answer: Why) -> None:
    """Add why a value gets no gradient: where the tape ends, or where `stop_gradient` was set."""
    found, made = unrecorded_before(trace, value), trace.maker(value)
    if found is not None:
        answer.says.append(said_of(value, found))
    elif made is None or made.where is None:
        answer.say("{name} gets none: stop_gradient", name=value.name)
    else:
        which = {"name": value.name, "op": made.title, "where": place(made)}
        answer.say("{name} gets none: stop_gradient ({op}, {where})", **which)


def _why_py_layer(trace: Trace, event: Event, forward: Event, answer: Why) -> Why:
    """Add the user's own lines and their values, for the gradient of a PyLayer."""
    answer.rule, answer.numbers = _own_lines(trace, event)
    given = trace.known(event.outputs)
    if len(given) > 1:  # every result, by the name of the value whose gradient it is
        answers = {value.name for value in trace.known(one for part in event.parts for one in part or ())}
        kept = [line for line in answer.numbers if line.partition("  ")[0] not in answers]
        answer.numbers = [*kept, *map(_in_short, given)]
    add_formulas(trace, event, answer)
    in_a_program = explain_program_operator(trace, event)
    if forward.saved and not in_a_program:
        names = names_of(trace.known(forward.saved))
        answer.say("ctx.saved_tensor() gave back {names}, kept by forward", names=names)
    answer.says.append(in_a_program or _own_code(trace, event, "backward"))
    return answer


def _own_code(trace: Trace, event: Event, which: str) -> str:
    if event.body is None:
        return say(
            "{name} runs as a whole: what happens inside was not recorded (a Program of to_static, or an earlier call)",
            name=event.title,
        )
    whose = _owner_words(trace.events[event.body[0]])
    return say("{name} is {whose}: `step` goes into it", name=f"{event.title}.{which}", whose=whose)


def _owner_words(enter: Event) -> str:
    is_paddles = isinstance(enter, Enter) and enter.is_paddles
    return say("Paddle's own code") if is_paddles else say("the user's own code")


def _own_lines(trace: Trace, event: Event) -> tuple[list[str], list[str]]:
    """Return the user's lines that ran in a body, with the values that they got and made."""
    enter, leave = event.body or (0, 0)
    inside = [one for one in trace.events[enter:leave] if one.kind == "op" and one.parent == enter]
    read = [value for one in inside for value in trace.known(one.inputs)]
    # of a py_func, its parameters
    got = [one for one in read if one.producer is None or one.producer <= enter]
    lines = {
        one.where.text.removeprefix("return "): trace.known(one.outputs)[:1]
        for one in inside
        if one.where not in (None, event.where)  # else it only passes a result on
    }
    values = {value.id: value for value in (*got, *chain(*lines.values()))}
    return list(lines), list(map(_in_short, values.values()))


def _in_short(value: Value) -> str:
    return spaced(value.name, shape_text(value), glance(value))


def _why_enter(trace: Trace, event: Enter) -> Why:
    names, what = names_of(trace.known(event.inputs)), body_title(event)
    if event.op == "block":
        begins = say("a block of the Program begins: {what}", what=what)
        return Why(says=[begins + (say("; it works on {names}", names=names) if names else "")])
    begins = say("{whose} begins: {what}", whose=_owner_words(event), what=what)
    return Why(says=[begins + (say(", which receives {names}", names=names) if names else "")])


def _why_error(trace: Trace, event: Event) -> Why:
    freed = trace.value(event.about)
    made = None if freed is None else trace.maker(freed)
    if freed is None or made is None or FREED not in event.note:
        return Why(says=event.note.splitlines())
    before = reversed(trace.events[: event.index])  # a pass that retained the graph may have come first
    last = next((one for one in before if one.kind == "grad" and one.origin == made.index), None)
    marker = last and trace.began(last.pass_number)
    answer = Why().say(
        "{name} ({op}, {where}) has been gone through: pass {number} ({at}) freed what it had kept, without "
        "retain_graph=True",
        name=freed.name, op=made.title, where=place(made),
        number="?" if last is None else trace.pass_of(last), at="?" if marker is None else place(marker),
    )  # fmt: skip
    return Why(says=[*answer.says, *event.note.splitlines()])
