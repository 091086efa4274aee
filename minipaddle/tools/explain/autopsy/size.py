"""Why the gradient of a leaf is NaN, Inf, tiny or huge: the first such event, or the line that scales it most.

For a NaN or Inf also the formula that computed it, with the numbers read at that element.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import flat_of, has
from minipaddle.tools.explain.autopsy.missing import Reason, State
from minipaddle.tools.explain.autopsy.one_pass import Leg, OnePass, way_to
from minipaddle.tools.explain.autopsy.zero import but_for_rounding
from minipaddle.tools.explain.why import why
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import blamed, place, title
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import cut, line_text, not_finite, number


def why_not_finite(one: OnePass, leaf: Value, gradient: Value) -> Reason:
    """Return the reason of a NaN or Inf: the event that first made it, and of a NaN the Inf that it came from."""
    what = "NaN" if gradient.stats.nans else "Inf"
    value, event = _origin(one.trace, gradient, what)
    found = _born(one, leaf, what, value, event)
    reads = one.trace.known(one.trace.takes(event)) if event is not None and what == "NaN" else []
    first = next((read for read in reads if read.stats.infs), None)
    if first is None:
        return found
    value, event = _origin(one.trace, first, "Inf")
    if event is None:
        return found
    of = blamed(one.trace, event)
    came = say("; it comes from an Inf, born in {op} ({where})", op=title(event), where=place(of))
    how = birth(one.trace, event, value)
    return found._replace(sentence=found.sentence + came + (f": {how}" if how else ""))


def _origin(trace: Trace, value: Value, what: str) -> tuple[Value, Event | None]:
    """Return the first value on the way to a NaN or Inf that has one, and the event that made it."""
    seen: set[int] = set()
    while True:
        seen.add(value.id)
        event = trace.maker(value)
        if event is None and value.same is not None:
            event = trace.maker(trace.values[value.same])
        reads = [] if event is None else trace.known(trace.takes(event))
        bad = [read for read in reads if (read.stats.nans if what == "NaN" else read.stats.bad)]
        if value.replaces is not None and trace.values[value.replaces].stats.bad:
            bad = [trace.values[value.replaces]]
        new = [read for read in bad if read.id not in seen]
        before = min(new, key=lambda read: -1 if read.producer is None else read.producer, default=None)
        if before is None:
            return value, event
        value = before


def _born(one: OnePass, leaf: Value, what: str, value: Value, event: Event | None) -> Reason:
    if event is None:
        at = next(iter(one.trace.warned[-1:]), None)
        told = (
            ""
            if at is None
            else say("; NumPy said at {where}: {words}", where=line_text(at), words=at.function)
        )
        return State(leaf).because(
            "the gradient of {name} is {what}: {value} came with {counts} into the recording{told}",
            what=what, value=value.name, counts=not_finite(value.stats), told=told,
        )  # fmt: skip
    found = State(leaf).because(
        "the gradient of {name} is {what}: born in {op} ({where})",
        blamed(one.trace, event), event, what=what, op=title(event),
    )  # fmt: skip
    how = birth(one.trace, event, value)
    return found._replace(sentence=f"{found.sentence}: {cut(how, _LONGEST)}") if how else found


_LONGEST = 300  # letters of a formula in a sentence: of a long recurrence it has thousands
_OVERFLOWS = 0.25  # no product of numbers below that power of the largest overflows: an Inf is a pole, as of 1 / x at 0
_LARGE = 10.0  # from this absolute value on, a factor is reported as large


_Scaled = tuple[Leg, Event, float]
"""A leg of a gradient's path, the event whose line is blamed for it, and the factor by which it scaled the gradient."""


