"""Mistakes in what a loop makes anew in each pass, what stays the same, and what the user writes over.

Those that correct code may show, too, are observations.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.paddle.optimizer import lr
from minipaddle.tools.checks.training.layers import RECURRENT
from minipaddle.tools.checks.training.steps import (
    COMPARES,
    Finder,
    Mistake,
    Step,
    cosine,
    mistake,
    rate_of,
    writes,
)
from minipaddle.tools.explain.user_source import at_line, idle_steps, names_in, nodes_of, the_call
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET, Scope, Store
from minipaddle.tools.words.events import ancestors
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import in_short

_UPHILL = 0.99  # cosine of a write and a gradient above which it is a step along the gradient
_FEW = 3  # passes from which on something that repeats is no chance
_STILL = 1e-6  # an update below it, relative to the weights, is about what float32 rounds
_RESCALED = 5  # data this many times wider, or narrower, have been scaled once more
_CHANGES = phrase(
    "{op} ({where}) changes the data themselves whenever they are read: what it does to them adds up from epoch to "
    "epoch; change a copy"
)
_STORED = re.compile(r"\(?self\.\w+\[[^()]*\]\)?")  # no call, which may copy
_SHUFFLED = re.compile(r"(\w+) = .*(?:permutation\(|randperm\(|shuffle=True)")
_HANDED = phrase(
    "{where} hands the state after pass {number} on to the next batch, though batches are drawn at random: it is the "
    "state of other sequences; begin each with zeros"
)
_APART = phrase("two permutations put data and targets in order ({where}, {there}): take one for both")
_ORDERS = re.compile(r"[\w.]+\.shuffle\(|\w+ = [\w.]+\[[\w.]+\.(permutation|randperm)\(")
_TARGETS = re.compile(r"(\b|_)(ys?|labels?|targets?|tags?|answers?|classes)(\b|_|\d)", re.IGNORECASE)
_GONE = 1e-3  # a rate below this share of the largest has been scheduled away


def _made_again(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield optimizers that are made again and again for the same parameters: what they remember is lost."""
    for made in grouped(((one.where, tuple(one.holders)), one) for one in trace.optimizers).values():
        own = [step for step in steps if not step.moved().isdisjoint(made[0].holders)]
        states = [
            [trace.values[up.outputs[1] or 0].version for up in one.updates if up.outputs[1:]] for one in own
        ]
        fresh = sum(max(versions, default=0) == 1 for versions in states)
        if min(len(made), fresh) >= _FEW:
            yield mistake(
                "{op} is made {count} times, at {where}, for the same parameters: what it remembers (momentum, "
                "moments) begins at 0 again each time; make it once, before the loop",
                made[0], own[0], kind="made again", sure=fresh == len(own), count=len(made),
            )  # fmt: skip


