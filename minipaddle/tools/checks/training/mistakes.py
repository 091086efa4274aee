"""Mistakes of a training loop, each found once, with its line and the first pass that shows it.

The last of them are about the loss: probabilities passed instead of scores, shapes that broadcast.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from minipaddle.ops.definition.traits import has
from minipaddle.tools.checks.training.steps import Step, loss_of, rate_of, ratios_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import place
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


class Mistake(NamedTuple):
    """One mistake of the loop."""

    kind: str
    sentence: str
    where: str
    """The user's line, ``train.py:12``."""
    number: int
    """The backward pass that shows it first."""


def mistake(sentence: str, kind: str, at: Event, step: Step, **parts: object) -> Mistake:
    """Return a mistake at the line of an event; the sentence may use that line, {where}, and the operator, {op}."""
    where = place(at)
    said = say(sentence, **{"op": at.title, "where": where, **parts})
    return Mistake(kind, said, where, step.number)


Ratios = Sequence[dict[str, float]]
_NOTHING = 1e-9  # beside weights of size 1 float32 does not even round to it
_SMALL = 1e-7  # a rate below it moves no float32 weight whose gradient is of its own size
_BLOWN = 1e3  # the loss has run away at this many times its least value: ordinary noise is smaller
_LARGE = 0.5  # a large update: it changes the weights by half of their size


def mistakes_of(trace: Trace, steps: list[Step], losses: list[float], ratios: Ratios) -> list[Mistake]:
    """Return the mistakes of a loop, each kind once."""
    finders: list[Callable[[Trace, list[Step]], Iterator[Mistake]]] = [
        _not_cleared,
        _old_graphs,
        _kept_graphs,
        _in_eval_mode,
        _never_updated,
        _emptied,
        _stands_still,
        _same_loss,
        _of_losses,
    ]
    found = [next(finder(trace, steps), None) for finder in finders]
    found.append(_blown_up(trace, steps, losses, ratios))
    kinds = {one.kind for one in found if one is not None}
    return [
        one for one in found if one is not None and not (one.kind == "kept graph" and "old graph" in kinds)
    ]


