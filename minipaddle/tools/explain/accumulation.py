"""Why gradients are added where they meet, and kept at leaves."""

import numpy as np

from minipaddle.tools.explain.formula import Why, names_of, numbers_for
from minipaddle.tools.explain.live_answers import leaf_of
from minipaddle.tools.explain.rule import said_of_hooks
from minipaddle.tools.explain.symbols.simplify import apply
from minipaddle.tools.explain.terms import add_shares, parts_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import tally


def explain_sum(trace: Trace, event: Event) -> Why:
    """Return why a gradient so far and what has just arrived are added."""
    before, newcomer = trace.known(event.inputs)[:2]
    total = next(iter(trace.known(event.outputs)), None)
    name = newcomer.name if total is None else total.name
    answer = Why(rule=[say("{name} = {name} so far + what just arrived", name=name)])
    if name != newcomer.name:  # in a Program the parts have names of their own
        answer.rule = [f"{name} = {before.name} + {newcomer.name}"]
    if total is not None:
        if before.array is not None:
            _add_numbers(answer, before, newcomer, total, name)
        add_shares(answer, trace, total)
    known = [_user_of(trace, value) for value in parts_of(trace, before, newcomer)]
    users = ", ".join([tally(filter(None, known)), *(["..."] if not all(known) else [])])
    return answer.say(
        "{name} was used more than once{used}, so the gradients that come back are added",
        name=trace.owner(newcomer if total is None else total).name,
        used=f" ({users})" if users else "",
    )


def _user_of(trace: Trace, gradient: Value) -> str:
    """Return which operator sent a gradient back, and its line; "" if that is not known."""
    made = trace.maker(gradient)
    forward = None if made is None or made.origin is None else trace.events[made.origin]
    if forward is None:
        return ""
    at = f" {place(forward)}" if forward.where else ""
    return f"{forward.title}{at}"


def _written_over(trace: Trace, store: Event) -> Event | None:
    """Return the operator of the same run that writes another value into the gradient's Variable, or None."""
    (gradient,) = trace.known(store.inputs)
    later = (value for value in trace.values if value.holder == gradient.holder)
    after = next((value for value in later if value.version == gradient.version + 1), None)
    made = None if after is None else trace.maker(after)
    return made if made is not None and made.kind == "op" and made.index > store.index else None


def explain_store(trace: Trace, event: Store) -> Why:
    """Return what becomes of a whole gradient at a leaf."""
    if event.into == "program":
        names = names_of(trace.known(event.inputs))
        over = _written_over(trace, event)
        if over is not None:
            return Why().say(
                "this is the whole gradient of {name}; {op} writes {names} over, and a fetch gives what that made",
                name=event.title,
                op=over.title,
                names=names,
            )
        return Why().say(
            "this is the whole gradient of {name}; fetch_list=[{names!r}]", name=event.title, names=names
        )
    if event.op == "returned":
        return Why().say(
            "paddle.grad returns this gradient of {name}; {name}.grad stays as it is", name=event.title
        )
    arrived = trace.known(event.inputs)[0]
    note = say("first write") if event.before is None else say("added to what was there")
    answer = Why(rule=[f"{event.title}.grad += {arrived.name}"])
    answer.say("{name} is a leaf: its gradient stays here ({note})", name=event.title, note=note)
    replaced = said_of_hooks(trace, event, arrived)
    if replaced:
        answer.says.append(replaced)
    before, held = trace.value(event.before), trace.known(event.outputs)
    if before is not None and held:
        _add_numbers(answer, before, arrived, held[0], f"{event.title}.grad")
    add_shares(answer, trace, held[0] if held else arrived)
    return answer


def _add_numbers(answer: Why, before: Value, arrived: Value, total: Value, name: str) -> None:
    """Add one element of a sum of two, where what arrived and the sum are known."""
    if arrived.array is None or total.array is None:
        return
    held = total.array - arrived.array if before.array is None else before.array
    tree = apply(np.add, leaf_of(before, "so_far", held), leaf_of(arrived, "arrived", arrived.array))
    answer.numbers += numbers_for(name, tree, total)
