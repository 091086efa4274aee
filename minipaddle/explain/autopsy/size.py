"""Why the gradient of a leaf is tiny or huge: the line that shrinks or enlarges it most."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.core.errors import Line
from minipaddle.explain.autopsy.missing import Reason
from minipaddle.explain.autopsy.one_pass import OnePass
from minipaddle.explain.autopsy.probe import cancels, leaves_rounding, removed_by
from minipaddle.explain.autopsy.way import way_to
from minipaddle.explain.autopsy.zero import by_algebra, cancelled, share_of_flat
from minipaddle.trace.events import Event, Value
from minipaddle.words.events import blamed
from minipaddle.words.language import say
from minipaddle.words.numbers import line_text, number

_GROWN = 100.0


class Share(NamedTuple):
    """What one line did to the size of a gradient, in all the calls that ran there."""

    where: Line | None
    event: Event
    ops: list[str]
    """What ran there, from what shrinks most to what enlarges most."""
    factor: float
    calls: int
    flat: str
    """How many units are dead or saturated, in words."""


def why_size(one: OnePass, leaf: Value, gradient: Value, small: bool) -> Reason:
    """Return what made a gradient tiny (`small`) or huge."""
    legs = way_to(one, gradient)
    for place, leg in enumerate(legs[:2] if small else ()):
        if leg.before is not None and cancels(leg.before, leg.after):
            after = removed_by(one.trace, legs, place)
            if after is not None:
                return by_algebra(leaf, after, leg.event)
    for leg in legs if small else ():
        forward = None if leg.event is None else one.trace.differentiated(leg.event)
        if forward is not None and leaves_rounding(one.trace, leg):
            return cancelled(leaf, forward, leg.event)
    shares = list(_shares(one, gradient))
    if not small and (grown := _growth(one, leaf)) is not None:
        return grown
    if not shares:
        text = say("the gradient of {name} has this size from the beginning of backward on", name=leaf.name)
        return Reason(text, None if one.marker is None else one.marker.where, one.marker)
    worst = (
        min(shares, key=lambda share: share.factor) if small else max(shares, key=lambda share: share.factor)
    )
    if abs(math.log(worst.factor)) < 0.1:
        text = say("the gradient of {name} has this size from the beginning of backward on", name=leaf.name)
        return Reason(text, None if one.marker is None else one.marker.where, one.marker)
    how = ", ".join((worst.ops if small else worst.ops[::-1])[:2])
    if worst.calls > 1:
        how += ", " + say("{calls} calls", calls=worst.calls)
    said = {"name": leaf.name, "where": line_text(worst.where), "factor": number(worst.factor)}
    if small:
        text = say(
            "the gradient of {name} is tiny: {where} multiplies it by {factor} ({how})",
            **said,
            how=how + worst.flat,
        )
    else:
        text = say(
            "the gradient of {name} is huge: {where} multiplies it by {factor} ({how})", **said, how=how
        )
    return Reason(text, worst.where, worst.event)


def _shares(one: OnePass, gradient: Value) -> Iterator[Share]:
    """Yield what each line has done to the size of a gradient."""
    found: dict[Line | None, list[tuple[Event, Event, float]]] = {}
    for leg in way_to(one, gradient):
        if leg.event is None or leg.before is None or leg.event.kind == "accumulate":
            continue
        before, after = leg.before.stats.rms, leg.after.stats.rms
        forward = blamed(one.trace, leg.event)
        if before > 0 and after > 0 and math.isfinite(before * after):
            found.setdefault(forward.where, []).append((leg.event, forward, after / before))
    for where, legs in found.items():
        together: dict[str, list[float]] = {}
        for _, forward, factor in legs:
            together.setdefault(forward.title if forward.kind != "enter" else say("a hook"), []).append(
                factor
            )
        products = {name: math.prod(factors) or 1e-300 for name, factors in together.items()}
        names = sorted(products, key=lambda name: products[name])
        flat = next(filter(None, (share_of_flat(one, forward) for _, forward, _ in legs)), "")
        yield Share(where, legs[0][0], names, math.prod(products.values()) or 1e-300, len(legs), flat)


def _growth(one: OnePass, leaf: Value) -> Reason | None:
    """Return where the numbers of forward have grown large, if they have: then its gradients are large, too."""
    sizes: list[tuple[float, Value, Event]] = []
    for event in one.trace.events[: one.begin]:
        if event.kind == "op" and event.phase == "forward":
            for value in one.trace.known(event.outputs):
                if value.id in one.used and value.dtype.startswith("float") and value.stats.rms > 0:
                    sizes.append((value.stats.rms, value, event))
    roots = {root.id for root in one.roots}
    inside = [
        size
        for size in sizes
        if size[1].id not in roots and size[2].op not in ("square", "pow", "reduce_sum")
    ]
    if not inside:
        return None
    first, top = inside[0], max(inside, key=lambda size: size[0])
    if not math.isfinite(top[0]) or top[0] < _GROWN * max(first[0], 1.0):
        return None
    at = [size for size in inside if size[2].where == top[2].where and size[2].op == top[2].op]
    text = say(
        "the gradient of {name} is huge: forward grows, from {first} ({start}) to {top} in {value} ({op}, {where}; "
        "{calls} calls)",
        name=leaf.name,
        first=number(first[0]),
        start=line_text(first[2].where),
        top=number(top[0]),
        value=top[1].name,
        op=top[2].title,
        where=line_text(top[2].where),
        calls=len(at),
    )
    return Reason(text, top[2].where, top[2])