def _not_cleared(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield where an update uses gradients that were added to those from before the update before it."""
    last: dict[int, tuple[Event, int]] = {}  # by holder: the store before, and the value of the leaf then
    mixed: dict[int, Mistake] = {}  # by holder: where that was, as long as nobody clears it
    for step, after in zip(steps, [*steps[1:], None]):
        for store in step.stores:
            leaf = trace.value(store.about)
            if leaf is None:
                continue
            before, held = last.get(leaf.holder), trace.value(store.before)
            if held is None:
                mixed.pop(leaf.holder, None)
            if held is not None and held.stat("norm") and before is not None and before[1] != leaf.id:
                update = trace.maker(leaf)
                since = say("the update") if update is None else f"{update.title} ({place(update)})"
                mixed[leaf.holder] = mistake(
                    "{where} adds the gradient of {name} to that of the step before: no clear_grad after {update}",
                    kind="not cleared", at=store, step=step, name=leaf.name, update=since,
                )  # fmt: skip
            last[leaf.holder] = store, leaf.id
        by_hand = (event for event in (after.forward if after else ()) if event.kind == "update")
        updated = (trace.value(event.about) for event in (*step.updates, *by_hand))
        yield from (mixed[leaf.holder] for leaf in updated if leaf is not None and leaf.holder in mixed)


def _old_graphs(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield passes that go back through calls of an earlier step, named by the value that connects the two."""
    seen: dict[int, int] = {}
    updated = -1  # index of the last update before the step
    for step in steps:
        origins = [forward.index for forward, _ in step.through(trace)]
        old = {origin for origin in origins if origin in seen and origin < updated}
        for origin in origins if old else ():
            join = trace.events[origin]
            joined = next((v for v in trace.known(join.inputs) if v.producer in old), None)
            if join.index > updated and joined is not None:
                yield mistake(
                    "{op} ({where}) takes {name} of an earlier step along: backward goes through that again",
                    kind="old graph", at=join, step=step, name=joined.name,
                )  # fmt: skip
        seen.update(dict.fromkeys(origins, step.number))
        updated = max((event.index for event in step.updates), default=updated)


def _kept_graphs(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield losses of finished steps that are summed with their graphs."""
    done: set[int] = set()
    sums: dict[object, int] = {}  # by line
    for step, after in zip(steps, [*steps[1:], None]):
        done |= {root.id for root in step.roots} if step.updates else set()
        for event in after.forward if after is not None else ():
            is_sum = event.kind == "op" and event.op in ("elementwise_add", "sum", "stack", "concat")
            wants = any(not value.stop_gradient for value in trace.known(event.outputs))
            taken = next((value for value in trace.known(event.inputs) if value.id in done), None)
            sources = (trace.maker(value) for value in trace.known(event.inputs))
            grows = any(made is not None and made.where == event.where for made in sources)
            if is_sum and wants and taken is not None and event.where is not None and grows:
                sums[event.where] = sums.get(event.where, 0) + 1
                if sums[event.where] == 2:
                    yield mistake(
                        "{where} adds {name} up with its graph, which no step lets go: add float({name})",
                        kind="kept graph", at=event, step=step, name=taken.name,
                    )  # fmt: skip


def _in_eval_mode(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield layers in eval mode in a pass that trains, although they are in training mode elsewhere."""
    for step in steps:
        for forward, _ in step.through(trace) if step.updates else ():
            if forward.op not in ("batch_norm", "dropout") or not forward.attrs.get("is_test"):
                continue
            scale = trace.value(forward.inputs[1]) if len(forward.inputs) > 1 else None
            is_frozen = scale is not None and scale.stop_gradient
            if forward.scope is not None and not forward.scope.training and not is_frozen:
                yield mistake(
                    "{op} ({where}, {layer}) is in eval mode while pass {number} trains: call train() before it",
                    kind="eval mode", at=forward, step=step, layer=forward.scope.path, number=step.number,
                )  # fmt: skip


def _never_updated(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield parameters with gradients that no optimizer has, or that no optimizer has ever stepped."""
    leaves = ((leaf, step) for step in steps for leaf, _ in step.leaves(trace))
    stored: dict[int, list[tuple[Value, Step]]] = {}
    for leaf, step in leaves:
        if leaf.kind == "parameter" or any(leaf.holder in one for one in trace.trained):
            stored.setdefault(leaf.holder, []).append((leaf, step))
    changed = {value.holder for value in trace.values if value.version and value.holder in stored}
    lost = [told for holder, told in stored.items() if holder not in changed]
    if not trace.trained or not lost:
        return
    step = lost[0][0][1]
    outside = [told[0][0] for told in lost if not any(told[0][0].holder in one for one in trace.trained)]
    waiting = [told[0][0] for told in lost if len(told) > 1]
    if outside and (changed or len(steps) > 1):
        yield mistake(
            "no optimizer has {name}: it gets a gradient, and nothing updates it{more}",
            at=step.marker, step=step, kind="no optimizer", name=outside[0].name, more=_more(outside),
        )  # fmt: skip
    elif not changed and len(steps) > 1:
        yield mistake(
            "no optimizer steps in {count} passes: nothing is updated",
            kind="no step", at=steps[0].marker, step=steps[0], count=len(steps),
        )  # fmt: skip
    elif waiting and changed and not trace.cut_off:
        told = next(told for told in lost if len(told) > 1)
        yield mistake(
            "no step of an optimizer updates {name}: {count} passes give it a gradient ({where}){more}",
            at=told[0][1].marker, step=told[0][1], kind="no step", name=told[0][0].name, count=len(told),
            more=_more(waiting),
        )  # fmt: skip


def _more(leaves: Sequence[Value]) -> str:
    """Return the names of the leaves of which the same is true as of the first."""
    others = ", ".join(one.name for one in leaves[1:4]) + (", ..." if len(leaves) > 4 else "")
    more = say("{count} more like it: {names}", count=len(leaves) - 1, names=others)
    return f"; {more}" if others else ""


def _emptied(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield updates with zero gradients though backward computed others: they were cleared in between."""
    for step in steps:
        given = {leaf.holder: arrived for leaf, arrived in step.leaves(trace)}
        for update in step.updates:
            leaf, taken = trace.value(update.inputs[0]), trace.value(update.inputs[1])
            if leaf is None or taken is None or leaf.holder not in given:
                continue
            arrived = given[leaf.holder]
            if taken.stat("norm") == 0 and arrived.stat("norm") > 0 and trace.maker(taken) is None:
                yield mistake(
                    "{op} ({where}) takes zeros for {name}, which had a gradient: it was cleared before the update",
                    kind="emptied", at=update, step=step, name=leaf.name,
                )  # fmt: skip


def _moves(trace: Trace, step: Step) -> bool:
    """Return whether an update after a step changes numbers that are not zero."""
    return any(_NOTHING < ratio < math.inf for ratio in ratios_of(trace, step, None).values())


def _stands_still(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield updates that leave all weights as they are, though they have gradients."""
    trained = [
        step for step in steps if step.updates and any(value.stat("norm") for _, value in step.leaves(trace))
    ]
    rates = [rate_of(trace, step.updates[0]) for step in trained]
    warms_up = len(trained) == 1 and any("lr." in text or "Warmup" in text for text in trace.sources.values())
    if trained and not warms_up and max(rates) < _SMALL and not any(_moves(trace, step) for step in trained):
        yield mistake(
            "the learning rate is {rate}: {op} ({where}) leaves the weights as they are",
            kind="learning rate", at=trained[0].updates[0], step=trained[0], rate=number(max(rates)),
        )  # fmt: skip


def _same_loss(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a loss that no update changes: it was computed once, before the loop."""
    trained = [step for step in steps if step.roots and _moves(trace, step)]
    for first, *others in grouped((step.roots[0].id, step) for step in trained).values():
        made = trace.maker(first.roots[0])
        if others and made is not None:
            yield mistake(
                "the loss stays {loss} while the weights move: {name} is computed once, at {where}, and {count} passes "
                "go back from it; compute it in the loop",
                kind="same loss", at=made, step=others[0], loss=number(loss_of(first)), name=first.roots[0].name,
                count=len(others) + 1,
            )  # fmt: skip


def _of_losses(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield mistakes in how the loss is computed."""
    for step, *_ in grouped((step.marker.where, step) for step in steps).values():
        through = [forward for forward, _ in step.through(trace)]
        for sentence, event in (*probabilities_in(trace, through), *broadcast_in(trace, through)):
            yield Mistake("loss", sentence, place(event), step.number)


def _blown_up(trace: Trace, steps: list[Step], losses: list[float], ratios: Ratios) -> Mistake | None:
    """Return the mistake of a learning rate so large that the loss explodes; None if there is none."""
    least = math.inf
    for at, loss in enumerate(losses):
        if at and (not math.isfinite(loss) or abs(loss) > _BLOWN * max(least, 1e-3)):
            break
        least = min(least, abs(loss))
    else:
        return None
    for step, ratio in zip(steps[: at + 1], ratios):
        large = {name: size for name, size in ratio.items() if size > _LARGE and size != math.inf}
        if large and step.updates:
            name = max(large, key=lambda one: large[one])
            update = step.updates[0]
            return mistake(
                "the learning rate {rate} is too large: {op} ({where}) moves {name} by {ratio} times its own size in "
                "pass {first}, and the loss is {loss} in pass {number}",
                kind="learning rate", at=update, step=step, rate=number(rate_of(trace, update)), name=name,
                ratio=number(large[name]), first=step.number, loss=number(losses[at]), number=steps[at].number,
            )  # fmt: skip
    return None


def probabilities_in(trace: Trace, calls: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Yield losses that take scores but get probabilities."""
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
    """Return the event that made the numbers of a value, apart from changes of shape."""
    made = None if value is None else trace.maker(value)
    while made is not None and has("same numbers", made.op):
        (value, *_) = trace.known(made.inputs)
        made = trace.maker(value)
    return made


def broadcast_in(trace: Trace, calls: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    """Yield averaged differences of a column and a row, such as a prediction and data: [8, 1] - [8]."""
    readers = grouped((id_, event) for event in calls for id_ in event.inputs if id_ is not None)
    for event in calls:
        if event.op not in ("elementwise_sub", "huber_loss", "elementwise_mul") or len(event.inputs) < 2:
            continue
        one, other = trace.value(event.inputs[0]), trace.value(event.inputs[1])
        if one is None or other is None:
            continue
        short, long = sorted(
            (one.shape, other.shape), key=len
        )  # a column and as many numbers: [8, 1] and [8]
        if len(long) != len(short) + 1 or long[-1] != 1 or long[:-1] != short or short[-1] < 2:
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


def _is_averaged(event: Event, readers: dict[int, list[Event]]) -> bool:
    """Return whether only elementwise calls and a reduction follow."""
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
