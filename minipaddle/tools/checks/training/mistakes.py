"""Mistakes of a training loop, each found once, with its line and the first pass that shows it.

Those of updates are in :mod:`.weights`, those of one pass, in how its loss is computed, in :mod:`.loss`.
"""

import math
from collections import Counter
from collections.abc import Iterator

from minipaddle.tools.checks.training.loop import LOOP_FINDERS
from minipaddle.tools.checks.training.loss import compared_with_all, mistakes_in_losses
from minipaddle.tools.checks.training.no_progress import NO_PROGRESS
from minipaddle.tools.checks.training.read_numbers import READ
from minipaddle.tools.checks.training.steps import (
    CLEARS,
    Finder,
    Groups,
    Mistake,
    Step,
    mistake,
    more_like,
    passes_before_update,
    rate_of,
    writes,
)
from minipaddle.tools.checks.training.weights import FINDERS
from minipaddle.tools.explain.autopsy.verdict import HIGH, why_outside
from minipaddle.tools.explain.user_source import calls_of, kept_at, step_condition, the_call, uncalled
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Backward, Store
from minipaddle.tools.words.events import ancestors, place, trainer_text
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import number

_BLOWN = 1e3  # the loss has run away at this many times its least value: ordinary noise is smaller
_MANY = 32  # numbers in a sum from which its gradient is another matter than that of their mean
_LOOKED_AT = 16  # answers that no pass goes back from: all of one kind are alike
_FEW = 2  # passes whose gradients are added up on purpose: those of two losses
_IN_EVAL_MODE = phrase(
    "{op} ({where}) acts as in training though {network} is in eval mode, where {there} asks for its answers: "
    "training=self.training says when"
)
_GROWN = 2  # data this much larger than at first: their loss may grow by itself
_LARGE = 0.5  # a large update: it changes the weights by half of their size
_CAUSES = {"kept graph": ("old graph",), "NaN": ("learning rate", "added up"), "learning rate": ("late",)}
"""The kinds of mistakes that cause another one, which is not told beside them."""


def mistakes_of(trace: Trace, steps: list[Step]) -> list[Mistake]:
    """Return the mistakes of a loop, each kind once."""
    finders: list[Finder] = [
        _not_cleared,
        _old_graphs,
        _kept_graphs,
        _in_eval_mode,
        _in_train_mode,
        _never_updated,
        _emptied,
        *FINDERS,
        *LOOP_FINDERS,
        *READ,
        compared_with_all,
        *NO_PROGRESS,
        _blown_up,
        _not_finite,
    ]
    told = [next(finder(trace, steps), None) for finder in finders]
    found = [one for one in (*told, *mistakes_in_losses(trace, steps)) if one is not None]
    kinds = {one.kind for one in found}
    return [one for one in found if kinds.isdisjoint(_CAUSES.get(one.kind, ()))]


