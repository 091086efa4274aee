"""One line of progress: which step, a bar, numbers, and how long a step takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np

WIDTH = 30
"""Cells of the bar."""


class Progress:
    """Writes lines such as ``step 2/3 - loss: 0.6123 - 2ms/step`` to standard output.

    Args:
        steps: how many there will be; None if nobody knows.
        bar: whether one line is written over and over, with a bar; else each call writes a line of its own.
    """

    def __init__(self, steps: int | None, bar: bool) -> None:
        self.steps = steps
        self.bar = bar
        self.started = time.perf_counter()
        self.written = 0
        """How long the line is that the next one covers."""
        self.last = 0
        """The step that was shown last."""

    def show(self, step: int, values: Iterable[tuple[str, Any]] = ()) -> None:
        """Write where things stand after `step` steps."""
        a_step = (time.perf_counter() - self.started) / max(step, 1)
        numbers = "".join(f" - {name}:{''.join(map(_number, _flat(value)))}" for name, value in values)
        left = 0 if self.steps is None else self.steps - step
        left_time = f" - ETA: {_rough(left * a_step)}" if self.bar and left > 0 else ""
        line = f"{self._counter(step)}{numbers}{left_time} - {_duration(a_step)}/step"
        if self.bar:
            sys.stdout.write("\r" + line.ljust(self.written))
            self.written = len(line)
        else:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        self.last = step

    def end(self) -> None:
        """End the line that is written over and over."""
        if self.bar:
            sys.stdout.write("\n")

    def _counter(self, step: int) -> str:
        if self.steps is None:
            return f"step {step:3d}"
        counter = f"step {step:{len(str(self.steps))}d}/{self.steps}"
        if not self.bar:
            return counter
        done = WIDTH * step // max(self.steps, 1)
        head = "=" * WIDTH if done >= WIDTH else f"{'=' * max(done - 1, 0)}>".ljust(WIDTH, ".")
        return f"{counter} [{head}]"


def _flat(value: Any) -> list[Any]:
    return list(np.asarray(value).reshape(-1))


def _number(value: Any) -> str:
    if not isinstance(value, float | np.floating):
        return f" {value}"
    number = float(value)
    return f" {number:.4f}" if abs(number) > 1e-3 or number == 0 else f" {number:.4e}"


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _rough(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}" if minutes else f"{rest}s"