def _never_scheduled(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield schedulers that a whole script never steps; surely a mistake if it calls a single ``step``."""
    for one in trace.optimizers if not trace.cut_off and trace.exit_code == 0 else ():
        own = [step for step in steps if not step.moved().isdisjoint(one.holders)]
        if one.schedule and not one.steps and len(own) >= _FEW and one.where is not None:
            yield mistake(
                "no step() of the scheduler {schedule} in {count} passes: the learning rate of {op} ({where}) "
                "stays {rate}",
                one, own[0], kind="schedule", schedule=one.schedule, count=len(own),
                sure=trace.sources.get(one.where.file, "").count(".step(") < 2,
                rate=rate_of(trace, own[0].updates[0])[0],
            )  # fmt: skip


def _schedule_unused(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield schedulers that a script steps, and that no optimizer was given: its rate stays."""
    rates = {rate_of(trace, update)[0] for step in steps for update in step.updates}
    made = {one.where[:2] for one in trace.optimizers if one.where}
    for line, node in nodes_of(trace, ast.Assign) if len(rates) == 1 and made else ():
        name, schedule = ast.unparse(node.targets[0]), getattr(getattr(node.value, "func", None), "attr", "")
        if not hasattr(lr, schedule):
            continue
        here = ((at, ast.unparse(one)) for at, one in nodes_of(trace, ast.expr) if at.file == line.file)
        uses = Counter((text, at[:2] in made) for at, text in here)
        once = sum(uses[f"{name}{how}", True] for how in (".get_lr", ".last_lr", "()"))  # for the optimizer
        stepped, every = (uses[one, True] + uses[one, False] for one in (f"{name}.step", name))
        if stepped and every == 1 + stepped + once:
            yield mistake(
                "{schedule} ({where}) is stepped as {name}, and no optimizer has it: the learning rate{owner} stays "
                "{rate}; learning_rate={name} hands it over",
                line, steps[0], kind="schedule", name=name, schedule=schedule, rate=min(rates),
                blamed=trace.optimizers[-1],
            )  # fmt: skip


def _rate_gone(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield schedules that bring the rate so low that nothing moves any more, while there are gradients."""
    for one in trace.optimizers if len(steps) > _FEW else ():
        own = [step for step in steps if one.schedule and not step.moved().isdisjoint(one.holders)]
        rates = [rate_of(trace, step.updates[0])[0] for step in own]
        still = [max(step.ratios().values(), default=1.0) < _STILL for step in own]
        first = next((at for at in range(len(still)) if all(still[at:])), len(still))
        low, sizes = rates[first:], [step.gradient for step in own]
        is_gone = 0 < first <= len(own) - max(_FEW, len(own) / 4) and max(low) < _GONE * max(rates)
        if is_gone and max(sizes[first:]) > max(sizes[:first]) / 10:
            calls, (by, fits) = [call for _, call in idle_steps(trace)], the_call(trace, "fit")
            calls = calls if len({call.partition("(")[0] for call in calls}) == 1 else []
            yield mistake(
                "the learning rate of {op} ({where}) falls from {top} to {low} by pass {number}: from there the "
                "weights hardly move, with gradients as large as {size}; {schedule} is stepped {count} times{calls}",
                one, own[first], kind="learning rate", top=max(rates), low=low[0], number=own[first].number,
                size=max(sizes[first:]), schedule=one.schedule, count=one.steps,
                calls=say(": {calls}", calls=", ".join(calls)) if calls else by, blamed=None if calls else fits,
            )  # fmt: skip


def _kept_gradient(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield gradients that one loss left where its update took none, and that those of another loss are added to."""
    last: dict[int, Step] = {}
    for step in steps:
        for store in step.stores:
            leaf, held = trace.values[store.about or 0], trace.value(store.before)
            first = last.get(leaf.holder, step)
            last[leaf.holder] = step
            moved = first.moved()
            meant = (
                held is None or not held.stat("norm") or first.marker.where == step.marker.where or not moved
            )
            if not meant and leaf.holder not in moved and leaf.holder in step.moved():
                both = not moved.isdisjoint(trace.values[one.about or 0].holder for one in step.stores)
                yield mistake(
                    "{where} adds the gradient of {name} to that of another loss ({there}), whose update was of "
                    "{other}: no clear_grad between them",
                    kind="kept gradient", at=store, step=step, sure=both, name=leaf, there=first.marker,
                    other=trace.values[first.updates[0].inputs[0] or 0],
                )  # fmt: skip


def _units_alike(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield layers before the last whose units begin equal, and get equal gradients: they never part."""
    for step in steps:
        calls = [event for event, _ in step.through() if event.op in ("matmul_v2", "conv2d")]
        readers = {event.inputs[1]: event for event in calls[1:]}
        for leaf, gradient in (one for one in step.leaves() if step.updates and one[0].id in readers):
            axis = -1 if len(leaf.shape) == 2 else 0
            parts = [one.take([0], axis) == one for one in (leaf.array, gradient.array) if one is not None]
            alike = len(parts) == 2 and all(part.all() for part in parts) and leaf.shape[axis] > 1
            if alike and gradient.stat("norm"):
                yield mistake(
                    "the {count} units of {name} ({where}) have equal weights and get equal gradients: they stay as "
                    "one unit; draw their weights at random",
                    kind="equal units", at=trace.born(leaf) or readers[leaf.id], step=step, count=leaf.shape[axis],
                    name=leaf,
                )  # fmt: skip


def _one_for_several(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a layer that one list holds several times, and that a pass calls several times: its weights are shared."""
    for step in steps:
        calls: dict[tuple[str, ...], dict[int, tuple[Scope, Event, Value]]] = {}
        for event, _ in step.through():
            weights = [one for one in trace.known(event.inputs) if one.kind == "parameter"]
            scope = next((one for one in event.scope.around() if one.places), None) if event.scope else None
            if weights and scope is not None:
                calls.setdefault(scope.places, {})[scope.number] = scope, event, weights[0]
        for places, own in ((places, own) for places, own in calls.items() if len(own) > 1):
            scope, event, weight = own[min(own)]
            yield mistake(
                "{places} are one {layer} ({where}), called {count} times in a pass: they share its weights, which are "
                "trained as one; for weights of their own, make each anew: [... for _ in range(n)]",
                trace.born(weight) or event, step, kind="one layer", places=in_short(places), layer=scope.kind,
                count=len(own),
            )  # fmt: skip


def _constant_slopes(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield slopes along data that are constants in a loss, though parameters decide them.

    Without ``create_graph=True`` it is surely a mistake if a whole term of the loss is constant through it.
    """
    returned = [one for one in trace.events if isinstance(one, Store) and one.into != "grad"]
    for step in steps if returned else ():
        made_of = {value.id: value for root in step.roots for value in ancestors(trace, root)}
        for store in returned:
            slope, about = made_of.get(store.outputs[0] or 0), trace.value(store.about)
            if slope is None or not slope.stop_gradient or about is None or about.kind == "parameter":
                continue
            read = (trace.known(trace.of_forward(one)) for one in trace.of_pass(store.pass_number))
            learns = any(one.kind == "parameter" and not one.stop_gradient for own in read for one in own)
            above, reads = {slope.id}, []
            for event in trace.events[store.index : step.marker.index]:
                if event.kind == "op" and not above.isdisjoint(event.inputs):
                    above |= {id_ for id_ in event.outputs if id_ is not None}
                    reads += trace.known(event.inputs)
            if not learns or any(one.kind == "parameter" for one in reads):  # an input made by it (FGSM)
                continue
            whole = next((one for one in step.constant_terms() if one.id in above), None)
            term = whole or step.roots[0]
            yield mistake(
                "{term} ({where}) learns nothing from {slope}: paddle.grad ({there}) made it without "
                "create_graph=True, so no gradient goes through it to the parameters behind it",
                trace.maker(term), step, kind="cut term", sure=term is whole, term=term, slope=slope, there=store,
            )  # fmt: skip


def _onto_itself(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a state that is loaded, and is the tensors that it is loaded into: the updates have changed it, too."""
    read = grouped((one.before_event, trace.values[one.value]) for one in trace.reads)
    for event, before, _ in writes(trace, trace.events) if steps else ():
        given = [*read.get(event.index, ()), *trace.known(event.inputs[1:2])]
        if event.op == SET and before.version and any(before.id in (one.id, one.same) for one in given):
            yield mistake(
                "{where} loads {name} from itself, as the updates have left it: state_dict() hands out the tensors, no "
                "copies; keep a clone() of each",
                event, steps[-1], kind="no copy", name=before, blamed=the_call(trace, "state_dict")[1],
            )  # fmt: skip
        made = trace.maker(given[-1]) if given else None
        terms = map(trace.maker, trace.known(made.inputs) if made and made.op == "elementwise_add" else ())
        scaled = [one for one in terms if one and one.op == "scale" and one.inputs[:1] == [before.id]]
        if len(scaled) == 2 and math.isclose(sum(one.attrs["scale"] for one in scaled), 1, rel_tol=1e-6):
            yield mistake(
                "{where} writes into {name} an average of {name} with itself: two names are one network; "
                "copy.deepcopy(...) makes another",
                event, steps[-1], kind="no copy", name=before,
            )  # fmt: skip


def _moved(old: Value, new: Value) -> Array:
    """Return the difference of two values of a holder; NaN if it is not known."""
    unknown = old.array is None or new.array is None
    return np.full(old.shape, np.nan) if unknown else np.asarray(new.array, "float64") - np.asarray(old.array)


def _state_of_others(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield the last state of a recurrent layer with which the next batch begins, where batches are drawn at random."""
    names = {name for text in trace.sources.values() for name in _SHUFFLED.findall(text)}
    for step, after in pairwise(steps if names else ()):
        ends = {id_ for one, _ in step.through() for id_ in one.outputs if one.op in RECURRENT}
        begins = {id_ for one, _ in after.through() for id_ in one.inputs if one.op in RECURRENT}
        handed = (one for one in trace.cuts if ends and one.value in ends and one.made in begins)
        loops = (one for one in at_line(trace, step.marker.where) if isinstance(one, ast.For))
        if (cut := next(handed, None)) and names & names_in([*islice(loops, 1)], ast.Load):
            yield mistake(_HANDED, cut, after, kind="state", number=step.number)


def _uphill(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield steps by hand along the gradient of an error, all of which grow it."""
    along: list[tuple[Event, Value]] = []
    early = steps[: _FEW + 2]  # later, they may be infinite
    for step, after in pairwise(early):
        given = {leaf.holder: gradient.array for leaf, gradient in step.leaves()}
        moved = [one for one in writes(trace, after.forward) if one[1].holder in given]
        is_up = all(cosine(_moved(*ends), given[ends[0].holder]) > _UPHILL for _, *ends in moved)
        is_error = step.loss >= 0 and any(forward.op in COMPARES for forward, _ in step.through())
        if not is_up or not is_error or {one[1].holder for one in moved} != {*given}:
            return
        along += [(event, leaf) for event, leaf, _ in moved[:1]]
    if len(along) > 1 and early[-1].loss > early[0].loss:
        yield mistake(
            "{where} moves {name} along its gradient, and the loss grows from {first} to {last}: subtract the gradient "
            "to make it smaller",
            kind="uphill", at=along[0][0], step=steps[0], name=along[0][1], first=steps[0].loss,
            last=early[-1].loss,
        )  # fmt: skip


def _data_changed(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a line that writes into several rows of data, and into the same rows again later."""
    found_in = writes(trace, trace.events if steps else ())
    own = ((event, before) for event, before, _ in found_in if before.stop_gradient)
    for found in grouped((one[0].where, one) for one in own).values():
        times = Counter(before.holder for _, before in found if before.kind in ("data", "result"))
        rows = [holder for holder, count in times.items() if count > 1]
        learned = ancestors(trace, *(value for event, _ in found for value in trace.known(event.inputs)))
        if len(rows) < _FEW or any(one.kind in ("gradient", "parameter", "leaf") for one in learned):
            continue
        event, before = next(one for one in found if one[1].holder in rows)
        yield mistake(
            "{op} ({where}) changes {name} itself, and {count} more like it, whenever they are read: what it does to "
            "them adds up from epoch to epoch; change a copy of it, clone()",
            kind="data changed", at=event, step=steps[-1], name=before, count=len(rows) - 1,
        )  # fmt: skip


def _array_changed(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a line of ``__getitem__`` that writes into stored data, if they are much wider or narrower in the end."""
    for first, *others in grouped((step.marker.where, step) for step in steps).values():
        wide = [one.stats.max - one.stats.min for step in (first, *others[-1:]) if (one := step.data())]
        for line, node in nodes_of(trace, ast.stmt) if wide and max(wide) > _RESCALED * min(wide) else ():
            inside = [one for one in at_line(trace, line) if isinstance(one, ast.FunctionDef)][:1]
            if any(one.name == "__getitem__" and _writes_into_stored(node, one) for one in inside):
                yield mistake(_CHANGES, line, first, kind="data changed", op=ast.unparse(node))


def _writes_into_stored(node: ast.stmt, method: ast.FunctionDef) -> bool:
    """Return whether a statement writes into a part of `self`, or in place into a variable that has such a part."""
    made = [one for one in ast.walk(method) if isinstance(one, ast.Assign)]
    bound = [one.targets for one in made if _STORED.fullmatch(ast.unparse(one.value))]
    shares = {"self"}.union(*(names_in(targets, ast.Store) for targets in bound))
    targets = [node.target] if isinstance(node, ast.AugAssign) else getattr(node, "targets", [])
    in_place = [one for one in targets if isinstance(one, ast.Subscript) or isinstance(node, ast.AugAssign)]
    return any(re.split(r"\W", ast.unparse(one))[0] in shares for one in in_place)


def _ordered_apart(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield two statements in a row that put data and their targets in order, each by a permutation of its own."""
    for (line, one), (there, other) in pairwise(nodes_of(trace, ast.stmt)) if steps else ():
        ordering = [text for text in map(ast.unparse, (one, other)) if _ORDERS.match(text)]
        if sorted(bool(_TARGETS.search(text)) for text in ordering) == [False, True]:
            yield mistake(_APART, line, steps[0], kind="apart", there=there)


LOOP_FINDERS: Sequence[Finder] = (
    *(_made_again, _never_scheduled, _schedule_unused, _rate_gone, _kept_gradient),
    *(_units_alike, _one_for_several, _constant_slopes),
    *(_onto_itself, _state_of_others, _uphill, _data_changed, _array_changed, _ordered_apart),
)
