"""How long steps take, and how many examples a second that is."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

WARMING_UP = 10
"""Steps that the summary leaves out, if there are more."""


class Timed(NamedTuple):
    """One step."""

    seconds: float
    samples: int | None


class Timer:
    """Times steps from one :meth:`step` to the next."""

    def __init__(self) -> None:
        self.steps: list[Timed] = []
        self._told = 0
        self._began = perf_counter()

    def step(self, samples: int | None) -> None:
        """End a step, in which there were as many `samples`, and begin the next."""
        now = perf_counter()
        self.steps.append(Timed(now - self._began, samples))
        self._began = now

    def info(self, unit: str | None) -> str:
        """Return the averages of the steps since this was last asked; "" if there are none."""
        steps, self._told = self.steps[self._told :], len(self.steps)
        if not steps:
            return ""
        cost = sum(step.seconds for step in steps) / len(steps)
        speed = sum(map(_speed, steps)) / len(steps)
        return f" batch_cost: {cost:.5f} s ips: {speed:.3f} {unit or _unit(steps)}/s"

    def summary(self) -> str:
        """Return a table of averages, largest and smallest."""
        steps = self.steps[WARMING_UP:] or self.steps
        if not steps:
            return ""
        rows = {"batch_cost": [step.seconds for step in steps], "ips": list(map(_speed, steps))}
        lines = [f"Time Unit: s, IPS Unit: {_unit(steps)}/s", _row("", "avg", "max", "min")]
        for name, numbers in rows.items():
            parts = (sum(numbers) / len(numbers), max(numbers), min(numbers))
            lines.append(_row(name, *(f"{part:.5f}" for part in parts)))
        return "\n".join(lines)


def _speed(step: Timed) -> float:
    return (1 if step.samples is None else step.samples) / max(step.seconds, 1e-9)


def _unit(steps: Sequence[Timed]) -> str:
    return "steps" if steps[-1].samples is None else "samples"


def _row(*cells: str) -> str:
    return "|" + "|".join(f"{cell:^17}" for cell in cells) + "|"
