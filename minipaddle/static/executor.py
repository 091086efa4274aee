"""Executor: runs a Program (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/Executor_en.html)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core import random
from minipaddle.core.meta import Array
from minipaddle.core.mode import EAGER, Arrays, current, within
from minipaddle.core.place import CPUPlace
from minipaddle.static.feed import checked_feed
from minipaddle.static.fetch import fetch_variables, fetched
from minipaddle.static.interpreter import Steps, missing, steps_of
from minipaddle.static.operator import Operator
from minipaddle.static.plan import function_of
from minipaddle.static.program import Program, default_main_program
from minipaddle.static.scope import Scope, global_scope
from minipaddle.static.variable import Variable

__all__ = ["Executor"]

READING = Arrays(EAGER)
"""The mode of a run: gradient rules are read over arrays."""


class Job(NamedTuple):
    """What is to be run: which Operators, from what, to what."""

    operators: list[Operator]
    feeds: list[Variable]
    loaded: list[Variable]
    """Persistable Variables that are read before anything writes them."""
    fetches: list[Variable]
    stored: list[Variable]
    """Persistable Variables that are written."""
    run: Callable[..., list[Any]]


class Executor:
    """Runs Programs on NumPy arrays.

    Args:
        place: None, ``paddle.CPUPlace()`` or "cpu"; there is no other.
    """

    def __init__(self, place: Any = None) -> None:
        self.place = CPUPlace() if place is None or isinstance(place, str) else place
        self._closed = False

    def close(self) -> None:
        """Refuse to run from here on."""
        self._closed = True

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run all Operators of the global Block in their order, and return what was asked for.

        Args:
            program: a Program or CompiledProgram; None: the default main Program.
            feed: name -> array, for the placeholders that the Operators need.
            fetch_list: Variables or names.
            feed_var_name: accepted.
            fetch_var_name: accepted.
            scope: where persistable values live; None: the global Scope.
            return_numpy: arrays, or tensors that ``np.array`` takes.
            use_program_cache: accepted; a Program is always prepared once.
            use_prune: run only what the fetches need.

        Returns:
            One value for each entry of `fetch_list`, which never share memory with anything.

        Raises:
            RuntimeError: **closed**; a fetch or feed that is not there, naming it; or what an Operator says, with the
                user's line.
            ValueError: for a feed of another dtype or shape.
            TypeError: **feed** or **fetch_list** is of another type.
        """
        program, scope, arrays = self._prepared(program, feed, scope)
        job = self._job(program, arrays, fetch_list, use_prune)
        values = self._values(job, arrays, scope)
        results = current.get().run_program(
            program, lambda: _quickly(program, job, values), lambda: _slowly(program, job, values)
        )
        return self._finished(job, results, scope, return_numpy)

    def steps(
        self, program: Any = None, feed: Any = None, fetch_list: Any = None, scope: Scope | None = None
    ) -> Steps:
        """Run a Program one Operator at a time: a generator of every step, whose value is what :meth:`run` returns.

        The reference: :meth:`run` does the same, faster, and agrees with it to the bit.
        """
        program, scope, arrays = self._prepared(program, feed, scope)
        job = self._job(program, arrays, fetch_list, False)
        values = self._values(job, arrays, scope)
        results = yield from _slowly(program, job, values)
        return self._finished(job, results, scope, True)

    # -- before and after -----------------------------------------------------------------------------------------

    def _prepared(
        self, program: Any, feed: Any, scope: Scope | None
    ) -> tuple[Program, Scope, dict[str, Array]]:
        if self._closed:
            raise RuntimeError("The executor is closed: Executor.close() was called. Make another one.")
        program = default_main_program() if program is None else getattr(program, "_program", program)
        if not isinstance(program, Program):
            raise TypeError(
                "Executor requires Program as its Parameter. But you passed in "
                f"{type(program).__name__}: give a paddle.static.Program or CompiledProgram."
            )
        scope = global_scope() if scope is None else scope
        for name, schedule in program.schedules.items():
            dtype = program.global_block().vars[name].meta.dtype
            (scope.find_var(name) or scope.var(name)).value = np.array(schedule(), dtype)
        arrays = checked_feed(program.global_block(), feed)
        for name in [name for name in arrays if program.global_block().vars[name].persistable]:
            scope.var(name).value = arrays.pop(name).copy()
        return program, scope, arrays

    def _job(self, program: Program, arrays: dict[str, Array], fetch_list: Any, prune: bool) -> Job:
        """Return what was prepared for this version of the Program, these feeds and fetches."""
        block = program.global_block()
        fetches = fetch_variables(block, fetch_list)
        key = (tuple(arrays), tuple(fetches), prune)
        version, job = program.prepared.get(key, (None, None))
        if version != program.version:
            if len(program.prepared) > _KEPT:
                program.prepared.clear()
            job = _made_job(program, list(arrays), fetches, prune)
            program.prepared[key] = program.version, job
        assert job is not None
        return job

    def _values(self, job: Job, arrays: dict[str, Array], scope: Scope) -> list[Array]:
        values = [arrays[variable.name] for variable in job.feeds]
        for variable in job.loaded:
            found = scope.find_var(variable.name)
            if found is None or found.value is None:
                raise uninitialized(variable, job.operators)
            values.append(found.value)
        return values

    def _finished(self, job: Job, results: list[Any], scope: Scope, return_numpy: bool) -> list[Any]:
        """Store what persists and return what was asked for."""
        count = len(job.fetches)
        answers = [fetched(value, return_numpy) for value in results[:count]]
        for variable, value in zip(job.stored, results[count:], strict=True):
            found = scope.find_var(variable.name) or scope.var(variable.name)
            if found.value is not value:
                found.value = _owned(value)
        return answers


