"""Mistakes by which backward and updates run, and nothing is learned: gradients that are lost, outweighed or undone.

Read next: :mod:`.weights`, what is updated, and when.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from minipaddle.tools.checks.training.steps import (
    CLEARS,
    Finder,
    Mistake,
    Step,
    cosine,
    enlarging,
    mistake,
    more_like,
    rate_of,
)
from minipaddle.tools.explain.user_source import the_call, uncalled
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.words.events import place, trainer_text
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import in_short

_STILL = 1e-6
"""An update below it, relative to the weights, is about what float32 rounds."""
_CLIPPED = 1e-3
"""A clip that leaves less of a gradient than this is no guard against outliers."""
_DECAYED = 0.01
"""Share of a weight that decay takes in one step; what people use is 100 times smaller."""
_OUTWEIGHED = 5
"""Decay that moves weights this many times as far as the gradient does decides alone."""
_BEGINNING = 4
"""Passes that show it: later, the weights are small."""
_BEYOND = 1e8
"""A loss above it, with data of size 1, is no sum of the errors of a batch."""
_OPPOSITE = -0.7
"""Cosine of two gradients below which a step along one of them undoes a step along the other."""


def _off_the_tape(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield passes that find nothing to go back through, since nothing has been recorded any more."""
    stored = {step.number for step in steps}
    for last, marker in pairwise(trace.markers) if steps else ():
        if last.pass_number not in stored or marker.pass_number in stored or marker.into == "returned":
            continue
        calls = [one for one in trace.events[last.index : marker.index] if isinstance(one, Op)]
        reading = [
            one for one in calls if any(value.kind == "parameter" for value in trace.known(one.inputs))
        ]
        off = next((one for one in reading if not one.grad), None)
        if off is not None and not any(one.grad for one in reading[reading.index(off) :]):
            yield mistake(
                "backward ({where}) finds nothing to go back through from pass {number} on: since {reader} ({there}) "
                "all runs under paddle.no_grad or set_grad_enabled(False), and nothing is recorded{by}",
                kind="no tape", at=marker, step=steps[-1], number=marker.pass_number, reader=off.title,
                there=off, by=the_call(trace, "set_grad_enabled", "__enter__"),
            )  # fmt: skip


