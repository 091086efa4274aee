"""Mistakes in what a loop makes anew in each pass, and in what stays the same: optimizers, rates, units.

Those that correct code may show, too, are observations.
"""

from collections.abc import Iterator, Sequence

from minipaddle.tools.checks.training.steps import Finder, Mistake, Step, mistake, rate_of
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.events import place
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.numbers import line_text, number

_FEW = 3  # passes from which on something that repeats is no chance


def _made_again(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield optimizers that are made again and again for the same parameters: what they remember is lost."""
    for made in grouped(((one.where, tuple(one.holders)), one) for one in trace.optimizers).values():
        own = [step for step in steps if not step.moved(trace).isdisjoint(made[0].holders)]
        states = [
            [trace.values[up.outputs[1] or 0].version for up in one.updates if up.outputs[1:]] for one in own
        ]
        fresh = sum(max(versions, default=0) == 1 for versions in states)
        if min(len(made), fresh) >= _FEW:
            yield mistake(
                "{optimizer} is made {count} times, at {where}, for the same parameters: what it remembers (momentum, "
                "moments) begins at 0 again each time; make it once, before the loop",
                line_text(made[0].where), own[0], kind="made again", sure=fresh == len(own), optimizer=made[0].kind,
                count=len(made),
            )  # fmt: skip


def _never_scheduled(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield schedulers that a whole script never steps; surely a mistake if it calls a single ``step``."""
    for one in trace.optimizers if not trace.cut_off and trace.exit_code == 0 else ():
        own = [step for step in steps if not step.moved(trace).isdisjoint(one.holders)]
        if one.schedule and not one.steps and len(own) >= _FEW and one.where is not None:
            yield mistake(
                "no step() of the scheduler {schedule} in {count} passes: the learning rate of {optimizer} ({where}) "
                "stays {rate}",
                line_text(one.where), own[0], kind="schedule", schedule=one.schedule, count=len(own),
                sure=trace.sources.get(one.where.file, "").count(".step(") < 2, optimizer=one.kind,
                rate=number(rate_of(trace, own[0].updates[0])[0]),
            )  # fmt: skip


def _kept_gradient(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield gradients that one loss left where its update took none, and that those of another loss are added to."""
    last: dict[int, Step] = {}
    for step in steps:
        for store in step.stores:
            leaf, held = trace.values[store.about or 0], trace.value(store.before)
            first = last.get(leaf.holder, step)
            last[leaf.holder] = step
            moved = first.moved(trace)
            meant = (
                held is None or not held.stat("norm") or first.marker.where == step.marker.where or not moved
            )
            if not meant and leaf.holder not in moved and leaf.holder in step.moved(trace):
                both = not moved.isdisjoint(trace.values[one.about or 0].holder for one in step.stores)
                yield mistake(
                    "{where} adds the gradient of {name} to that of another loss ({there}), whose update was of "
                    "{other}: no clear_grad between them",
                    kind="kept gradient", at=store, step=step, sure=both, name=leaf.name, there=place(first.marker),
                    other=trace.values[first.updates[0].inputs[0] or 0].name,
                )  # fmt: skip


def _units_alike(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield layers before the last whose units begin equal, and get equal gradients: they never part."""
    for step in steps:
        calls = [event for event, _ in step.through(trace) if event.op in ("matmul_v2", "conv2d")]
        readers = {event.inputs[1]: event for event in calls[1:]}
        for leaf, gradient in (one for one in step.leaves(trace) if step.updates and one[0].id in readers):
            axis = -1 if len(leaf.shape) == 2 else 0
            parts = [one.take([0], axis) == one for one in (leaf.array, gradient.array) if one is not None]
            alike = len(parts) == 2 and all(part.all() for part in parts) and leaf.shape[axis] > 1
            if alike and gradient.stat("norm"):
                yield mistake(
                    "the {count} units of {name} ({where}) have equal weights and get equal gradients: they stay as "
                    "one unit; draw their weights at random",
                    kind="equal units", at=readers[leaf.id], step=step, count=leaf.shape[axis], name=leaf.name,
                )  # fmt: skip


LOOP_FINDERS: Sequence[Finder] = (*(_made_again, _never_scheduled, _kept_gradient, _units_alike),)
