"""Run: one run of a Program, by whichever of the two ways; who watches is given it whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from minipaddle.engine.mode.eager import EAGER, current, run_inside
from minipaddle.engine.mode.mode import Around, Arrays
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.watched_mode import around
from minipaddle.paddle.static.executor.interpreter import Steps, value_of
from minipaddle.paddle.static.executor.job import Job
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.paddle.static.scope import Scope, ScopeVariable

READING = Arrays(EAGER)
"""The mode of a run: gradient rules are evaluated on arrays."""


class Run(NamedTuple):
    """What is run, on what, and where values stay."""

    program: Program
    job: Job
    values: list[Array]
    """Of what is fed, and of what is loaded from the Scope."""
    scope: Scope
    return_numpy: bool = True

    def answers(self) -> list[Any]:
        """Return what was asked for: the quick way, or step by step if somebody looks at the steps."""
        if not isinstance(current.get(), Around):  # nearly always: nobody looks
            return self.quick()
        modes = around()
        for mode in modes:
            mode.runs_program(self.program)
        if not any(mode.sees_steps for mode in modes):
            return self.quick()
        steps: Steps = self.steps()
        for mode in modes:
            steps = mode.program_steps(self, steps)
        found: list[Any] = value_of(steps)
        return found

    def quick(self) -> list[Any]:
        """Run the prepared function; return what was asked for, and put into the Scope what is to stay."""
        return self.job.answers(self._quickly(), self.scope, self.return_numpy)

    def steps(self) -> Steps:
        """Run the interpreter, which yields every step; return the same as :meth:`quick`."""
        return self.job.answers((yield from self._slowly()), self.scope, self.return_numpy)

    def _quickly(self) -> list[Any]:
        found: list[Any] = run_inside(READING, self.job.quick, *self.values)
        return found

    def _slowly(self) -> Steps:
        """Run the interpreter; whoever pulls the steps does so in his own mode."""
        steps = self.job.slow(*self.values)
        while True:
            try:
                step = run_inside(READING, next, steps)  # never across a yield
            except StopIteration as end:
                found: list[Any] = end.value
                return found
            yield step

    def given(self) -> Iterator[tuple[Variable, Array]]:
        """Yield each Variable that has a value before anything runs, with that."""
        yield from zip((*self.job.feeds, *self.job.loaded), self.values, strict=True)

    def places(self) -> dict[Variable, ScopeVariable]:
        """Return where the Scope keeps what persistable Variables hold; new ones have a place after the run."""
        kept = {one: self.scope.find_var(one.name) for one in (*self.job.loaded, *self.job.stored)}
        return {one: place for one, place in kept.items() if place is not None}
