"""Mistakes in what is updated, and when: weights that stay, that are written at the wrong time, or that are copies.

Read next: :mod:`.loss`, the mistakes of one pass.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product

from minipaddle.engine.errors import Line
from minipaddle.ops.definition.traits import has
from minipaddle.tools.checks.training.steps import COMPARES, Finder, Mistake, Step, maker_of, mistake, rate_of
from minipaddle.tools.explain.user_source import at_line, names_in
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET
from minipaddle.tools.record.labels import without_number
from minipaddle.tools.record.reads_and_cuts import Cut
from minipaddle.tools.words.events import ancestors, trainer_text
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text

_OF_A_LAYER = re.compile(r"(w|b|weights?|bias|theta|alpha|beta|gamma|scale|shift)(_?\d+)?", re.IGNORECASE)
"""Names that people give to what is to be learned."""
_COUNTS = ("range(", "tqdm(range(", "trange(", "count(", "itertools.count(")
"""What a loop goes over that only counts."""
_IDLE = {"elementwise_mul": 1, "elementwise_add": 0}
"""Operators, and the number with which they change nothing: a scale or shift as it begins."""
_NOTHING = 1e-8
"""Beside weights of size 1, what float32 does not even round to."""
_SMALL = 1e-7
"""A rate below it moves no float32 weight whose gradient is of its own size."""


def _rewritten(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield writes between forward and backward to weights that the pass goes back through."""
    for step in steps:
        updates = (one for one in step.forward if one.kind == "update")
        for event, (forward, _) in product(updates, step.through()):
            written = {value.holder: value.id for value in trace.known(event.outputs)}
            for read in trace.known(forward.inputs) if event.index > forward.index else ():
                if written.get(read.holder, read.id) != read.id:
                    yield mistake(
                        "backward meets other weights than forward did: {op} ({where}) writes to {name} after {reader} "
                        "({there}) has read it; write after the update",
                        kind="rewritten", at=event, step=step, name=read, reader=forward.title, there=forward,
                    )  # fmt: skip


def _moves(step: Step) -> bool:
    """Return whether an update after a step changes numbers that are not zero."""
    return any(_NOTHING < ratio < math.inf for ratio in step.ratios().values())


