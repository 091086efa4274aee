"""The timeline: loss, gradient norm, and update relative to weight, for each pass; and the mistakes of the loop."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from minipaddle.tools.checks.training.mistakes import mistakes_of
from minipaddle.tools.checks.training.steps import Groups, Mistake, mistakes_object, steps_of
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text, number
from minipaddle.tools.words.terminal import table_lines, word

_LEAP = 10.0  # a value this many times the largest one before it is a break
_GROUPS = 12  # most groups of parameters with a line of their own


@dataclass
class Series:
    """One number over all passes."""

    name: str
    values: dict[int, float]
    """By the number of the pass."""

    @property
    def breaks_at(self) -> int | None:
        """The pass of the first value that is not finite, or more than ten times the largest before it."""
        top = 0.0
        for place, value in self.values.items():
            if not math.isfinite(value) or (top and abs(value) > _LEAP * top):
                return place
            top = max(top, abs(value))
        return None


@dataclass
class Timeline:
    """The series over all passes of a recording, and the mistakes."""

    passes: list[int]
    series: list[Series]
    mistakes: list[Mistake]
    grouped: bool
    """Whether updates are grouped by the groups given to an optimizer, instead of by layers."""


def timeline(trace: Trace) -> Timeline:
    """Return the timeline of a recording of several steps."""
    steps, groups = steps_of(trace), Groups(trace)
    ratios = [step.ratios(groups) for step in steps]
    lines = grouped((step.marker.where, step) for step in steps)  # a GAN has a loss for each of its networks
    series = list[Series]()
    for said in ("loss", "gradient"):
        for line, own in lines.items():
            name = f"{said} {line_text(line)}" if len(lines) > 1 else said
            series.append(Series(name, {step.number: getattr(step, said) for step in own}))
    for name in dict.fromkeys(name for one in ratios for name in one):  # beside weights of 0 no size is large
        told = ((step.number, one.get(name, math.inf)) for step, one in zip(steps, ratios))
        sizes = {number: size for number, size in told if size < math.inf}
        series.append(Series(say("update/weight of {name}", name=name), sizes))
    return Timeline([step.number for step in steps], series, mistakes_of(trace, steps), bool(groups.given))


def timeline_lines(found: Timeline) -> Iterator[str]:
    """Yield the timeline as text: a line for each series."""
    by = say("by parameter group") if found.grouped else say("by layer")
    head = (by, "first", "last", "smallest", "largest", "trend breaks")
    shown = found.series[: 2 + _GROUPS]
    yield from table_lines(head, map(_cells, shown))
    if len(found.series) > len(shown):
        yield say("... and {count} more", count=len(found.series) - len(shown))


def _cells(one: Series) -> tuple[str, ...]:
    if not one.values:  # beside weights that stay 0
        return (word(one.name), *"----", "")
    values = [*one.values.values()]
    finite = [value for value in values if math.isfinite(value)] or [math.nan]
    at = "" if one.breaks_at is None else say("pass {number}", number=one.breaks_at)
    return (word(one.name), *map(number, (values[0], values[-1], min(finite), max(finite))), at)


def timeline_object(found: Timeline) -> dict[str, object]:
    """Return the timeline as JSON data."""
    return {
        "passes": found.passes,
        "by": "group" if found.grouped else "layer",
        "series": [
            {
                "name": one.name,
                "values": [json_number(value) for value in one.values.values()],
                "breaks": one.breaks_at,
            }
            for one in found.series
        ],
        "mistakes": mistakes_object(found.mistakes),
    }