def _quickly(program: Program, job: Job, values: list[Array]) -> list[Any]:
    """Run the prepared function."""
    token = current.set(READING)
    try:
        if not program.random_seed:
            return job.run(*values)
        with random.using(random.start(program.random_seed)):
            return job.run(*values)
    finally:
        current.reset(token)


def _slowly(program: Program, job: Job, values: list[Array]) -> Steps:
    """Run the interpreter; whoever pulls the steps does so in his own mode and with his own random numbers."""
    block = program.global_block()
    steps = steps_of(block, [*job.feeds, *job.loaded], [*job.fetches, *job.stored], job.operators)(*values)
    generator = random.start(program.random_seed)
    while True:
        try:
            with within(READING), random.using(generator):  # never across a yield
                step = next(steps)
        except StopIteration as end:
            found: list[Any] = end.value
            return found
        yield step


_KEPT = 64  # jobs of one Program: different feeds and fetches


def _owned(value: Any) -> Array:
    """Return `value` as an array that nobody else writes to."""
    array = np.asarray(value)
    return array if array.base is None and array.flags.writeable else array.copy()


def _made_job(program: Program, feeds: list[str], fetches: list[Variable], prune: bool) -> Job:
    block = program.global_block()
    operators = _needed(block.ops, fetches) if prune else list(block.ops)
    fed = [block.vars[name] for name in feeds]
    loaded: dict[Variable, None] = {}
    written: dict[Variable, None] = {}
    for op in operators:
        for variable in op.reads():
            if variable is not None and variable.persistable and variable not in written:
                loaded[variable] = None
        written.update(dict.fromkeys(op.writes()))
    for variable in fetches:
        if variable.persistable and variable not in written:
            loaded[variable] = None
    stored = [variable for variable in written if variable.persistable]
    run = function_of(block, [*fed, *loaded], [*fetches, *stored], operators)
    return Job(operators, fed, list(loaded), fetches, stored, run)


def _needed(operators: Sequence[Operator], fetches: Sequence[Variable]) -> list[Operator]:
    """Return the Operators that the fetches depend on."""
    needed, kept = set(fetches), []
    for op in reversed(operators):
        if any(variable in needed for variable in op.writes()):
            kept.append(op)
            needed.update(op.reads())
    return kept[::-1]


def uninitialized(variable: Variable, operators: Sequence[Operator]) -> Exception:
    """Return the error for a persistable Variable without a value, naming the Operator that needs it."""
    user = next((op for op in operators if variable in op.reads()), None)
    return missing(variable, user)
