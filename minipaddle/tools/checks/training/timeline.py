"""The timeline: loss, gradient norm, and update relative to weight, for each pass; and the mistakes of the loop."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from minipaddle.tools.checks.training.mistakes import Mistake, mistakes_of
from minipaddle.tools.checks.training.steps import Groups, gradient_of, loss_of, ratios_of, steps_of
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number, sparkline
from minipaddle.tools.words.terminal import table_lines, word

_BARS = 24  # cells of a row of bars: with name and numbers a line fits into 80
_LEAP = 10.0  # a value this many times the largest one before it is a break
_GROUPS = 12  # most groups of parameters with a line of their own


@dataclass
class Series:
    """One number over all passes."""

    name: str
    values: list[float]

    @property
    def breaks_at(self) -> int | None:
        """The index of the first value that is not finite, or more than ten times the largest before it."""
        top = 0.0
        for place, value in enumerate(self.values):
            if not math.isfinite(value) or (place > 0 and top and abs(value) > _LEAP * top):
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
    steps = steps_of(trace)
    groups = Groups(trace)
    ratios = [ratios_of(trace, step, groups) for step in steps]
    names = list(dict.fromkeys(name for one in ratios for name in one))
    series = [
        Series("loss", [loss_of(step) for step in steps]),
        Series("gradient", [gradient_of(trace, step) for step in steps]),
        *(
            Series(say("update/weight of {name}", name=name), [one[name] for one in ratios if name in one])
            for name in names
        ),
    ]
    mistakes = mistakes_of(trace, steps, series[0].values, ratios)
    return Timeline([step.number for step in steps], series, mistakes, bool(groups.given))


def timeline_lines(found: Timeline, bars: str) -> Iterator[str]:
    """Yield the timeline as text: a line for each series, and a sentence for each mistake."""
    by = say("by parameter group") if found.grouped else say("by layer")
    head = (by, "first", "last", "smallest", "largest", "trend breaks", "")
    shown = found.series[: 2 + _GROUPS]
    yield from table_lines(head, [_cells(found, one, bars) for one in shown])
    if len(found.series) > len(shown):
        yield say("... and {count} more", count=len(found.series) - len(shown))


def _cells(found: Timeline, one: Series, bars: str) -> tuple[str, ...]:
    finite = [value for value in one.values if math.isfinite(value)] or [math.nan]
    place = one.breaks_at
    line = sparkline(np.array(finite), bars, _BARS)
    at = "" if place is None else say("pass {number}", number=found.passes[place])
    ends = (one.values[0], one.values[-1]) if one.values else (math.nan, math.nan)
    return (word(one.name), *map(number, (*ends, min(finite), max(finite))), at, line)


def timeline_object(found: Timeline) -> dict[str, object]:
    """Return the timeline as JSON data."""
    return {
        "passes": found.passes,
        "by": "group" if found.grouped else "layer",
        "series": [
            {
                "name": one.name,
                "values": [json_number(value) for value in one.values],
                "breaks": None if one.breaks_at is None else found.passes[one.breaks_at],
            }
            for one in found.series
        ],
        "mistakes": mistakes_object(found.mistakes),
    }


def mistakes_object(found: Sequence[Mistake]) -> list[dict[str, object]]:
    """Return mistakes as JSON data."""
    return [
        {"mistake": one.kind, "says": one.sentence, "pass": one.number, "where": one.where} for one in found
    ]
