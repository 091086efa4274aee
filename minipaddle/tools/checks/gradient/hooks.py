"""What hooks made of gradients."""

import math
from collections.abc import Iterator

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.results import Checked
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import Leave
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def changed_by_hooks(trace: Trace) -> Iterator[Checked]:
    """Yield a result for each hook that has made something else of a gradient: that is meant, as far as one can see."""
    seen: dict[tuple[object, ...], Checked] = {}
    for leave in trace.events:
        if not isinstance(leave, Leave) or leave.op != "hook" or leave.origin is None or not leave.outputs:
            continue
        enter, about = trace.events[leave.origin], trace.value(leave.about)
        before, after = (trace.known(ids) for ids in (enter.inputs, leave.outputs))
        if not before or not after or before[0].array is None or after[0].array is None:
            continue
        what = what_it_does(before[0].array, after[0].array)
        name = about.name if about is not None else before[0].name
        key = (enter.where, enter.title, name, what)
        if what and key in seen:
            seen[key].calls += 1
        elif what:
            size = math.prod(before[0].shape)
            seen[key] = Checked(enter, name, "changed", size, size, cause=what, line=enter.where, exact=True)
    yield from seen.values()


def what_it_does(before: Array, after: Array) -> str:
    """Return how the numbers that a hook gave compare with those that came in; "" if they are the same."""
    if before.shape != after.shape:
        return say("the hook gives another gradient")
    one, other = before.astype(np.float64), after.astype(np.float64)
    if np.array_equal(one, other, equal_nan=True):
        return ""
    if not other.any():
        return say("the hook gives zeros")
    high = float(np.abs(other).max())
    size = float(np.vdot(one, one))
    factor = float(np.vdot(one, other)) / size if size and np.isfinite(size) else 0.0
    if np.allclose(other, factor * one, rtol=1e-4, atol=1e-5 * high):
        return say("the hook gives {factor} times what came in", factor=number(factor))
    if np.array_equal(other, np.clip(one, -high, high).astype(after.dtype)):
        return say("the hook gives what came in, cut at {limit}", limit=number(high))
    return say("the hook gives another gradient")
