"""Mistakes in what a layer is fed: units that are saturated, data that are all zero, tokens that have no row.

Each is found by a look at one call. Read next: :mod:`.loss`, those of what a loss is fed.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import mul

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.ops.definition.traits import flat_of, has
from minipaddle.tools.checks.training.steps import (
    COMPARES,
    Call,
    Found,
    Mistake,
    enlarging,
    look,
    maker_of,
    mistake,
)
from minipaddle.tools.explain.user_source import made_at
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.events import ancestors, layer_text, place
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import number

_MOST = 0.75
"""Share of saturated units from which a layer is told of: a layer that learns has some at its edges."""
_SURE = 1 - 1e-6
"""A probability above it has a slope that float32 rounds to nothing."""
_WIDE = 5
"""Data, and sums over weights, are about 1 large where a layer can learn; this many times that is no chance."""
_SHARP = 200
"""A factor before a softmax that is no usual temperature any more: 0.005."""
_AMONG = 4
"""Of padding, fewer than one in so many stand alone between two words: it stands in a row, at an end."""
_HUGE = 1e8
"""An exponential above it leaves float32 no digit for what it is added to."""


def _saturated(call: Call) -> Mistake | None:
    """A layer within the network most of whose units are saturated: its gradient is nearly nothing."""
    if call.event.op not in ("softmax", "sigmoid", "tanh") or _sharp(call) is not None:
        return None
    flat, readers = flat_of(TABLE.get(call.event.op)), [reader for _, reader in call.after()]
    out = call.trace.known(call.event.outputs)[0].array if call.event.outputs else None
    if out is None or out.ndim < 2 or out.size < 2:
        return None
    share = 0.0
    if call.event.op == "softmax" and out.shape[-1] > 1 and any(one.op == "matmul_v2" for one in readers):
        share = np.mean(out.max(axis=-1) > _SURE)
    elif flat is not None:
        inner = any(value.kind == "parameter" for one in readers for value in call.trace.known(one.inputs))
        share = np.mean(flat(out)) if inner else 0
    came, large = call.inputs[0], _large_behind(call) if share >= _MOST else None
    made = None if large is None else call.trace.born(large) or call.trace.maker(large)
    rms = "" if large is None else number(large.stats.rms)
    size = "" if large is None else say(", as {name} is {size} large", name=large.name, size=rms)
    return None if share < _MOST else mistake(
        "{op} ({where}) is saturated at {share}% of its units, for {name} goes from {low} to {high}{size}: hardly any "
        "gradient comes through; scale what it is fed",
        call.event, call.step, blamed=made, share=int(100 * share), name=came, low=came.stat("min"),
        high=came.stat("max"), size=size,
    )  # fmt: skip


def _large_behind(call: Call) -> Value | None:
    """Return what makes the input of a call large: weights, or the first data that are; None if neither are."""
    behind = [one for one in ancestors(call.trace, call.inputs[0]) if one.kind_of_dtype == "f"]
    weights = (one for one in behind if one.kind == "parameter" and len(one.shape) > 1)
    data = [one for one in behind if one.stop_gradient and one.stats.rms > _WIDE]
    wide = (one for one in weights if enlarging(one) > _WIDE)
    return next(wide, data[-1] if data else None)


def _one_value(call: Call) -> Mistake | None:
    """A batch norm with one value for each channel, and no variance, or with averages that it has never measured."""
    if call.event.op != "batch_norm":
        return None
    value, scale, _, *averages = call.inputs
    scope, begun = call.event.scope, [one.stats.min == one.stats.max == at for at, one in enumerate(averages)]
    if call.event.attrs.get("is_test"):
        is_trained = scope is not None and scope.training and not scale.stop_gradient
        return None if not is_trained or not begun or not all(begun) else mistake(
            "{op} ({where}) has use_global_stats=True, and its averages are 0 and 1, as they began: it normalizes "
            "nothing, and never measures them; leave that out where it is trained from the start",
            call.event, call.step, blamed=made_at(call.trace, call.event),
        )  # fmt: skip
    return None if value.stats.size != scale.stats.size else mistake(
        "{op} ({where}) has one value for each channel of {name} {shape}, and no variance to divide by: train with "
        "batches of several",
        call.event, call.step, name=value, shape=value.shape,
    )  # fmt: skip


def _mixed(call: Call) -> Mistake | None:
    """A reshape that neither joins nor splits neighbouring axes: where an axis was to move, it mixes the numbers."""
    if call.event.op != "reshape2" or not call.step.updates:
        return None
    value, out = call.inputs[0], call.trace.known(call.event.outputs)[0]
    axis, (_, source) = _moved(value.shape, out.shape), maker_of(call.trace, value)
    if axis is None or (source is not None and source.kind == "parameter"):
        return None
    losses = (event for event in call.step.forward if event.op in COMPARES)
    rows = {one.shape[:1] for event in losses for one in call.trace.known(event.inputs) if one.stop_gradient}
    return mistake(
        "{op} ({where}) reads {name} {shape} in its order and cuts it into {wide}, which mixes the numbers of "
        "several places: transpose moves the axis of {size}",
        call.event, call.step, sure=value.shape[:1] not in rows and out.shape[:1] in rows, name=value,
        shape=value.shape, wide=out.shape, size=axis,
    )  # fmt: skip


def _moved(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the size of an axis that a reshape seems to move, among those that it neither joins nor splits.

    >>> _moved((6, 16, 4), (16, 24)), _moved((16, 6, 4), (16, 24)), _moved((2, 6), (3, 4))
    (16, None, None)
    """
    old, new = ([size for size in shape if size != 1] for shape in (before, after))
    ends = [list(accumulate(shape, mul)) for shape in (old, new)]
    one = other = 0
    for size in (end for end in ends[0] if end in ends[1]):
        parts = old[one : ends[0].index(size) + 1], new[other : ends[1].index(size) + 1]
        one, other = one + len(parts[0]), other + len(parts[1])
        kept = [axis for axis in parts[1] if axis in parts[0]]
        if kept and min(map(len, parts)) > 1:
            return kept[0]
    return None