def why_size(one: OnePass, leaf: Value, gradient: Value, small: bool) -> Reason:
    """Return the reason why a gradient is tiny (`small`) or huge."""
    legs, state = way_to(one, gradient), State(leaf, (_TINY if small else _HUGE).sentence)
    for leg in legs if small else ():
        forward = None if leg.event is None else one.trace.differentiated(leg.event)
        if forward is not None and leg.leaves_rounding(one.trace):
            return but_for_rounding(one, leaf, forward, leg.event)
    most: Callable[..., list[_Scaled]] = min if small else max
    worst = most(grouped(_scaled(one, legs)).values(), key=_product, default=[])
    start, factor = legs[-1].after.stats.rms, _product(worst)
    if factor > min(start, 0.9) if small else factor < max(start, 1.1):
        said = _NO_LINE_SHRINKS if small else _NO_LINE_ENLARGES
        return state.because(said.sentence, one.marker, began=number(start))
    together = grouped((_name_of(leg, forward), (leg, forward, factor)) for leg, forward, factor in worst)
    names = sorted(together, key=lambda name: _product(together[name]))
    how = ", ".join((names if small else names[::-1])[:2])
    if len(worst) > 1:
        how += ", " + say("{calls} calls", calls=len(worst))
    flat = filter(None, (_share_of_flat(one, forward) for _, forward, _ in worst))
    how += next(flat, "") if small else _large_factor(one, worst)
    (first, forward, _), *_ = worst
    return state.because(
        "{where} multiplies it by {factor} ({how})", forward, first.event, factor=number(factor), how=how
    )


_TINY, _HUGE = phrase("the gradient of {name} is tiny"), phrase("the gradient of {name} is huge")
_NO_LINE_SHRINKS = phrase("backward began with {began}, and no line shrinks it as much")
_NO_LINE_ENLARGES = phrase("backward began with {began}, and no line enlarges it as much")


def _scaled(one: OnePass, legs: Iterable[Leg]) -> Iterator[tuple[Line | None, _Scaled]]:
    """Yield the legs that scaled a gradient, each after the line that is blamed for it."""
    for leg in legs:
        if leg.event is None or leg.before is None:
            continue
        before, after = leg.before.stats.rms, leg.after.stats.rms
        terms = map(
            one.trace.maker, one.trace.known(leg.event.inputs) if leg.event.kind == "accumulate" else ()
        )
        use = next((term for term in terms if term is not None and term.origin is not None), leg.event)
        forward = blamed(one.trace, use)
        if before > 0 and after > 0 and math.isfinite(before * after):
            yield forward.where, (leg, forward, after / before)


def _product(scaled: Iterable[_Scaled]) -> float:
    """Return the factor of some legs together, above 0."""
    return math.prod(factor for *_, factor in scaled) or 1e-300


def _name_of(leg: Leg, forward: Event) -> str:
    """Return what scaled a gradient: an operator, a hook, or a sum."""
    if leg.event is not None and leg.event.kind == "accumulate":
        return say("the sum of its uses")
    return say("a hook") if forward.kind == "enter" else forward.title


def _large_factor(one: OnePass, scaled: Iterable[_Scaled]) -> str:
    """Return the largest saved tensor of the calls of some legs, as a clause; "" if none is large."""
    read = [
        value
        for leg, call, _ in scaled
        for value in one.trace.known(call.saved)
        if value.kind_of_dtype == "f" and (value.id != leg.after.of or len(call.saved) == 1)
    ]
    top = max(read, key=_largest, default=None)
    if top is None or not _LARGE < _largest(top) < math.inf:
        return ""
    return ", " + say("{value} is as large as {size} there", value=top.name, size=number(_largest(top)))


def _largest(value: Value) -> float:
    return max(abs(value.stats.min), abs(value.stats.max))


def _share_of_flat(one: OnePass, forward: Event) -> str:
    """Return how many units are dead or saturated, as a clause; "" if none are, or it is unknown."""
    op = TABLE.get(forward.op)
    out = next((value.array for value in one.trace.known(forward.outputs)), None)
    flat = flat_of(op)
    count = 0 if flat is None or out is None else int(flat(out).sum())
    if out is None or not count:
        return ""
    return f", {count} of {out.size} {say('dead') if forward.op == 'relu' else say('saturated')}"


def spot_of(array: Array) -> tuple[int, ...] | None:
    """Return the index of the first NaN, else of the first Inf; an Inf beside a NaN may be an input's."""
    bad = np.isnan(array) if np.isnan(array).any() else ~np.isfinite(array)
    return tuple(int(i) for i in np.argwhere(bad)[0]) if bad.any() else None


