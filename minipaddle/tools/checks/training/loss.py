"""Mistakes in how one pass computes its loss: what a loss is fed, what is broadcast, axes, units that are saturated.

Each is found by a look at one call, whatever loop it runs in. Read next: :mod:`.mistakes`, those of the loop.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import has
from minipaddle.tools.checks.training.layers import LAYER_LOOKS
from minipaddle.tools.checks.training.steps import Call, Found, Look, Mistake, Step, look, maker_of, mistake
from minipaddle.tools.explain.user_source import made_at
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.events import ancestors, layer_text
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import all_zero


def _add_up(array: Array | None, axis: int = -1) -> bool:
    """Return whether numbers are from 0 to 1, and add up to 1 over an axis with several."""
    if array is None or array.ndim < 2 or array.shape[axis] < 2 or not array.size:
        return False
    return bool(array.min() >= 0 and np.allclose(array.sum(axis=axis), 1, atol=1e-4))


def _probabilities(call: Call) -> Mistake | None:
    """Losses that take scores, or their log probabilities, and are fed probabilities."""
    event, of_logs = call.event, has("takes log probabilities", call.event.op)
    if not of_logs and not has("takes scores", event.op):
        return None
    fed = call.inputs[0]
    made, _ = maker_of(call.trace, fed)
    takes = say("log probabilities") if of_logs else say("scores (logits)")
    if made is not None and has("gives probabilities", made.op):
        return mistake(
            "{loss} ({where}) takes {takes}, and is fed the probabilities of {op} ({there})",
            event, call.step, loss=event.title, op=made.title, there=made, takes=takes,
            blamed=made_at(call.trace, made),
        )  # fmt: skip
    if of_logs and fed.stat("max") > 0:
        return mistake(
            "{op} ({where}) takes {takes}, which are at most 0, and {name} goes up to {top}: log_softmax gives them",
            event, call.step, takes=takes, name=fed, top=fed.stat("max"),
        )  # fmt: skip
    if event.op == "softmax_with_cross_entropy" and _add_up(fed.array, event.attrs.get("axis", -1)):
        return mistake(
            "{op} ({where}) takes {takes}, and each row of {name} adds up to 1: it is fed probabilities",
            event, call.step, name=fed, takes=takes,
        )  # fmt: skip
    return None


def _labels(call: Call) -> Mistake | None:
    """Targets that are no probabilities, or stand where the prediction belongs."""
    if call.event.op not in ("bce_loss", "sigmoid_cross_entropy_with_logits", "kldiv_loss"):
        return None
    guess, target = call.inputs[:2]
    if guess.stop_gradient and not target.stop_gradient:
        return mistake(
            "{op} ({where}) takes the prediction first and the target second: {guess} is data, and {target} is what "
            "the network gives",
            call.event, call.step, guess=guess, target=target,
        )  # fmt: skip
    low, high = (target.stat(one) for one in ("min", "max"))
    return None if call.event.op == "kldiv_loss" or not (low < 0 or high > 1) else mistake(
        "{op} ({where}) takes targets from 0 to 1, and {name} goes from {low} to {high}: the loss falls below 0",
        call.event, call.step, name=target, low=low, high=high,
    )  # fmt: skip


def _is_column(short: Sequence[int], long: Sequence[int]) -> bool:
    """Return whether the second of two shapes is a column of as many numbers: [8] and [8, 1]."""
    return len(long) == len(short) + 1 and long[-1] == 1 and long[:-1] == short


def compared_with_all(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a comparison of each guess with all labels: [8, 1] == [8]."""
    for event in trace.events if steps else ():
        given = trace.known(event.inputs) if event.op in ("equal", "not_equal") else []
        for short, long in permutations(given, 2):
            learned = any(one.kind == "parameter" for one in ancestors(trace, *given))
            same = maker_of(trace, short)[1] is maker_of(trace, long)[1]  # the pairs of one class
            if learned and not same and short.stats.size > 1 and _is_column(short.shape, long.shape):
                yield mistake(_WITH_ALL, event, steps[-1], name=long, shape=long.shape, other=short)


_WITH_ALL = phrase("{op} ({where}) compares the column {name} {shape} with {other}, each with all")