def _sharp(call: Call) -> Mistake | None:
    """A softmax that picks one class in most rows, since a tiny temperature divides its scores."""
    made = call.trace.maker(call.inputs[0]) if call.event.op in _SOFTMAX else None
    out = call.trace.known(call.event.outputs)[0].array if made is not None else None
    if made is None or out is None or not made.inputs:
        return None
    came, *others = call.trace.known(made.inputs)
    by = abs(made.attrs.get("scale", 1) if made.op == "scale" else others[0].stat("mean") if others else 1)
    factor = 1 / by if made.op == "elementwise_div" and by else by
    best = np.exp(out).max(-1) if call.event.op == "log_softmax" else out.max(-1)
    share, is_one = np.mean(best > _SURE), not others or others[0].stats.size == 1
    return None if share < _MOST or made.op not in _SCALES or factor < _SHARP or not is_one else mistake(
        "{op} ({where}) gives all to one class in {share}% of its rows, as {there} scales {name}, which goes from "
        "{low} to {high}, by {factor}: a temperature that small leaves no gradient, or a huge one",
        call.event, call.step, share=int(100 * share), there=made, name=came, low=came.stat("min"),
        high=came.stat("max"), factor=factor,
    )  # fmt: skip


_SCALES = ("scale", "elementwise_div", "elementwise_mul")
_SOFTMAX = ("softmax", "log_softmax", "softmax_with_cross_entropy")


def _overflowing(call: Call) -> Mistake | None:
    """An exponential of what a layer gives, such as a logarithm of a variance, that is out of all proportion."""
    if call.event.op != "exp" or call.inputs[0].stop_gradient:
        return None
    (came,), (made,) = call.inputs, call.trace.known(call.event.outputs)
    return None if not made.stat("max") > _HUGE and not made.stats.infs else mistake(
        "{op} ({where}) of {name}, which goes from {low} to {high}, is as large as {top}: clip what it is fed, or "
        "scale it down",
        call.event, call.step, name=came, low=came.stat("min"), high=came.stat("max"),
        top=math.inf if made.stats.infs else made.stat("max"),
    )  # fmt: skip


