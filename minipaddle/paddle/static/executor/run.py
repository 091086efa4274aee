"""Job: the shared plan of runs of a Program with the same feeds and fetches; Run: one of these runs.

A Run uses the function that :mod:`~minipaddle.paddle.static.executor.plan` writes, or, if an observer wants the
steps, the interpreter.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, current, run_inside
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.observer import Tell
from minipaddle.engine.watch.watched_mode import observers
from minipaddle.paddle.static.executor.interpreter import missing, refused, told_function_of
from minipaddle.paddle.static.executor.plan import function_of
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Block, Operator, Program, Role, Variable
from minipaddle.paddle.static.program.clone import needed_in_run
from minipaddle.paddle.static.program.ends import ends_of, read_first
from minipaddle.paddle.static.scope import Scope, ScopeVariable

FetchTarget = Variable | str
_KEPT = 64  # jobs of one Program: scripts use few kinds of feeds and fetches


class Run(NamedTuple):
    """One run: the Program, its inputs, the Scope."""

    program: Program
    job: Job
    values: list[Array]
    """The values of feeds, and of Variables loaded from the Scope."""
    scope: Scope
    return_numpy: bool = True

    def answers(self) -> list[Any]:
        """Return the fetches, and put the `stored` values into the Scope; run quickly if nothing observes."""
        if not isinstance(current.get(), Around):  # mostly: no observer
            return self.job.answers(self._quickly(), self.scope, self.return_numpy)
        watchers = observers()
        for one in watchers:
            one.program_runs(self.program)
        seen = [one.program_began(self) for one in watchers]
        tell = tuple([one for one in seen if one is not None])
        error = None
        try:
            found = self._told(tell) if tell else self._quickly()
            return self.job.answers(found, self.scope, self.return_numpy)
        except BaseException as raised:
            error = raised
            raise
        finally:
            for one in reversed(watchers):
                one.program_ended(error)

    def _quickly(self) -> list[Any]:
        found: list[Any] = run_inside(EAGER.reading, self.job.quick, *self.values)
        return found

    def _told(self, tell: Tell) -> list[Any]:
        """Return the results of the interpreter, which reports to observers."""
        found: list[Any] = run_inside(EAGER.reading, self.job.told(tell), *self.values)
        return found

    def given(self) -> Iterator[tuple[Variable, Array]]:
        """Yield each Variable with a value before the run, and the value."""
        yield from zip((*self.job.feeds, *self.job.loaded), self.values, strict=True)

    def places(self) -> dict[Variable, ScopeVariable]:
        """Return the Scope's entries of persistable Variables; new ones get an entry after the run."""
        kept = {one: self.scope.find_var(one.name) for one in (*self.job.loaded, *self.job.stored)}
        return {one: place for one, place in kept.items() if place is not None}


# -- the prepared job ----------------------------------------------------------------------------------------------


class Job(NamedTuple):
    """The needs of a run: Operators, inputs, and outputs."""

    operators: list[Operator]
    feeds: list[Variable]
    overwritten: list[Variable]
    """Persistable Variables that are fed: the Scope keeps their values."""
    unknown: list[str]
    """Fed names that the Program, or the part of it that runs, does not have."""
    loaded: list[Variable]
    """Persistable Variables that are read before they are written."""
    fetches: list[Variable]
    stored: list[Variable]
    """Persistable Variables that are written."""
    quick: Callable[..., list[Any]]
    """From values of `feeds` and `loaded` to values of `fetches` and `stored`."""
    told: Callable[[Tell], Callable[..., list[Any]]]
    """The same by the interpreter, which tells these observers."""

    def values(self, feed: dict[str, Any], scope: Scope) -> list[Array]:
        """Return the input values, and put persistable feeds into `scope`.

        Raises:
            RuntimeError: **not initialized**, naming a Variable without a value and the Operator that needs it.
        """
        for name in self.unknown:
            what = f"The variable {name} is not found in program. It is not declared or is pruned."
            warnings.warn(what, stacklevel=3)
        values = [fed(variable, feed[variable.name]) for variable in self.feeds]
        for variable in self.overwritten:
            scope.var(variable.name).value = fed(variable, feed[variable.name]).copy()
        for variable in self.loaded:
            found = scope.find_var(variable.name)
            if found is None or found.value is None:
                raise missing(
                    variable, next((op for op in self.operators if variable in set(op.reads())), None)
                )
            values.append(found.value)
        return values

    def answers(self, results: list[Any], scope: Scope, return_numpy: bool) -> list[Any]:
        """Return the fetches, as copies, and put written values into `scope`."""
        count = len(self.fetches)
        copies = [np.array(value, subok=True) for value in results[:count]]
        for variable, value in zip(self.stored, results[count:], strict=True):
            place = scope.find_var(variable.name) or scope.var(variable.name)
            if place.value is not value:
                place.value = np.array(value, subok=True)  # a copy: two names may share one array
        return [(_for_user if return_numpy else HostTensor)(one) for one in copies]


def _for_user(array: Array) -> Array:
    """Return an array for the user: 64-bit integers are C's ``long long``, as in Paddle.

    NumPy prints these with their dtype, ``array([3], dtype=int64)``, as its own int64 is a ``long``.
    """
    return array.view(np.longlong) if array.dtype == np.int64 else array


def job_of(program: Program, feed: dict[str, Any], wanted: Wanted, prune: bool) -> Job:
    """Return the Job for this Program's present version, these feeds and fetches.

    Raises:
        RuntimeError: naming a fetch that the Program does not have.
    """
    key = (tuple(feed), wanted, prune)
    job: Job | None = program.prepared.get(key)
    if job is None:
        if len(program.prepared) >= _KEPT:
            program.prepared.clear()
        job = program.prepared[key] = _made_job(program, list(feed), wanted, prune)
    return job