def _broadcast(call: Call) -> Mistake | None:
    """Differences of a column and a row, a prediction and data, that are then averaged: [8, 1] - [8]."""
    if call.event.op not in ("elementwise_sub", "huber_loss") or len(call.inputs) < 2:
        return None
    one, other = call.inputs[:2]
    short, long = sorted((one.shape, other.shape), key=len)  # a column and as many numbers: [8, 1] and [8]
    made = (maker_of(call.trace, each)[0] for each in (one, other) if each.shape == long)
    crossed = long == 2 * short and any(each is not None and each.op == "getitem" for each in made)  # q[:, a]
    if not (crossed or _is_column(short, long)) or short[-1:] < (2,):
        return None
    is_averaged = any(has("averages", reader.op) for _, reader in call.after())
    return None if one.stop_gradient == other.stop_gradient or not is_averaged else mistake(
        "{op} ({where}) broadcasts {one} {shape} and {other} {wide} to {made}: each is compared with all",
        call.event, call.step, one=one, shape=one.shape, other=other, wide=other.shape,
        made=call.trace.known(call.event.outputs)[0].shape,
    )  # fmt: skip


@look(
    "{op} ({where}) multiplies one number, {name}, by the mask {mask} {shape}, which chooses nothing any more: "
    "take the mean after it (reduction='none')"
)
def _mask(call: Call) -> Found:
    """A mask of zeros and ones that comes after the mean: it weighs one number, and chooses nothing."""
    for one, mask in permutations(call.inputs[:2]) if call.event.op == "elementwise_mul" else ():
        made, _ = maker_of(call.trace, one)
        is_mean = made is not None and has("averages", made.op) and one.stats.size == 1
        weighs = is_mean and mask.stop_gradient and not one.stop_gradient
        if weighs and {*np.unique(np.asarray(mask.array)).tolist()} == {0, 1}:
            yield {"name": one, "mask": mask, "shape": mask.shape}


_PICKS = ("getitem", "gather_nd", "take_along_axis", "index_sample")
"""By a tensor they pick the probability of the right class, one from each row."""


def _axis(call: Call) -> Mistake | None:
    """A softmax whose probabilities add up to 1 over the rows: of a batch, or of the weights of an attention."""
    value, axis = call.inputs[0], call.event.attrs.get("axis", -1)
    is_softmax = call.event.op in ("softmax", "log_softmax")
    if not is_softmax or len(value.shape) < 2 or axis not in (-2, len(value.shape) - 2):
        return None
    for read, reader in call.after() if min(value.shape) > 1 else ():
        given = call.trace.known(reader.inputs)
        targets = (one for one in given if one.stop_gradient and one.shape == read.shape)
        picks = reader.op in _PICKS and given[0] is read and bool(given[1:])
        is_loss = (
            has("takes log probabilities", reader.op) or picks or any(_add_up(one.array) for one in targets)
        )
        weighs = reader.op in ("matmul_v2", "bmm") and given[0] is read and not reader.attrs.get("trans_x")
        if (weighs and read.producer == call.event.index) or (is_loss and len(value.shape) == 2):
            return mistake(
                "{op} ({where}) over axis {axis} of {name} {shape} adds up to 1 over the rows, and {reader} ({there}) "
                "takes each row as one: axis=-1",
                call.event, call.step, axis=axis, name=value, shape=value.shape, reader=reader.title, there=reader,
            )  # fmt: skip
    return None


@look(
    "{name} ({where}) is the target of {reader} ({there}), and requires gradient: backward moves it to the guess, "
    "too; detach() it if it is to stay"
)
def _moving_target(call: Call) -> Found:
    """A target, data plus a share of what a network gives for other data, that requires gradient as the guess does."""
    trace, is_error = call.trace, call.event.op in ("elementwise_sub", "huber_loss")
    requires = is_error and not any(one.stop_gradient for one in call.inputs)
    for guess, target in permutations(call.inputs[:2]) if requires else ():
        made, _ = maker_of(trace, target)
        parts = trace.known(made.inputs) if made is not None and made.op == "elementwise_add" else []
        learned = [one for one in parts if not one.stop_gradient]
        share, _ = maker_of(trace, learned[0]) if len(learned) == 1 else (None, None)
        both = {*ancestors(trace, guess)}.intersection(ancestors(trace, target))
        is_share = share is not None and share.op in ("scale", "elementwise_mul")
        if is_share and any(one.kind == "parameter" for one in both):
            yield {"at": made, "sure": False, "name": target, "reader": call.event.title, "there": call.event}


_RANGES = {"relu": (0, math.inf), "sigmoid": (0, 1), "softmax": (0, 1), "tanh": (-1, 1)}
"""What an activation can give at most."""
_UNREACHED = 0.2  # share of targets that is no chance, as noise about 0 below relu is