def _padding(call: Call) -> Mistake | None:
    """A token that is used as any other, between others or alone, though it is the padding, which never learns."""
    token, weight = call.event.attrs.get("padding_idx"), call.inputs[0].holder
    looked = [
        one for one in call.trace.events if one.op == call.event.op == "lookup_table_v2" and (token or 0) >= 0
    ]
    given = (call.trace.known(one.inputs) for one in looked)
    read = {ids.id: ids.array for table, ids in given if table.holder == weight and ids.array is not None}
    count = between = 0
    for ids in (one for one in read.values() if one.size):  # a tensor that several passes read counts once
        is_token = (ids.squeeze(-1) if ids.ndim > 1 and ids.shape[-1] == 1 else ids) == token
        count += int(is_token.sum())
        between += int((is_token[..., 1:-1] & ~is_token[..., :-2] & ~is_token[..., 2:]).sum())
    return None if not between or _AMONG * between < count else mistake(
        "{op} ({where}) has padding_idx={token}, and what it looks up is that {count} times, {between} times between "
        "others: its row of {weight} never learns",
        call.trace.born(call.inputs[0]) or call.event, call.step, op=call.event.title, token=token, count=count,
        between=between, weight=call.inputs[0],
    )  # fmt: skip


def _last_sample(call: Call) -> Mistake | None:
    """A place that is taken of what a recurrent layer gives: a sample, or a step that one direction begins with."""
    event, step, out = call.event, call.step, call.inputs[0]
    made, source = maker_of(call.trace, out)
    index = str(event.attrs.get("index")).removesuffix(", ::")
    *whole, last = index.split(", ")
    if made is None or made.op not in RECURRENT or source is None or source.id != made.outputs[0]:
        return None
    if event.op != "slice" or whole not in ([], ["::"]) or not last.lstrip("-").isdigit():
        return None
    is_sample = len(whole) == (source is out)  # with time_major=True, axis 0 is the time
    own = call.trace.maker(call.trace.known(made.inputs)[0])  # batch first is turned by the layer itself
    before = call.trace.maker(call.trace.known(own.inputs)[0]) if own is not None and own.inputs else None
    turn = before if before is not None and before.attrs.get("perm", ())[:2] == (1, 0) else None
    if is_sample and turn is not None:
        why = say("a sample of the batch; {op} ({where}) puts time first", op=turn.title, where=place(turn))
    elif is_sample:
        right = f"{out.name}[-1]" if whole else say("{name}[:, -1], unless time_major=True", name=out.name)
        why = say("a sample of the batch; the last step of each is {right}", right=right)
    elif made.attrs.get("is_bidirec") and last in ("0", "-1"):
        why = say(
            "a step at which one of the two directions has read one alone; the final states have read all"
        )
    elif last == "-1" and (count := _ending_in_padding(call)):
        why = say("a step that is padding in {count} of its rows; take each row's last own step", count=count)
    else:
        return None
    layer = (turn or (made_at(call.trace, made) if whole else None)) if is_sample else None
    part = f"{out.name}[{index.replace('::', ':')}]"
    return mistake(_TAKES, event, step, sure=is_sample, blamed=layer, part=part, shape=out.shape, why=why)


def _ending_in_padding(call: Call) -> int:
    """Return how many rows of tokens, behind what a call reads, end in padding; 0 if they are not most of all rows."""
    made = (call.trace.maker(one) for one in ancestors(call.trace, *call.inputs))
    padded = (one for one in made if one is not None and one.attrs.get("padding_idx", -1) >= 0)
    rows = ((np.asarray(call.trace.known(one.inputs)[1].array), one.attrs["padding_idx"]) for one in padded)
    ends = next((ids[:, -1] == token for ids, token in rows if ids.ndim == 2), np.zeros(1))
    return int(ends.sum()) if ends.mean() > 0.5 else 0


RECURRENT = ("gru", "lstm", "simple_rnn")
_TAKES = phrase("{op} ({where}) takes {part} of {shape}: {why}")