def _made_job(program: Program, names: list[str], wanted: Wanted, prune: bool) -> Job:
    block = program.blocks[0]
    fetches = [target_in(block, target) for target in wanted.targets]
    known = [block.vars[name] for name in names if name in block.vars]
    operators = list(block.ops)
    if prune or wanted.updates:
        operators = needed_in_run(operators, fetches, known, wanted.updates)
        used = {one for op in operators for one in (*op.reads(), *op.writes())}.union(fetches)
        known = [one for one in known if one in used]
    feeds = [variable for variable in known if not variable.stays]
    calls = ends_of(operators)
    written = dict.fromkeys(one for call in calls for one in call.writes)
    read = dict.fromkeys([*read_first(calls), *[one for one in fetches if one not in written]])
    loaded, stored = ([one for one in used if one.stays] for used in (read, written))
    ends = [*feeds, *loaded], [*fetches, *stored]
    taken = {one.name for one in known}
    unknown = [name for name in names if name not in taken]
    return Job(
        operators=operators,
        feeds=feeds,
        overwritten=[variable for variable in known if variable.stays],
        unknown=unknown,
        loaded=loaded,
        fetches=fetches,
        stored=stored,
        quick=function_of(block, *ends, calls, unknown),
        told=partial(told_function_of, block, *ends, operators),
    )


# -- fetches ------------------------------------------------------------------------------------------------------


class Wanted(NamedTuple):
    """The content of a ``fetch_list``."""

    targets: tuple[FetchTarget, ...]
    """Values to return."""
    updates: tuple[Operator, ...] = ()
    """Operators of an optimizer, as ``minimize`` returns them: these train, others do not, and nothing else runs."""


def wanted_from(fetch_list: Any) -> Wanted:
    """Return the content of a ``fetch_list``; lists in it, such as from ``static.gradients``, are flattened.

    Raises:
        AssertionError: **fetch_list** is no Variable, name, list or tuple.
        TypeError: **fetch_list** holds something else.
    """
    if fetch_list is None or isinstance(fetch_list, (Variable, str)):
        return Wanted(() if fetch_list is None else (fetch_list,))
    assert isinstance(fetch_list, (list, tuple)), (
        f"The fetch_list of Executor.run must be a list or tuple, but received {type(fetch_list).__name__}."
    )
    if all(isinstance(one, (Variable, str)) for one in fetch_list):  # nearly always
        return Wanted(tuple(fetch_list))
    found = [one for item in fetch_list for one in _flattened(item)]
    targets = tuple([one for one in found if not isinstance(one, Operator)])
    return Wanted(targets, tuple([one for one in found if isinstance(one, Operator)]))


def _flattened(item: Any) -> list[Any]:
    """Return the Variables, names and update Operators of an entry."""
    if isinstance(item, tuple) and item and isinstance(item[0], (list, tuple)):
        item = item[0]  # the result of minimize: Operators, and pairs of parameter and gradient
    nested = isinstance(item, (list, tuple))
    for one in item if nested else [item]:
        updates = nested and isinstance(one, Operator) and bool(one.role & Role.OPTIMIZE)
        if not updates and not isinstance(one, (Variable, str)):
            raise TypeError(
                "The items of the fetch_list of Executor.run must be Variables, names, lists of them, or what minimize "
                f"returned, but one is {type(one).__name__}."
            )
    return list(item) if nested else [item]


def target_in(block: Block, target: FetchTarget) -> Variable:
    """Return the Variable of `block` for `target`, a Variable or a name."""
    name = target if isinstance(target, str) else target.name
    if name not in block.vars:
        raise RuntimeError(
            f"(NotFound) Cannot fetch {name!r}: there is no such variable in the global block of this Program."
        )
    return block.vars[name]


# -- feeds ------------------------------------------------------------------------------------------------------------


def feed_dict(feed: Any) -> dict[str, Any]:
    """Return the user's feed as a dict."""
    if feed is None:
        return {}
    if isinstance(feed, (list, tuple)) and len(feed) == 1:
        (feed,) = feed
    if not isinstance(feed, dict):
        raise TypeError(f"feed requires dict as its Parameter. But you passed in {type(feed)}")
    return feed


def fed(variable: Variable, value: Any) -> Array:
    """Return the value fed to `variable` as an array of the declared dtype and shape.

    Raises:
        TypeError: if it is neither array nor numbers.
        ValueError: **must be**, for another dtype or shape; or a ragged list.
    """
    array = value if type(value) is np.ndarray else _as_array(variable, value)
    meta = variable.meta
    if array.dtype != meta.dtype or (array.shape != meta.shape and not _fits(array.shape, meta.shape)):
        raise refused(variable, array)
    return array


def _as_array(variable: Variable, value: Any) -> Array:
    """Return a value as an array: arrays as they are, numbers and lists in the declared dtype."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, HostTensor) or hasattr(value, "array"):
        return np.asarray(value)
    if not isinstance(value, (bool, int, float, complex, list, tuple, np.generic)):
        raise TypeError(
            f"The feed of {variable.name!r} must be an array, a list or a number, but received {type(value).__name__}."
        )
    try:
        found = np.array(value)
        return np.asarray(found, variable.meta.dtype) if found.dtype.kind in "biufc" else found
    except ValueError as error:
        raise ValueError(f"The feed of {variable.name!r} is no array: {error}") from None


def _fits(shape: tuple[int, ...], declared: tuple[int, ...]) -> bool:
    """Whether the sizes are the declared ones, if these are known. Paddle accepts fewer axes, if there is one."""
    return 0 < len(shape) <= len(declared) and all(
        wanted in (-1, size) for size, wanted in zip(shape, declared)
    )
