"""Measure one case on several engines, round by round, so that a noisy machine disturbs all of them alike."""

from statistics import median
from typing import NamedTuple

from benchmarks.engines import Refused
from benchmarks.scripts import PADDLES
from benchmarks.targets import QUICKER_PADDLE

WARM_UP = 5


class Row(NamedTuple):
    """minipaddle beside another engine: median seconds per step of both, and the median of the ratios."""

    case: str
    title: str
    engine: str
    seconds: float
    other_seconds: float
    ratio: float
    target: float | None

    @property
    def verdict(self):
        """`ok` or `miss`; empty where there is no target."""
        return "" if self.target is None else "ok" if self.ratio <= self.target else "miss"


def measure(case, engines, rounds, slice_seconds):
    """Return a Row per engine other than minipaddle, and a line for each engine that refused.

    In one round every engine makes the same number of steps, one engine after the other; that number is
    chosen so that the slowest needs `slice_seconds`. Every other round runs backwards.
    """
    taking_part, refusals = prepare(case, engines)
    if not taking_part or taking_part[0].name != "minipaddle":
        return [], refusals
    calls = max(1, round(slice_seconds / max(engine.seconds(1) for engine in taking_part)))
    times = {engine.name: [] for engine in taking_part}
    for turn in range(rounds):
        for engine in taking_part[:: 1 if turn % 2 else -1]:
            times[engine.name].append(engine.seconds(calls) / calls)
    ours = times.pop("minipaddle")
    return judge(case, [compare(case, name, ours, theirs) for name, theirs in times.items()]), refusals


def prepare(case, engines):
    """Load the case where it exists and warm it up; return the ready engines, and why others are not."""
    ready, refusals = [], []
    for engine in engines:
        if not engine.has(case.name):
            continue
        try:
            engine.load(case.name)
            engine.seconds(WARM_UP)
        except Refused as reason:
            refusals.append(f"{case.name} left out for {engine.name}: {reason}")
        else:
            ready.append(engine)
    return ready, refusals


def compare(case, engine, ours, theirs):
    """Make the Row of one engine from the seconds per step in every round."""
    ratio = median(mine / other for mine, other in zip(ours, theirs))
    return Row(case.name, case.title, engine, median(ours), median(theirs), ratio, case.targets.get(engine))


def judge(case, rows):
    """Give the target against the quicker Paddle, where there is one, to the Paddle we are worst against."""
    paddles = [row for row in rows if row.engine in PADDLES]
    if QUICKER_PADDLE not in case.targets or not paddles:
        return rows
    quicker = max(paddles, key=lambda row: row.ratio)
    named = quicker._replace(engine=f"{quicker.engine}, the quicker", target=case.targets[QUICKER_PADDLE])
    return [named if row is quicker else row for row in rows]