def _inverted_mask(call: Call) -> Mistake | None:
    """A softmax that gives all weight to padding, or to what comes later: its mask is the wrong way round."""
    scores = call.inputs[0].array if call.event.op == "softmax" else None
    hidden = np.zeros(0) if scores is None or scores.ndim < 2 else scores < _HIDDEN
    made = call.trace.maker(call.inputs[0])
    if made is None or not hidden.any() or hidden.all():
        return None
    mask = next((one for one in call.trace.known(made.inputs) if one.stop_gradient), None)
    rows, columns = hidden.shape[-2:]
    later = np.triu(np.ones((rows, columns), bool), 1)
    if rows == columns > 2 and any((hidden == one).all() for one in (~later, later.T)):
        return mistake(
            "{op} ({where}) hides all that comes before a place from {reader} ({there}), and shows what comes after: "
            "the mask is the wrong way round",
            made, call.step, reader=call.event.title, there=call.event, blamed=maker_of(call.trace, mask)[0],
        )  # fmt: skip
    for ids in ancestors(call.trace, call.inputs[0]):
        if ids.kind_of_dtype != "i" or ids.array is None or ids.shape != (hidden.shape[0], columns):
            continue
        seen = ~hidden.reshape(len(hidden), -1, columns).all(1)
        shown, others = (np.unique(ids.array[part]) for part in (seen, ~seen))
        if len(shown) == 1 < len(others) and shown[0] not in others:
            return mistake(
                "{op} ({where}) leaves {reader} ({there}) only places where {ids} is {token}, and hides all others: "
                "the mask is the wrong way round",
                made, call.step, reader=call.event.title, there=call.event, ids=ids, token=shown[0],
            )  # fmt: skip
    return None


_HIDDEN = -1e4
"""A score below it gets no weight in a softmax."""


@look(
    "{op} ({where}) takes scores (logits), and is fed what relu ({there}) leaves of them: none is below "
    "0{rows}; leave it out"
)
def _relu_before(call: Call) -> Found:
    """Scores that relu cuts off at 0 before the loss."""
    made, _ = maker_of(call.trace, call.inputs[0])
    if has("takes scores", call.event.op) and made is not None and made.op == "relu":
        scores = np.asarray(call.inputs[0].array, float)
        count = int(np.sum(~scores.any(-1)))
        rows = say(", and {count} rows are 0 where no gradient comes through", count=count) if count else ""
        yield {"there": made, "rows": rows, "sure": count > 0}


@look(
    "{op} ({where}) adds {mask}, which is 0 and 1, to the scores of {reader} ({there}): where it is 0, a place keeps "
    "its weight but for a factor of e; add (1 - {mask}) * -1e9"
)
def _mask_added(call: Call) -> Found:
    """A mask of zeros and ones that is added to scores, and hides nothing."""
    reader = next((one for _, one in call.after() if one.op == "softmax"), None)
    for mask in call.inputs if call.event.op == "elementwise_add" else ():
        _, source = maker_of(call.trace, mask)
        numbers = {*np.unique(np.asarray(mask.array)).tolist()} if reader and mask.stop_gradient else {}
        if reader and source and numbers == {0, 1}:
            yield {"mask": source, "reader": reader.title, "there": reader}


@look(
    "{op} ({where}{layer}) sets {share}% of {name} to 0: p is the share that it drops; to keep so many, it is {keep}"
)
def _dropping_most(call: Call) -> Found:
    """A dropout with the share that is kept."""
    attrs = {} if call.event.op != "dropout" or call.event.attrs.get("is_test") else call.event.attrs
    if _LARGE_SHARE <= (share := float(attrs.get("p", 0))) < 1:
        made, layer = made_at(call.trace, call.event), layer_text(call.event)
        parts = {"share": round(100 * share), "name": call.inputs[0], "keep": 1 - share}
        yield {**parts, "layer": layer, "blamed": made}


_LARGE_SHARE = 0.85  # of what a dropout drops: a larger one is hardly ever meant


@look("{op} ({where}) is a linear layer right on another ({there}), without activation: one would do as much")
def _linear_twice(call: Call) -> Found:
    """A linear layer of what is linear in the data: by another layer, which is no bottleneck and feeds it alone."""
    is_wide = all(one.kind == "parameter" and one.shape[:1] >= one.shape[-1:] for one in call.inputs[1:])
    there, fed = None, call.inputs[:1] if call.event.op == "matmul_v2" and is_wide else []
    behind = map(call.trace.maker, ancestors(call.trace, *fed, requiring=True))
    for event in (one for one in behind if one is not None):
        if event.op not in ("matmul_v2", "elementwise_add"):
            return  # mostly at once: an activation
        there = event if there is None and event.op == "matmul_v2" else there
    if there is not None and len(call.readers[call.inputs[0].id]) == 1:
        yield {"sure": False, "there": there}


LAYER_LOOKS: Sequence[Callable[[Call], Mistake | None]] = (
    *(_saturated, _one_value, _mixed, _sharp, _overflowing, _padding),
    *(_last_sample, _inverted_mask, _relu_before, _mask_added, _dropping_most, _linear_twice),
)
