"""The answer to why for one value, by its name: a leaf's gradient, or the event that made the value."""

from minipaddle.tools.explain.autopsy.verdict import Autopsies, Autopsy
from minipaddle.tools.explain.formula import Why
from minipaddle.tools.explain.rule import said_of_hooks
from minipaddle.tools.explain.why import why
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import ancestors, place, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, not_finite, number


def explain_value(trace: Trace, value: Value, number: int) -> Why:
    """Return why a value has its numbers, seen from backward pass `number`; for a leaf, why its gradient has.

    The content of a leaf's ``.grad`` is explained in the pass that stored it.
    """
    made, leaf = trace.maker(value), value
    if made is None and value.kind == "gradient" and value.same is not None and value.replaces is None:
        return explain_value(trace, trace.values[value.same], number)  # of retain_grads()
    if value.kind == "gradient" and made is not None and made.kind == "store":
        leaf, number = trace.owner(value), made.pass_number
    if trace.began(number) is not None:
        look = Autopsies(trace, number)
        found = look.of(leaf)
        heirs = [value for value in trace.values if value.same is not None and value.kind == "parameter"]
        while found.store is None and (
            heir := next((one for one in heirs if one.same == found.leaf.id), None)
        ):
            found = look.of(heir)  # the value that a Scope passed on to another Program
        if found.store is not None or look.one.is_leaf(leaf):
            return _of_leaf(trace, found)
    if made is None:
        return _of_unmade(trace, value, number)
    answer = why(trace, made)
    first = say("{name} was made by {op}", name=value.name, op=title(made))
    where = place(made)
    return Why(answer.rule, answer.numbers, [f"{first} ({where})" if where else first, *answer.says])


def _of_leaf(trace: Trace, found: Autopsy) -> Why:
    """Return the autopsy of a leaf, followed by the sum or store that made its gradient."""
    first = found.reason.sentence if found.reason is not None else _well(trace, found)
    if found.store is None:
        return Why(says=[first])
    arrived = next(iter(trace.known(found.store.inputs)), None)
    made = None if arrived is None else trace.maker(arrived)
    kept, before = why(trace, found.store), found.store.before is not None
    if made is None or made.kind == "store" or (before and made.kind == "accumulate"):
        answer = kept  # of all terms, those from before the pass among them
    else:
        answer = why(trace, made)
    if before and answer is not kept:
        answer.rule, answer.numbers = [*kept.rule, *answer.rule], [*kept.numbers, *answer.numbers]
    taken = _of_update(trace, found)
    return Why(answer.rule, answer.numbers, list(dict.fromkeys([first, *taken, *answer.says, *kept.says])))


def _of_update(trace: Trace, found: Autopsy) -> list[str]:
    """Return the changes of a gradient before an optimizer read it: clipping, decay, unscaling of the loss."""
    update = _taken_by(trace, found)
    held = None if found.store is None else trace.value(found.store.outputs[0])
    taken = None if update is None else trace.value(update.inputs[1])
    made = None if held is None or taken is None else _changed_by(trace, held, taken)
    if update is None or taken is None or held is None or made is None or held.stats == taken.stats:
        return []  # no change: a clip of a norm below its limit
    if not_finite(held.stats) or not_finite(taken.stats):  # norms count finite elements only
        return []
    norms = number(held.stats.norm), number(taken.stats.norm)
    return [
        say(
            "{update} ({where}) took it as {taken}; it was {given} before {op} ({at})",
            update=update.title, where=place(update), taken=norms[1], given=norms[0], op=made.title, at=place(made),
        )
    ]  # fmt: skip


def _changed_by(trace: Trace, held: Value, taken: Value) -> Event | None:
    """Return the last operator that read `held` on the way to `taken`; None if there is none."""
    made = (trace.maker(one) for one in ancestors(trace, taken))
    calls = [one for one in made if one is not None and one.kind == "op"]
    read = (one for one in calls if any(held.id in (of.id, of.same) for of in trace.known(one.inputs)))
    return max(read, key=lambda one: one.index, default=None)


def _taken_by(trace: Trace, found: Autopsy) -> Event | None:
    """Return the update that read a leaf's ``.grad`` after the pass; None if the next pass came first."""
    for event in trace.events[found.store.index + 1 :] if found.store is not None else ():
        about = trace.value(event.about) if event.kind in ("store", "update") else None
        if about is not None and about.holder == found.leaf.holder and len(event.inputs) != 2:  # no set_value
            return event if event.kind == "update" else None
    return None


def _well(trace: Trace, found: Autopsy) -> str:
    """Return the sentence on a gradient without a fault."""
    store = found.store
    gradient = None if store is None else next(iter(trace.known(store.inputs)), None)
    if store is None or gradient is None:
        return say("{name} gets no gradient", name=found.leaf.name)
    held = next(iter(trace.known(store.outputs)), None)
    if store.before is not None and held is not None:
        return say(
            "{name}.grad is well: {numbers}; of this the pass brought {gradient}",
            name=found.leaf.name, numbers=glance(held), gradient=glance(gradient),
        )  # fmt: skip
    return say("the gradient of {name} is well: {numbers}", name=found.leaf.name, numbers=glance(gradient))


def _of_unmade(trace: Trace, value: Value, number: int) -> Why:
    """Return the sentence on a value that no event made."""
    if value.seed:
        return Why().say("backward began with {name}", name=value.name)
    replaced, before = said_of_hooks(trace, value), trace.value(value.came_from)
    if replaced and before is not None:
        return Why(says=[replaced]).say(
            "it was {before}, and is {after}", before=glance(before), after=glance(value)
        )
    if value.stop_gradient and value.kind == "data" and number in trace.pass_numbers:
        reason = Autopsies(trace, number).of(value).reason
        if reason is not None:
            return Why(says=[reason.sentence])
    return Why().say("{name} came with it into the recording", name=value.name)