def _stands_still(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield updates that leave all weights as they are, though they have gradients."""
    trained = [step for step in steps if step.updates and step.gradient]
    told = [rate_of(trace, step.updates[0]) for step in trained]
    rates = [rate for rate, stays in told if stays or len(trained) > 1]  # a warmup may begin with 0
    if rates and max(rates) < _SMALL and not any(_moves(step) for step in trained):
        yield mistake(
            "the learning rate{owner} is {rate}: {op} ({where}) leaves the weights as they are",
            kind="learning rate", at=trained[0].updates[0], step=trained[0], rate=max(rates),
            blamed=trained[0].trainer(),
        )  # fmt: skip


def _same_loss(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a loss that no update changes: it was computed once, before the loop."""
    trained = [step for step in steps if step.roots and _moves(step)]
    for first, *others in grouped((step.roots[0].id, step) for step in trained).values():
        made = trace.maker(first.roots[0])
        if others and made is not None:
            yield mistake(
                "the loss stays {loss} while the weights move: {name} is computed once, at {where}, and {count} passes "
                "go back from it; compute it in the loop",
                kind="same loss", at=made, step=others[0], loss=first.loss, name=first.roots[0],
                count=len(others) + 1,
            )  # fmt: skip


def _clipped_late(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield changes of a gradient that an update has already used, and that none uses afterwards."""
    stores = {
        out.holder: trace.owner(out)
        for step in steps
        for one in step.stores
        for out in trace.known(one.outputs)
    }
    used: dict[int, Event] = {}  # by holder of the leaf: the last update
    taken = {id_ for step in steps for update in step.updates for id_ in update.inputs[1:]}
    for event in trace.events:
        about = trace.value(event.about)
        if event.kind == "update" and event.op != SET and about is not None:
            used[about.holder] = event
        elif event.kind == "store" and about is not None:
            used.pop(about.holder, None)
        for made in trace.known(event.outputs) if event.kind in ("op", "update") else ():
            leaf = stores.get(made.holder)
            update = None if leaf is None else used.get(leaf.holder)
            if leaf is not None and update is not None and made.id not in taken and made.stat("norm"):
                yield mistake(
                    "{op} ({where}) changes the gradient of {name}, which {update} ({there}) has used: clip before "
                    "step()",
                    kind="late", at=event, step=steps[-1], name=leaf, update=update.title, there=update,
                )  # fmt: skip


def _made_anew(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield ``p = p - rate * p.grad``: a new tensor that nothing uses, while the leaf stays as it is."""
    passes = Counter(leaf.id for step in steps for leaf, _ in step.leaves())
    read = {id_ for event in trace.events for id_ in event.inputs}
    for event in trace.events:
        if event.kind != "op" or event.phase != "forward" or any(id_ in read for id_ in event.outputs):
            continue
        for leaf in trace.known(event.inputs):
            others = (value for value in trace.known(event.inputs) if value.id != leaf.id)
            behind = (one for value in others for one in ancestors(trace, value) if one.kind == "gradient")
            if passes[leaf.id] > 1 and any(trace.owner(one).holder == leaf.holder for one in behind):
                yield mistake(
                    "{op} ({where}) makes a new tensor of {name} and its gradient, and {name} itself stays as it is: "
                    "write into it, {name}.set_value(...), under no_grad",
                    kind="made anew", at=event, step=steps[0], name=leaf,
                )  # fmt: skip


def _bound_anew(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a leaf in place of one with its name that an optimizer has, and that got the gradients before."""
    trained = {holder: one for one in trace.optimizers for holder in one.holders}
    last: dict[tuple[str, Line | None], int] = {}
    for step, leaf in ((one, leaf) for one in steps for leaf, _ in one.leaves()):
        key = without_number(leaf.name), step.marker.where
        if leaf.holder in trained:
            last[key] = leaf.holder
        elif key in last and last[key] not in {one.holder for one, _ in step.leaves()}:
            yield mistake(
                "{where} makes a new tensor for {name}, and {optimizer} has the one before it, which no pass reads any "
                "more: write into it, {name}.set_value(...), under no_grad",
                trace.born(leaf), step, kind="made anew", name=key[0], optimizer=trainer_text(trained[last[key]]),
            )  # fmt: skip


def _listed_twice(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield parameters that an optimizer was given twice."""
    for step in steps:
        for update in step.updates:
            leaf = trace.value(update.about)
            if leaf is not None and any(one.count(leaf.holder) > 1 for one in trace.trained):
                yield mistake(
                    "the optimizer{owner} was given {name} twice: {op} ({where}) updates it twice in each step",
                    kind="twice", at=update, step=step, name=leaf, blamed=step.trainer(),
                )  # fmt: skip


def _copied(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a leaf that was made of the numbers of a parameter, where both are trained: a copy shares nothing."""
    sets = (event for event in trace.events if event.kind == "update" and event.op == SET)
    cuts = (cut for cut in trace.cuts if cut.how in ("numpy", "to_tensor"))
    made = [(event.inputs[1], event.inputs[0], event.index, event.where) for event in sets]
    made += [(cut.value, cut.made, cut.before_event, cut.where) for cut in cuts]
    for given, held, index, where in made:
        (_, source), copy = maker_of(trace, trace.value(given)), trace.value(held)
        if copy is None or source is None or source.kind != "parameter" or source.holder == copy.holder:
            continue
        for step in steps:
            stored = {leaf.holder: leaf.name for leaf, _ in step.leaves()}
            if index < step.marker.index and {copy.holder, source.holder} <= stored.keys():
                yield mistake(
                    "{name} ({where}) is a copy of {source}, no shared weight: from the first update on they differ",
                    where, step, kind="copy", name=stored[copy.holder], source=stored[source.holder],
                )  # fmt: skip


def _below_its_minimum(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a log likelihood, or a loss with a minus before it, where one optimizer minimizes it."""
    for step in steps if len(trace.trained) == 1 else ():
        for root in step.roots if step.updates else ():
            at, (made, sign, weights) = trace.maker(root), _behind(trace, root)
            if at is None or made is None:
                continue
            named = (one.name for weight in weights for one in ancestors(trace, weight))
            reward = next(filter(_REWARD.search, named), "")
            is_share = step.loss < 0 and all(one.stat("min") >= 0 for one in weights)
            if sign > 0 and (reward or is_share) and _is_likelihood(trace, made):
                yield mistake(
                    "the loss, {name} ({where}), is a mean or sum of log probabilities ({log}, {there}){times} without "
                    "a minus: minimizing it makes the right answers unlikely",
                    at, step, kind="sign", name=root, log=made.title, there=made,
                    times=say(" times {reward}", reward=reward) if reward else "",
                )  # fmt: skip
            is_error = made.op in ("square", "abs", "elementwise_mul") or made.attrs.get("factor") == 2
            is_loss = made.op in COMPARES[1:] and "parameter" in {leaf.kind for leaf, _ in step.leaves()}
            if sign < 0 and (is_error or is_loss) and step.loss < 0:
                yield mistake(
                    "the loss, {name} ({where}), is an error with a minus: minimizing it makes the error grow",
                    at, step, kind="sign", name=root,
                )  # fmt: skip


_WEIGHED = ("scale", "elementwise_mul", "elementwise_div", "elementwise_sub")
"""Besides sums and what picks: they weigh log probabilities, or shift them by constants."""
_REWARD = re.compile(r"reward|return|advantage|\badvs?\b|^R(_|$)", re.IGNORECASE)  # names of what is to grow


def _behind(trace: Trace, root: Value) -> tuple[Event | None, float, list[Value]]:
    """Return the call behind the sums and weights of a loss, the sign that they give it, and the weights."""
    made, sign, weights = trace.maker(root), 1.0, list[Value]()
    while made is not None and (
        made.op in _WEIGHED or any(has(one, made.op) for one in ("averages", "same numbers", "selects"))
    ):
        first, *others = sorted(trace.known(made.inputs), key=lambda one: one.stop_gradient)
        is_shift = made.op == "elementwise_sub"
        is_error = is_shift and not all(one.stop_gradient for one in others)
        if is_error or first in others:  # or a square
            break
        sign *= float(made.attrs.get("scale", 1.0)) * (
            -1.0 if is_shift and first.id != made.inputs[0] else 1.0
        )
        weights += others if made.op in ("elementwise_mul", "elementwise_div") else []
        made = trace.maker(first)
    return made, sign, weights


def _is_likelihood(trace: Trace, made: Event) -> bool:
    """Return whether a call gives log probabilities."""
    source, *_ = _behind(trace, trace.known(made.inputs)[0])
    is_log = made.op == "log" and source is not None and has("gives probabilities", source.op)
    return is_log or made.op in ("log_softmax", "logsigmoid")


def _unlearned(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield what is used as a parameter is, without gradient: ``to_tensor``, or drawn in a layer, but features B."""
    cuts = (one for one in trace.cuts if one.how == "to_tensor" and one.value is None)
    made: dict[int | None, Cut | Event] = {cut.made: cut for cut in cuts}
    own = ((one, trace.maker(one)) for one in trace.values if re.match(r"self\.(?!B$)", one.name))
    made |= {one.id: event for one, event in own if event and event.kind == "op" and not event.inputs}
    for step, value, role, sure in _like_parameters(trace, steps) if trace.trained else ():
        if value.id in made and value.stop_gradient:
            yield mistake(
                "{name} ({where}) {role}, and never learns: it is made with stop_gradient=True; create_parameter makes "
                "one that an optimizer can train",
                made[value.id], step, kind="unlearned", sure=sure, name=value, role=role,
            )  # fmt: skip


_BOUNDS = ("sigmoid", "softmax", "softplus", "exp")
"""Operators that keep what is learned positive: a constant needs none."""


def _like_parameters(trace: Trace, steps: list[Step]) -> Iterator[tuple[Step, Value, str, bool]]:
    """Yield what passes use as a parameter, or optimizers were given, its role in words, and whether it is sure."""
    for step in steps:
        added = {one.id for term in step.constant_terms() for one in ancestors(trace, term)}
        both = (one for one in _weights_of_losses(trace, step) if one.id in added)
        yield from ((step, one, say("weighs a loss and is a term of it"), True) for one in both)
        for event in (one for one in step.forward if one.kind == "op"):
            idle = _IDLE.get(event.op)
            is_place = event.op == "matmul_v2" or (idle is not None and event.scope is not None)
            for value in trace.known(event.inputs) if is_place else ():
                idles = idle is None or (value.array is not None and bool((value.array == idle).all()))
                if value.stop_gradient and _OF_A_LAYER.fullmatch(value.name.rpartition(".")[2]) and idles:
                    yield step, value, say("has the place of a parameter"), True
            for value in trace.known(event.inputs) if event.op in _BOUNDS and event.scope is not None else ():
                yield step, value, say("is kept positive, as a parameter is"), True
    for one in trace.optimizers if steps else ():
        role = say("was given to {optimizer} ({there})", optimizer=one.kind, there=line_text(one.where))
        yield from ((steps[0], value, role, True) for value in trace.values if value.holder in one.holders)
    for step, after in pairwise(steps[:2]):
        bounded = {id_ for event in step.forward if event.op in _BOUNDS for id_ in event.inputs}
        counts = [Counter(_weights_of_losses(trace, one)) for one in (step, after)]
        several = [one for one, count in counts[0].items() if count > 1 and one.id in bounded]
        role = say("weighs several losses, the same in each pass")
        yield from ((step, one, role, False) for one in several if counts[1][one] > 1)


def _weights_of_losses(trace: Trace, step: Step) -> Iterator[Value]:
    """Yield what the constants are made of that multiply or divide one number of a loss, once for each such call."""
    for event, _ in step.through():
        inputs = trace.known(event.inputs) if event.op in ("elementwise_mul", "elementwise_div") else []
        if any(not one.stop_gradient and one.stats.size == 1 for one in inputs):
            yield from (one for value in inputs if value.stop_gradient for one in ancestors(trace, value))


def _same_data(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield loops over data in which backward runs, and that never use what the loop hands them."""
    for line, (step, *_) in grouped((step.marker.where, step) for step in steps).items():
        if line is None:
            continue
        made = [cut.where for cut in trace.cuts if cut.how == "to_tensor"]
        made += [event.where for event in step.forward if not event.inputs]  # drawn, or filled
        fresh = {one.number for one in made if one is not None and one.file == line.file}
        loops = (one for one in at_line(trace, line) if isinstance(one, ast.For))
        for loop in islice(loops, 1):
            over, target = ast.unparse(loop.iter), loop.target
            if over.startswith("enumerate") and isinstance(target, ast.Tuple):
                target = target.elts[-1]
            handed, read = names_in([target], ast.Store), names_in(loop.body, ast.Load)
            assigned = (one for one in ast.walk(loop) if isinstance(one, ast.Assign))
            unread = (one for one in assigned if read.isdisjoint(names_in([one], ast.Store)))
            cut = [one for one in unread if names_in([one], ast.Load) & handed]
            read = names_in(loop.body, ast.Load, cut)
            of_cut = names_in(cut, ast.Store)  # batches cut out of the data, and forgotten
            names = sorted(of_cut or {name for name in handed if not name.startswith("_")})
            body = range(loop.lineno + 1, (loop.end_lineno or 0) + 1)
            same = read.isdisjoint(handed) and fresh.isdisjoint(body)
            if names and (of_cut or not over.startswith(_COUNTS)) and same:
                yield mistake(
                    "the loop at {where} never uses {names}: each of its passes has the same data",
                    line._replace(number=loop.lineno), step, kind="same data", names=", ".join(names),
                )  # fmt: skip


FINDERS: Sequence[Finder] = (
    _rewritten,
    _stands_still,
    _same_loss,
    _clipped_late,
    _made_anew,
    _bound_anew,
    _listed_twice,
    _copied,
    _below_its_minimum,
    _unlearned,
    _same_data,
)
