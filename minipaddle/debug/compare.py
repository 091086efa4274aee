"""Two recordings side by side: the first operator whose value or gradient differs, and what only one of them has."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from minipaddle.debug.language import say
from minipaddle.debug.titles import blamed, place, title
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.viz.text import look, number

__all__ = ["Difference", "compare", "compare_lines", "compare_object"]

_ALIKE = {"matmul_v2": "matmul", "mul": "matmul"}


@dataclass
class Difference:
    """One thing that is not the same."""

    kind: str
    """``value``, ``gradient``, ``shape``, ``only in A`` or ``only in B``."""
    event: Event
    where: str
    said: str


def compare(a: Trace, b: Trace, tolerance: float = 1e-5) -> list[Difference]:
    """Return what differs, in the order in which it happened. Names need not be the same, operators must."""
    mine, other = list(_computing(a)), list(_computing(b))
    matcher = difflib.SequenceMatcher(None, list(map(_key, mine)), list(map(_key, other)), autojunk=False)
    found: list[Difference] = []
    for tag, i, j, start, end in matcher.get_opcodes():
        if tag == "equal":
            for one, two in zip(mine[i:j], other[start:end]):
                found += _differences(a, b, one, two, tolerance)
        else:
            found += [_only(a, event, "A") for event in mine[i:j]]
            found += [_only(b, event, "B") for event in other[start:end]]
    return found


def _computing(trace: Trace) -> Iterator[Event]:
    """Yield the events that compute something; where a gradient is only stored, the two kinds of mode differ."""
    return (event for event in trace.events if event.kind in ("op", "grad", "update") and event.depth == 0)


def _key(event: Event) -> tuple[str, str]:
    return event.kind, _ALIKE.get(event.op, event.title)


def _only(trace: Trace, event: Event, which: str) -> Difference:
    return Difference(f"only in {which}", event, place(blamed(trace, event)), title(event))


def _differences(a: Trace, b: Trace, one: Event, two: Event, tolerance: float) -> Iterator[Difference]:
    kind = "gradient" if one.kind == "grad" else "value"
    for left, right in zip(one.outputs, two.outputs):
        if left is None or right is None:
            continue
        x, y = a.values[left], b.values[right]
        where = f"{place(blamed(a, one))} | {place(blamed(b, two))}"
        if x.shape != y.shape:
            yield Difference("shape", one, where, f"{x.name} {list(x.shape)} | {y.name} {list(y.shape)}")
            continue
        gap = _gap(x, y)
        if gap > tolerance:
            said = f"{x.name} {_glance(x)} | {y.name} {_glance(y)}  " + say(
                "relative difference {gap}", gap=f"{gap:.2g}"
            )
            yield Difference(kind, one, where, said)


def _glance(value: Value) -> str:
    return look(value) or f"norm {number(value.stats.norm)}"


def _gap(x: Value, y: Value) -> float:
    """Return the largest difference, as a part of the largest number."""
    if x.array is None or y.array is None:
        norms = x.stats.norm, y.stats.norm
        return (
            abs(norms[0] - norms[1]) / max(*norms, 1e-12)
            if norms[0] - norms[1] == norms[0] - norms[1]
            else 0.0
        )
    one, two = (np.asarray(value.array, np.complex128) for value in (x, y))
    if (np.isfinite(one) != np.isfinite(two)).any():
        return float("inf")
    both = np.isfinite(one)
    scale = max(float(np.abs(one[both]).max(initial=0)), float(np.abs(two[both]).max(initial=0)), 1e-12)
    return float(np.abs(one[both] - two[both]).max(initial=0)) / scale


def compare_lines(found: list[Difference], most: int = 20) -> list[str]:
    """Return the answer as text, the first difference first."""
    if not found:
        return [say("nothing differs")]
    lines = [
        f"{one.kind:<10} {title(one.event):<18} {one.said}  {one.where}".rstrip() for one in found[:most]
    ]
    if len(found) > most:
        lines.append(say("... and {count} more", count=len(found) - most))
    return lines


def compare_object(found: list[Difference]) -> dict[str, object]:
    """Return the answer as JSON data."""
    return {
        "diff": [
            {
                "kind": one.kind,
                "op": title(one.event),
                "event": one.event.index,
                "said": one.said,
                "where": one.where,
            }
            for one in found
        ]
    }