def _out_of_reach(call: Call) -> Mistake | None:
    """Targets that the activation before an error never gives: a fifth of them, surely if it is half."""
    if call.event.op not in ("elementwise_sub", "huber_loss") or len(call.inputs) < 2:
        return None
    guess, target = sorted(call.inputs[:2], key=lambda one: one.stop_gradient)
    made = call.trace.maker(guess)
    if made is None or made.op not in _RANGES or not target.stop_gradient or target.shape != guess.shape:
        return None
    (low, high), array = _RANGES[made.op], np.zeros(0) if target.array is None else target.array
    count = int(np.sum((array < low) | (array > high)))
    is_averaged = any(has("averages", reader.op) for _, reader in call.after())
    return None if not is_averaged or count < max(1, _UNREACHED * array.size) else mistake(
        "{count} of the {size} numbers in {name}, the target of {op} ({where}), are out of the reach of {maker} "
        "({there}{layer}), which gives {low} to {high}: {name} goes from {least} to {most}",
        call.event, call.step, sure=count >= array.size / 2, name=target, least=target.stat("min"),
        most=target.stat("max"), maker=made.title, there=made, layer=layer_text(made), low=low, high=high,
        count=count, size=array.size,
        blamed=made_at(call.trace, made),
    )  # fmt: skip


@look(
    "the loss has {log} - {variance} as a term, and no lower bound ({where}): the KL divergence, which is added, is "
    "-0.5 * (1 + {log} - mean**2 - {variance})"
)
def _kl_with_a_minus(call: Call) -> Found:
    """A KL divergence of a normal distribution that is maximized: it has no upper bound."""
    if call.event.op not in ("exp", "log"):
        return
    ends = call.inputs + call.trace.known(call.event.outputs)
    log, variance = ends if call.event.op == "exp" else ends[::-1]
    weights = {value.id: (weight, made) for value, made, weight in call.step.terms()}
    (up, _), (down, _) = (weights.get(one.id, (0, None)) for one in (log, variance))
    if not down < 0 < up:
        return
    made_by = [(weight, made) for weight, made in weights.values() if made is not None]
    adding = next(made for _, made in made_by if variance.id in made.inputs)
    formula = next(weight for weight, made in made_by if made.where == adding.where)
    if formula < 0:  # it is right, and a minus stands before it
        negative = {id_ for id_, (weight, _) in weights.items() if weight < 0}
        adding = next(made for _, made in made_by if not negative.isdisjoint(made.inputs))
    yield {"at": adding, "kind": "sign", "log": log, "variance": variance}


@look(
    "{op} ({where}) has ignore_index={index}, and {labels} has that {count} times, {between} times between other "
    "classes: class {index} is left out of the loss, and is never learned"
)
def _class_left_out(call: Call) -> Found:
    """A class that is used as any other, though the loss ignores it: padding prevails, or stands at an end."""
    index, is_loss = call.event.attrs.get("ignore_index", -1), has("takes scores", call.event.op)
    given = ancestors(call.trace, call.inputs[1]) if index >= 0 and is_loss else ()
    for labels in (one for one in given if one.kind_of_dtype == "i" and one.producer is None):
        mine = np.atleast_1d(np.squeeze(np.asarray(labels.array)) == index)
        others = [np.logical_or.accumulate(~mine[..., ::turn], -1)[..., ::turn] for turn in (1, -1)]
        count, between = int(mine.sum()), int((mine & others[0] & others[1]).sum())
        if count < 4 * between and 4 * count < 3 * mine.size:
            yield {"index": index, "labels": labels, "count": count, "between": between}


@look(
    "{how} ({where}) takes {name} out of the graph {count} times in a pass, once in each time step: no gradient goes "
    "through time, and {reader} ({there}) learns from the last step alone"
)
def _cut_in_time(call: Call) -> Found:
    """A state that is detached at each time step, so that a pass goes back through the last one alone."""
    trace, span = call.trace, range(call.step.began, call.event.index + 1)
    is_fed = any(one.kind == "data" for one in call.inputs)
    cuts = [one for one in trace.cuts if one.value is not None and one.before_event in span] if is_fed else []
    for last in (one for one in cuts if one.made in call.event.inputs):
        states = trace.known(one.value for one in cuts if one.where == last.where)
        made, passed = {one.made for one in cuts}, {one.index for one, _ in call.step.through()}
        lost = (one for one in states if not one.stop_gradient and one.producer not in passed)
        behind = ([*ancestors(trace, one)] for one in lost)
        chain = [values for values in behind if not made.isdisjoint(one.id for one in values[1:])]
        if len(chain) > 1 and any(one.kind == "parameter" for one in chain[0]):
            parts = {"how": last.how, "name": states[-1], "count": len(states), "reader": call.event.title}
            yield {"at": last, "kind": "cut in time", "there": call.event, **parts}


_COLD = 0.5
"""A factor from which on similarities, which are 1 at most, are hardly told apart."""