def _not_cleared(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield where an update uses gradients that were added to those from before the update before it."""
    last: dict[int, tuple[Event, int]] = {}  # by holder: the store before, and the value of the leaf then
    mixed: dict[int, Mistake] = {}  # by holder: where that was, as long as nobody clears it
    for step, after in zip(steps, [*steps[1:], None]):
        for store in step.stores:
            leaf = trace.values[store.about or 0]
            before, held = last.get(leaf.holder), trace.value(store.before)
            if held is None:
                mixed.pop(leaf.holder, None)
            if held is not None and held.stat("norm") and before is not None and before[1] != leaf.id:
                update = trace.maker(leaf)
                since = say("the update") if update is None else f"{update.title} ({place(update)})"
                mixed[leaf.holder] = mistake(
                    "{where} adds the gradient of {name} to that of the step before: no clear_grad after "
                    "{update}{call}",
                    kind="not cleared", at=store, step=step, name=leaf, update=since, call=uncalled(trace, *CLEARS),
                )  # fmt: skip
            last[leaf.holder] = store, leaf.id
        by_hand = (before for _, before, _ in writes(trace, after.forward if after else ()))
        updated = (*(trace.value(event.about) for event in step.updates), *by_hand)
        yield from (mixed[leaf.holder] for leaf in updated if leaf is not None and leaf.holder in mixed)


def _old_graphs(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield passes that go back through calls of an earlier step, named by the value that connects the two."""
    seen: dict[int, int] = {}
    updated = -1  # index of the last update before the step
    for step in steps:
        origins = [forward.index for forward, _ in step.through()]
        old = {origin for origin in origins if origin in seen and origin < updated}
        for origin in origins if old else ():
            join = trace.events[origin]
            joined = next((v for v in trace.known(join.inputs) if v.producer in old), None)
            if join.index > updated and joined is not None:
                yield mistake(
                    "{op} ({where}) takes {name} of an earlier step along: backward goes through that again",
                    kind="old graph", at=join, step=step, name=joined, blamed=kept_at(trace, joined, step.marker.where),
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
                        kind="kept graph", at=event, step=step, name=taken,
                    )  # fmt: skip


def _in_eval_mode(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield layers in eval mode in a pass that trains, although they are in training mode elsewhere."""
    for step in steps:
        own: dict[str, Event] = {}
        for forward, _ in step.through() if step.updates else ():
            scale = trace.value(forward.inputs[1]) if len(forward.inputs) > 1 else None
            is_frozen = scale is not None and scale.stop_gradient
            if forward.op not in ("batch_norm", "dropout") or not forward.attrs.get("is_test") or is_frozen:
                continue
            if isinstance(step.marker, Backward) and step.marker.made_by == "program":
                yield mistake(
                    "{op} ({where}) is in eval mode while pass {number} trains: the Program is a clone(for_test=True)",
                    kind="eval mode", at=forward, step=step, number=step.number,
                )  # fmt: skip
            if forward.scope is not None and not forward.scope.training:
                own.setdefault(f"{forward.title} ({forward.scope.path})", forward)
        if own:
            forward = next(iter(own.values()))
            yield mistake(
                "{op} ({where}, layer {layer}) is in eval mode while pass {number} trains{by}: call train() before "
                "it{more}",
                kind="eval mode", at=forward, step=step, layer=forward.scope and forward.scope.path, number=step.number,
                by=the_call(trace, "eval"), more=more_like([*own]),
            )  # fmt: skip


def _in_train_mode(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield an evaluation by a trained network in training mode: no loss, and not several answers for one input."""
    back = {forward.index for step in steps for forward, _ in step.through()}
    scoped = ((event.scope, event) for event in trace.events if event.kind == "op")
    calls = grouped(([*scope.around()][-1], event) for scope, event in scoped if scope)
    idle = [(call, one) for call, one in calls.items() if back.isdisjoint(each.index for each in one)]
    fed = [
        {id_ for each in one for id_ in each.inputs} - {id_ for each in one for id_ in each.outputs}
        for _, one in idle
    ]
    for (call, one), ids in zip(idle[:_LOOKED_AT], fed):
        drawn = (each for each in one if each.op in ("dropout", "batch_norm") and each.attrs.get("p", 1) > 0)
        alive = (each for each in drawn if not each.attrs.get("is_test"))
        noisy = next((each for each in alive if each.scope), None)
        trained = any(value.version for value in trace.known(ids) if value.kind == "parameter")
        read = next((read for read in trace.reads if read.before_event > one[-1].index), None)
        if noisy is None or not trained or fed.count(ids) > 1 or read is None or read.where is None:
            continue
        value, last = trace.values[read.value], read.where
        named = [at for at in calls_of(trace, call.path.rpartition(".")[2]) if at.file == last.file]
        if not value.stop_gradient or all(each.id not in one[-1].outputs for each in ancestors(trace, value)):
            continue
        if noisy.scope and not noisy.scope.training:
            yield mistake(_IN_EVAL_MODE, noisy, steps[-1], kind="train mode", network=call.path, there=last)
        else:
            yield mistake(
                "{network} is in training mode where {where} asks for its answers, and no pass trains on them: {op} "
                "({there}) makes them depend on chance, or on the rest of the batch; call {network}.eval() before",
                max((at for at in named if at.number <= last.number), default=last), steps[-1], kind="train mode",
                network=call.path, op=noisy.title, there=noisy,
            )  # fmt: skip


def _never_updated(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield parameters with gradients that no optimizer has, or that no optimizer has ever stepped."""
    leaves = [(leaf, step) for step in steps for leaf, _ in step.leaves()]
    stored: dict[int, list[tuple[Value, Step]]] = {}
    trained = {holder for holders in trace.trained for holder in holders}
    stores = (one for one in trace.events if isinstance(one, Store) and one.into != "grad")
    of_grad = {value.holder for one in stores for value in trace.known([one.about])}
    again = Counter(leaf.holder for leaf, _ in leaves)
    beside = {id(step) for leaf, step in leaves if leaf.holder in trained}
    for leaf, step in leaves:
        # one number, or what a layer keeps, neither data that paddle.grad was asked about nor made anew for each pass
        stays = again[leaf.holder] > 1 or (len(steps) == 1 and not trace.cut_off)
        is_kept = (leaf.stats.size == 1 or leaf.name[:5] == "self.") and leaf.holder not in of_grad
        is_kept = is_kept and stays and leaf not in step.roots
        if leaf.kind == "parameter" or leaf.holder in trained or (is_kept and id(step) in beside):
            stored.setdefault(leaf.holder, []).append((leaf, step))
    changed = {value.holder for value in trace.values if value.version and value.holder in stored}
    lost = [told for holder, told in stored.items() if holder not in changed]
    if not trace.trained or not lost:
        return
    outside = [leaf for (leaf, _), *_ in lost if not any(leaf.holder in one for one in trace.trained)]
    waiting = [told for told in lost if len(told) > 1]
    if outside and (changed or len(steps) > 1 or not any(trace.trained)):
        yield mistake(
            "no optimizer has {name}: it gets a gradient ({where}), and nothing updates it{by}{more}",
            at=lost[0][0][1].marker, step=lost[0][0][1], kind="in no optimizer", name=outside[0],
            more=more_like([leaf.name for leaf in outside]), by=why_outside(trace, outside[0]),
        )  # fmt: skip
    elif waiting and not (changed and trace.cut_off):
        leaf, step = waiting[0][0]
        owner = next(one for one in trace.optimizers if leaf.holder in one.holders)
        under, blamed = step_condition(trace)
        yield mistake(
            "no step() of {optimizer}{under} updates {name}: {count} passes give it a gradient ({where}){more}{call}",
            at=step.marker, step=step, kind="no step", name=leaf, count=len(waiting[0]), blamed=blamed, under=under,
            optimizer=trainer_text(owner), more=more_like([told[0][0].name for told in waiting]),
            call="" if under else uncalled(trace, "step"),
        )  # fmt: skip


def _emptied(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield updates with zero gradients though backward computed others: they were cleared in between."""
    for step in steps:
        given = {leaf.holder: arrived for leaf, arrived in step.leaves()}
        for update in step.updates:
            leaf, taken = trace.value(update.inputs[0]), trace.value(update.inputs[1])
            was = given.get(leaf.holder) if leaf else None
            if was and taken and was.stat("norm") > taken.stat("norm") == 0 and trace.maker(taken) is None:
                yield mistake(
                    "{op} ({where}) takes zeros for {name}, which had a gradient: it was cleared before the update{by}",
                    kind="emptied", at=update, step=step, name=leaf, by=the_call(trace, *CLEARS),
                )  # fmt: skip


def _blown_up(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield where a loss runs away, if updates as large as the weights have come before it."""
    for alike in grouped((step.marker.where, step) for step in steps).values():
        losses, least = [step.loss for step in alike], math.inf
        fed = [0.0 if (data := step.data()) is None else data.stats.rms for step in alike]
        for at, loss in enumerate(losses):
            returns = any(abs(one) < abs(losses[0]) for one in losses[at:])  # as those of several tasks do
            returns = returns or fed[at] > _GROWN * fed[0] > 0  # and those of data that get harder
            if at and not returns and (not math.isfinite(loss) or abs(loss) > _BLOWN * max(least, 1e-3)):
                yield from _rate_too_large(trace, alike[: at + 1], loss)
                break
            least = min(least, abs(loss))


def _not_finite(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a loss that is NaN, with the call that bore it: its gradient may be finite all the same."""
    for step in steps:
        born = (one for one in step.forward if any(value.stats.nans for value in trace.known(one.outputs)))
        event = next(born, None) if math.isnan(step.loss) else None
        if event is not None:
            yield mistake(
                "the loss is NaN in pass {number}: {op} ({where}) bore it; minipaddle nan follows it",
                kind="NaN", at=event, step=step, number=step.number,
            )  # fmt: skip


def _rate_too_large(trace: Trace, steps: list[Step], loss: float) -> Iterator[Mistake]:
    groups, (count, event) = Groups(trace), _summed(trace, steps[0])
    if any(gradient.stats.rms > HIGH for _, gradient in steps[0].leaves()) and event is None:
        return  # it is huge before any update: no rate has played a part
    for step in steps:
        ratios = step.ratios(groups)
        wanted = _LARGE if math.isfinite(loss) else 1  # of log(-1) a rate is innocent, as long as it is usual
        large = [(size, name) for name, size in ratios.items() if wanted < size < math.inf]
        if large and step.updates:
            update, (ratio, name) = step.updates[0], max(large)
            added = len(passes_before_update(trace, step.number)[0])
            last = {made.op for made in map(trace.maker, step.roots) if made}
            if added > _FEW and last.isdisjoint(("scale", "elementwise_div")):
                yield mistake(
                    "{op} ({where}) takes the sum of the gradients of {count} passes, {count} times their mean: it "
                    "moves {name} by {ratio} times its own size in pass {first}, and the loss is {loss} in pass "
                    "{number}; divide the loss by {count} before backward ({there})",
                    kind="added up", at=update, step=step, count=added, name=name, ratio=ratio,
                    first=step.number, loss=loss, number=steps[-1].number, there=step.marker, blamed=step.marker,
                )  # fmt: skip
            since = "" if event is None else say(
                "; the loss is a sum of {count} numbers ({op}, {there}): its gradient is {count} times that of their "
                "mean",
                count=number(count), op=event.title, there=place(event),
            )  # fmt: skip
            yield mistake(
                "the learning rate {rate}{owner} is too large: {op} ({where}) moves {name} by {ratio} times its own "
                "size in pass {first}, and the loss is {loss} in pass {number}{since}",
                kind="learning rate", at=update, step=step, name=name, rate=rate_of(trace, update)[0],
                blamed=event or step.trainer(), ratio=ratio, first=step.number, loss=loss,
                number=steps[-1].number, since=since,
            )  # fmt: skip


def _summed(trace: Trace, step: Step) -> tuple[float, Event | None]:
    """Return how many numbers of a batch a loss adds up without a mean, and the call that adds most of them."""
    waiting, count, most, found = [(root, 1.0) for root in step.roots], 0.0, 0.0, None
    for value, weight in waiting:
        made = trace.maker(value)
        op, inputs = ("", []) if made is None else (made.op, trace.known(made.inputs))
        if made is not None and op == "reduce_sum":
            terms = weight * inputs[0].stats.size / max(value.stats.size, 1)
            count += terms
            most, found = (terms, made) if terms > most else (most, found)
        elif made is not None and op in ("elementwise_add", "scale") and value.stats.size == 1:
            weight *= abs(made.attrs.get("scale", 1.0))
            waiting += [(one, weight) for one in inputs if not one.stop_gradient]
            found = found or (made if op == "elementwise_add" else None)
        elif not value.stop_gradient:
            count += weight
    return (count, found) if count > _MANY else (1.0, None)