def born_within(trace: Trace, event: Event, value: Value) -> tuple[int, ...] | None:
    """Return where an elementwise event made a NaN or Inf of finite numbers, beside others that came in; or None."""
    came = np.full(value.shape, True)
    for read in trace.known(trace.takes(event)) if has("elementwise", blamed(trace, event).op) else ():
        if read.array is None or np.broadcast_shapes(read.shape, value.shape) != value.shape:
            return None  # a sum over what was broadcast
        came &= np.isfinite(read.array)
    return None if value.array is None or came.all() else spot_of(np.where(came, value.array, 0))


def birth(trace: Trace, event: Event, value: Value, spot: tuple[int, ...] | None = None) -> str:
    """Return the formula that made a NaN or Inf, the numbers read there, and the dtype's limit if exceeded."""
    spot = spot_of(value.array) if spot is None and value.array is not None else spot
    if value.array is None or spot is None:
        return ""
    if not np.isfinite([one for one in getattr(event, "attrs", {}).values() if isinstance(one, float)]).all():
        return _rule(trace, event, value)  # the user wrote inf
    found = _at(trace, event, spot, value)
    read = ", ".join(f"{name} = {number(at)}" for name, at in found) or _ranges(trace, event)
    how = "; ".join(filter(None, (_rule(trace, event, value), read)))
    numbers = [at for _, at in found] or [_largest(one) for one in trace.known(trace.takes(event))]
    limit = _limit(value, spot, numbers, blamed(trace, event).op)
    return f"{how}  ->  {number(float(value.array[spot].real))}{limit}"


def _at(trace: Trace, event: Event, spot: tuple[int, ...], made: Value) -> list[tuple[str, float]]:
    """Return the numbers that an event read at one element; of what combines elements the first NaN or Inf."""
    found: dict[str, float] = {}
    combines = blamed(trace, event).op in ("matmul_v2", "conv2d")
    for read in trace.known(trace.takes(event)):
        array: Array | None = read.array
        if array is None or array.dtype.kind not in "fiub" or (combines and not read.stats.bad):
            continue
        with suppress(ValueError):
            places = np.arange(array.size).reshape(array.shape)
            own = places[~np.isfinite(array)][0] if combines else np.broadcast_to(places, made.shape)[spot]
            here = ", ".join(str(int(i)) for i in np.unravel_index(own, array.shape))
            found[f"{read.name}[{here}]" if here else read.name] = float(array.flat[own])
    return list(found.items())


def _ranges(trace: Trace, event: Event) -> str:
    """Return the ranges of an event's inputs, for an output that combines many elements."""
    said = []
    for value in trace.known(trace.takes(event)):
        array = value.array
        if array is not None and array.size and array.dtype.kind in "fiu" and not value.stats.bad:
            low, high = number(value.stats.min), number(value.stats.max)
            said.append(say("{name} from {low} to {high}", name=value.name, low=low, high=high))
    return ", ".join(said)


def _limit(value: Value, spot: tuple[int, ...], read: list[float], op: str) -> str:
    """Return the largest number of a dtype, if finite inputs overflowed it; else ""."""
    array = value.array
    if array is None or array.dtype.kind != "f" or not np.isinf(array[spot]):
        return ""
    most = float(np.finfo(array.dtype).max)
    grows = max(map(abs, read), default=0.0) >= most**_OVERFLOWS or re.search("exp|pow", op)
    if not grows or 0.0 in read or not np.isfinite(read).all():
        return ""
    top = number(most) if array.dtype != np.float16 else "65504"
    return ": " + say("that is beyond {top}, the largest {dtype}", top=top, dtype=value.dtype)


def _rule(trace: Trace, event: Event, value: Value) -> str:
    if event.kind == "update":
        return value.name
    if event.kind not in ("op", "grad") or (event.kind == "op" and event.op not in TABLE):
        return ""
    try:
        return why(trace, event).formulas.get(value.id, "")
    except Exception:  # a formula is an optional help
        return ""