def _thrown_away(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield gradients that are cleared before the next pass of the same loss, without an update or another use."""
    shown = {one.value for one in trace.reads}
    for own in grouped((step.marker.where, step) for step in steps).values():
        lost = []
        for step, after in pairwise(own):
            before = {trace.values[store.about or 0].holder: store.before for store in after.stores}
            gone = [
                leaf
                for leaf, gradient in step.leaves()
                if 0 < gradient.stat("norm") < math.inf and before.get(leaf.holder, 0) is None
            ]
            kept = {out for store in step.stores for out in store.outputs}
            used = {id_ for one in after.forward for id_ in one.inputs} | shown
            if gone and not step.updates and kept.isdisjoint(used):
                lost.append((step, after, gone[0]))
        if 2 * len(lost) + 1 >= len(own) and lost and any(step.updates for step in own):
            step, after, leaf = lost[0]
            yield mistake(
                "the gradient of {name} from {where} is cleared before an update has used it, in {lost} of {count} "
                "passes{by}: to add gradients up, clear them after step() alone",
                kind="thrown away", at=step.marker, step=step, name=leaf, lost=len(lost), count=len(own),
                by=the_call(trace, *CLEARS),
            )  # fmt: skip


def _clipped_away(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield clips that leave so little of the gradients that no weight moves in any step."""
    trained = [step for step in steps if step.updates]
    if any(max(step.ratios().values(), default=1) > _STILL for step in trained):
        return
    for step in trained:
        update = step.updates[0]
        takes = [one for each in step.updates for one in trace.known(each.inputs[1:2])]
        taken, made = math.hypot(*(one.stat("norm") for one in takes)), trace.maker(takes[0])
        is_clip = made is not None and (taken > 0 or made.op == "clip")
        if made is not None and is_clip and taken < _CLIPPED * step.gradient:
            yield mistake(
                "the gradients, {size} large, are clipped to {less} ({where}): {op} ({there}) hardly moves a weight; "
                "raise the limit of the clip{owner}",
                kind="clipped", at=made, step=step, size=step.gradient, less=taken, op=update.title,
                there=update, blamed=step.trainer(),
            )  # fmt: skip


def _decay_of(trace: Trace, update: Event) -> float:
    """Return the coefficient of the weight decay in an update."""
    leaf, taken = trace.known(update.inputs[:2])
    made = trace.maker(taken)
    parts = [] if made is None or made.op != "sum" else [trace.maker(one) for one in trace.known(made.inputs)]
    scaled = (one for one in parts if one is not None and one.op == "scale" and leaf.id in one.inputs)
    fused = update.attrs.get("coeff") or update.attrs.get("regularization_coeff")
    return float(fused or sum(one.attrs.get("scale", 0) for one in scaled))


def _decayed(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield weight decay that moves the weights much farther than the gradient does."""
    for step in steps[:_BEGINNING]:
        moved, decayed, most = 0.0, 0.0, 0.0
        for update, _, before, after in step.changes():
            coefficient, rate = _decay_of(trace, update), rate_of(trace, update)[0]
            off = coefficient * rate * before
            moved += float(np.square(after - before + off).sum())
            decayed, most = decayed + float(np.square(off).sum()), max(most, coefficient)
        share = most * rate_of(trace, step.updates[0])[0] if step.updates else 0
        owner = step.trainer()
        outweighs = decayed > _OUTWEIGHED**2 * moved or share > 10 * _DECAYED
        if share > _DECAYED and outweighs and owner is not None:
            yield mistake(
                "weight decay of {decay}{owner} takes {share}% off the weights in each step, in pass {number} "
                "{times} times as much as the gradient moves them ({op}, {where}): the data hardly count",
                step.updates[0], step, kind="decay", decay=most, blamed=owner, number=step.number, share=100 * share,
                times=math.sqrt(decayed / moved) if moved else math.inf,
            )  # fmt: skip


def _undone(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield leaves that two losses move to and fro: a generator that is trained with its judge."""
    lines = grouped((step.marker.where, step) for step in steps if step.updates)
    for one, other in combinations(lines.values(), 2):
        pairs: list[tuple[int, tuple[str, float]]] = []
        for first, second in zip(one, other):
            both = first.moved() & second.moved()
            given = {leaf.holder: gradient.array for leaf, gradient in first.leaves() if leaf.holder in both}
            ends = ((leaf, gradient.array) for leaf, gradient in second.leaves() if leaf.holder in given)
            pairs += [(leaf.holder, (leaf.name, cosine(given[leaf.holder], array))) for leaf, array in ends]
        found = {holder: [*zip(*own)] for holder, own in grouped(pairs).items() if len(own) > 1}
        means = ((holder, names[0], np.mean(cosines)) for holder, (names, cosines) in found.items())
        told = [each for each in means if each[2] < _OPPOSITE]
        if told:
            owners = [each for each in trace.optimizers if told[0][0] in each.holders]
            remedy = say("detach() what the first is not to train, or leave it out of that optimizer")
            if len(owners) > 1:
                remedy = say(
                    "leave it out of one optimizer: {optimizers}",
                    optimizers=in_short(map(trainer_text, owners)),
                )
            yield mistake(
                "the losses of {where} and {there} move {name} in opposite directions (cosine {cosine}), and an update "
                "follows each: one undoes the other; {remedy}{more}",
                kind="undone", at=one[0].marker, step=one[0], there=other[0].marker, name=told[0][1],
                cosine=f"{told[0][2]:.2f}", more=more_like([name for _, name, _ in told]), remedy=remedy,
            )  # fmt: skip


def _out_of_proportion(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a loss that is huge before any update, though the data are not: weights multiply them up."""
    for step in steps[:1]:
        calls = (
            call for call, _ in step.through() if call.op != "lookup_table_v2"
        )  # a table multiplies nothing
        read = [value for call in calls for value in trace.known(call.inputs)]
        fed = max((one.stats.rms for one in read if one.stop_gradient), default=math.inf)
        weights = [one for one in read if one.kind == "parameter" and len(one.shape) > 1]
        widest = max(weights, key=enlarging, default=None)
        if widest and enlarging(widest) > 2 and step.loss > _BEYOND * max(1, fed) ** 2:
            yield mistake(
                "the loss is {loss} before any update, with data of size {fed}: {name} ({where}) makes what it is fed "
                "about {gain} times as large, {count} times in a pass; draw it {gain} times smaller",
                trace.born(widest), step, kind="proportion", loss=step.loss, fed=fed, name=widest,
                gain=enlarging(widest), count=weights.count(widest),
            )  # fmt: skip


def why_no_pass(trace: Trace) -> str:
    """Return what a script without a backward pass leaves, as the end of a sentence; "" if nothing waits for one."""
    read = {id_ for event in trace.events for id_ in event.inputs}
    made = [
        one for one in trace.values if one.kind == "result" and one.id not in read and not one.stop_gradient
    ]
    last = trace.maker(made[-1]) if made and trace.optimizers else None
    return "" if last is None else say(
        ": {name} ({op}, {where}) has a graph, and its backward() is never called; {optimizer} has no gradient to "
        "step with{call}",
        name=made[-1].name, call=uncalled(trace, "backward"), op=last.title, where=place(last),
        optimizer=trainer_text(trace.optimizers[-1]),
    )  # fmt: skip


NO_PROGRESS: Sequence[Finder] = (
    *(_off_the_tape, _thrown_away, _clipped_away, _decayed, _undone, _out_of_proportion),
)