@look(
    "{op} ({where}) multiplies similarities, which go from {low} to {high}, by {factor} before {reader} ({there}): all "
    "classes stay about equal; a temperature divides, / {factor}"
)
def _times_temperature(call: Call) -> Found:
    """Similarities of unit vectors that are multiplied by a temperature, where they are to be divided by it."""
    scores, other, factor = call.inputs[0], call.inputs[-1], float(call.event.attrs.get("scale", 1))
    if call.event.op == "elementwise_mul" and other.stats.size == 1:
        factor = other.stat("mean")
    reader = next((one for _, one in call.after() if has("takes scores", one.op)), None)
    if 0 < factor <= _COLD and reader is not None and len(scores.shape) > 1:
        low, high = scores.stat("min"), scores.stat("max")
        rows = (
            one for one in ancestors(call.trace, scores) if one.kind == "result" and one.shape[-1:] > (1,)
        )
        lengths = (np.linalg.norm(np.asarray(one.array, float), axis=-1) for one in rows)
        if max(-low, high) < 1.001 and any(np.allclose(one, 1, atol=1e-3) for one in lengths):
            yield {"low": low, "high": high, "factor": factor, "reader": reader.title, "there": reader}


@look(
    "{op} ({where}) has label 0 in each row of {scores} {shape}, the similarities of all pairs: row i belongs to "
    "column i, so the labels are 0, 1, 2, ..."
)
def _labels_of_no_pair(call: Call) -> Found:
    """Label 0 in each row of a square matrix of similarities, whose pairs stand on the diagonal."""
    scores, labels = call.inputs[0], call.inputs[-1]
    made, _ = maker_of(call.trace, scores)
    while made is not None and made.op in ("scale", "elementwise_div", "elementwise_mul"):
        made, _ = maker_of(call.trace, call.trace.known(made.inputs)[0])
    sides = call.trace.known(made.inputs) if made is not None and made.op == "matmul_v2" else []
    is_square = scores.shape[:1] == scores.shape[1:] > (2,) and labels.kind_of_dtype == "i"
    if is_square and all_zero(labels.stats) and sides and all(one.kind != "parameter" for one in sides):
        yield {"blamed": maker_of(call.trace, labels)[0], "scores": scores, "shape": scores.shape}


@look(
    "{op} ({where}) has as its labels the tokens {ids} {shape} that {reader} ({there}) reads at the same places: the "
    "network learns to copy them; the label of a place is the token after it"
)
def _copied_tokens(call: Call) -> Found:
    """Labels that are the tokens of an embedding, from which all on the way to the scores keeps its place."""
    labels, waiting, seen = np.ravel(np.asarray(call.inputs[-1].array)), [call.inputs[0]], set[int]()
    for value in waiting if has("takes scores", call.event.op) and len(np.unique(labels)) > 1 else ():
        made = call.trace.maker(value)
        before = call.trace.known(made.inputs) if made is not None else []
        fresh = [one for one in before if math.prod(one.shape[:-1]) == labels.size and one.id not in seen]
        seen.update(one.id for one in fresh)
        waiting += fresh
        is_read = made is not None and made.op == "lookup_table_v2" and before[1].shape[1:] > (1,)
        if made and is_read and np.array_equal(np.ravel(np.asarray(before[1].array)), labels):
            parts = {"ids": before[1], "shape": before[1].shape, "reader": made.title, "there": made}
            yield {"sure": False, **parts}  # to copy may be the task


LOOKS: Sequence[Look] = (
    *(_probabilities, _labels, _broadcast, _mask, _axis, _moving_target, _out_of_reach, _kl_with_a_minus),
    *(_class_left_out, _cut_in_time, _times_temperature, _labels_of_no_pair, _copied_tokens),
    *LAYER_LOOKS,
)


def mistakes_in_losses(trace: Trace, steps: list[Step]) -> list[Mistake]:
    """Return what each look finds first among the calls that passes went back through: one pass for each line."""
    found: dict[object, Mistake] = {}
    for step, *_ in grouped((step.marker.where, step) for step in steps).values():
        calls = [forward for forward, _ in step.through() if forward.kind == "op" and forward.inputs]
        calls += [one for one in step.forward if one.op in ("reshape2", "kldiv_loss")]  # of data, too
        readers = grouped((id_, event) for event in calls for id_ in event.inputs if id_ is not None)
        for call in (Call(trace, step, event, readers) for event in calls):
            seen = ((look, look(call)) for look in LOOKS if look not in found)
            found.update((look, one) for look, one in seen if one is not None)
    return [found[look] for look in LOOKS if look in found]
