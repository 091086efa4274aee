"""A loop that becomes a while: which variables it carries is found by writing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.full import full
from minipaddle.paddle.jit.dy2static.state import MISSING, State
from minipaddle.paddle.jit.dy2static.undefined_value import Unusable
from minipaddle.paddle.jit.dy2static.values import (
    NUMBERS,
    alike,
    all_seen,
    as_variable,
    filled,
    filler,
    put_back,
    renewed,
    same,
    seen,
    told,
    truth,
)
from minipaddle.paddle.jit.dy2static.writes import noticed, with_writes
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt

Block = Callable[..., Any]


class Start:
    """The Variable that a loop has to carry where there was a number before it, or nothing.

    Attributes:
        value: the number, or `MISSING`.
        meta: the kind of Variable.
    """

    def __init__(self, value: Any, meta: Meta) -> None:
        self.value, self.meta = value, meta

    def made(self) -> Variable:
        """Append what makes it."""
        if self.value is MISSING:
            return filler(self.meta)
        shape = [1 if size < 0 else size for size in self.meta.shape]
        variable: Variable = full(shape, self.value, self.meta.dtype)
        return variable


class Wider(Exception):
    """Says that a loop has to be written again, with other values before it."""

    def __init__(self, values: list[Any]) -> None:
        super().__init__()
        self.values = values


class Repeated:
    """A loop that becomes a while.

    As long as its body turns a number into another one or into a Variable, the loop is taken back, and written again
    with a Variable in the place of that number.
    """

    def __init__(self, test: Block, body: Block, state: State) -> None:
        self.test, self.body, self.state = test, body, state
        self.starts: dict[Variable, Start] = {}
        """For the Variables that were made for numbers: what they were made of."""
        self.flowing: set[Variable] = set()
        """Variables that gradients flow through because the body says so."""

    def append(self) -> None:
        """Append the while, and give the variables the values behind it."""
        self.state.write(with_writes(self.state, self._appended))

    def _appended(self) -> list[Any]:
        """Append the while; return the values behind it."""
        user = self.state.read()
        values = all_seen(user)
        while True:
            try:
                with default_main_program().undone_on_error():
                    return put_back(user, self._written(values))
            except Wider as wider:
                self.state.write(renewed(user))
                values = rebuilt(wider.values, self._made)

    def _made(self, leaf: Any) -> Any:
        if not isinstance(leaf, Start):
            return leaf
        variable = leaf.made()
        self.starts[variable] = leaf
        return variable

    def _written(self, values: list[Any]) -> list[Any]:
        """Append the while for these values before it; return the values behind it.

        Raises:
            Wider: if the body changes what is no Variable.
        """
        carried = [self._copied(leaf) for leaf in flat(values) if isinstance(leaf, Variable)]
        behind: list[Any] = []

        def enter(given: Any) -> None:
            self.state.write(renewed(filled(values, given)))

        def condition(*given: Any) -> Any:
            enter(given)
            again = seen(self.test())
            return truth(again) if isinstance(again, Variable) else as_variable(bool(again))

        def body(*given: Any) -> list[Any]:
            enter(given)
            with noticed(self.state, carried):
                self.body()
                results = all_seen(self.state.read())
            self._check(values, results)
            behind[:] = results
            pairs = [
                (one, result)
                for value, other in zip(values, results, strict=True)
                if alike(value, other)
                for one, result in zip(flat(value), flat(other), strict=True)
            ]
            return [_result(result, one) for one, result in pairs if isinstance(one, Variable)] or list(given)

        # a loop that changes its variables in place only carries a number that nobody needs
        after = filled(values, while_loop(condition, body, carried or [as_variable(0)]))
        return [other if one is MISSING else one for one, other in zip(after, behind, strict=True)]

    def _copied(self, variable: Variable) -> Variable:
        """Append a copy of a Variable, for the loop to write into."""
        copy: Variable = assign_op(variable)
        copy.stop_gradient = copy.stop_gradient and variable not in self.flowing
        return copy

    def _check(self, values: list[Any], results: list[Any]) -> None:
        """Compare what the body leaves with what it found.

        Raises:
            Wider: if anything has to be another value before the loop.
        """
        known = len(self.flowing)
        wider = [self._wider(*three) for three in zip(values, results, self.state.names, strict=True)]
        changed = any(one is not other for one, other in zip(wider, values, strict=True))
        if changed or len(self.flowing) > known:
            raise Wider(wider)

    def _wider(self, before: Any, after: Any, name: str) -> Any:
        """Return a value before the loop such that it may become `after` in its body: `before` itself if it may."""
        if isinstance(before, Unusable):
            return before
        if isinstance(after, Unusable):
            return after
        if before is MISSING or before is None:
            if after is before or (before is MISSING and not _is_carried(after)):
                return before
            if _is_carried(after):
                return rebuilt(after, lambda leaf: Start(MISSING, _meta_of(leaf)))
        elif alike(before, after):
            leaves = [self._leaf(*pair) for pair in zip(flat(before), flat(after), strict=True)]
            if not any(leaf is MISSING for leaf in leaves):
                changed = any(one is not other for one, other in zip(leaves, flat(before), strict=True))
                return filled(before, leaves, True) if changed else before
        return Unusable(
            name,
            f"{name!r} is {told(before)} before a turn of the loop, but {told(after)} after it: a loop whose turns "
            "only a run can count keeps the kind of its variables.",
        )

    def _leaf(self, before: Any, after: Any) -> Any:
        """Return what to carry for a leaf; `MISSING` if nothing will do."""
        if isinstance(before, Variable):
            if not isinstance(after, (Variable, *NUMBERS)):
                return MISSING
            if isinstance(after, Variable) and before.stop_gradient and not after.stop_gradient:
                self.flowing.add(before)
            start = self.starts.get(before)
            if start is None or not isinstance(after, Variable) or _fits(before.meta, after.meta):
                return before
            return Start(start.value, after.meta)
        if not isinstance(after, Variable) and same(before, after):
            return before
        if isinstance(before, NUMBERS) and isinstance(after, (Variable, *NUMBERS)):
            return Start(before, _meta_of(after, float in (type(before), type(after))))
        return MISSING


def _fits(before: Meta, after: Meta) -> bool:
    """Whether a Variable may stay what it is when the body makes `after` of it."""
    return before.dtype == after.dtype and len(before.shape) == len(after.shape)


def _is_carried(nest: Any) -> bool:
    """Whether a nest holds Variables and numbers, and nothing else."""
    return bool(flat(nest)) and all(isinstance(leaf, (Variable, *NUMBERS)) for leaf in flat(nest))


def _meta_of(leaf: Any, is_float: bool = False) -> Meta:
    """Return the kind of Variable that a Variable or a number needs."""
    if isinstance(leaf, Variable):
        return leaf.meta
    kind = "float64" if is_float or isinstance(leaf, float) else "bool" if isinstance(leaf, bool) else "int64"
    return Meta((), np.dtype(kind))


def _result(result: Any, before: Variable) -> Any:
    """Return what the body leaves in a Variable as one of its dtype."""
    if isinstance(result, Variable):
        return result
    return full([1 if size < 0 else size for size in before.meta.shape], result, before.meta.dtype)
