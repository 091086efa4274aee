"""``while`` and ``for``: plain Python as long as Python can tell how often, then a Block that runs again and again.

Which variables the loop carries is found by writing it: as long as its body turns a number into another one or into a
Variable, the loop is taken back, and written again with a Variable in the place of that number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from minipaddle.ops.creation.assign import assign_op
from minipaddle.paddle.jit.dy2static.branches import choose
from minipaddle.paddle.jit.dy2static.state import (
    MISSING,
    NUMBERS,
    Start,
    State,
    Unusable,
    alike,
    all_seen,
    as_variable,
    constant,
    filled,
    meta_of,
    same,
    seen,
    told,
    truth,
)
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt

Block = Callable[..., Any]
CARRIED = (Variable, Start)


class OnlyARunKnows(Exception):
    """Says that the test of a loop is a Variable."""


class Wider(Exception):
    """Says that a loop has to be written again, with other values before it."""


def repeat(test: Block, body: Block, *names: str) -> None:
    """Run `body` while `test` returns true; from where it returns a Variable, append a while."""

    def again() -> bool:
        with default_main_program().undone_on_error():  # the loop will append it
            answer = seen(test())
            if isinstance(answer, Variable):
                raise OnlyARunKnows
        return bool(answer)

    try:
        while again():
            body()
    except OnlyARunKnows:
        Loop(test, body, State((test, body), names)).append()


def go_over(items: Any, body: Block, *names: str, stop: Block | None = None, returned: str = "") -> None:
    """Run `body` on each item until `stop` returns true."""
    state = State((body,) if stop is None else (body, stop), names, returned)
    left: Any = False
    for item in seen(items):
        if isinstance(left, Variable):
            choose(left, lambda: None, partial(body, item), state)
        else:
            body(item)
        left = False if stop is None else seen(stop())
        if not isinstance(left, Variable) and left:
            return


class Loop:
    """A loop that becomes a while.

    Attributes:
        values: what the user's variables are before it.
        flowing: those of the values that gradients flow through because the body says so.
    """

    def __init__(self, test: Block, body: Block, state: State) -> None:
        self.test, self.body, self.state = test, body, state
        self.values: list[Any] = []
        self.flowing: set[Any] = set()

    def append(self) -> None:
        """Append the while, and give the variables the values behind it."""
        user = self.state.read()
        self.values = all_seen(user)
        behind = None
        while behind is None:
            try:
                with default_main_program().undone_on_error():
                    behind = self._written()
            except Wider:
                self.state.write(user)
        self.state.write(behind)

    def _written(self) -> list[Any]:
        """Append the while; return the values behind it.

        Raises:
            Wider: if the body changes what is no Variable.
        """
        values, behind = self.values, list[Any]()
        carried = [self._begun(leaf) for leaf in flat(values) if isinstance(leaf, CARRIED)]

        def enter(given: Any) -> None:
            self.state.write(filled(values, given, CARRIED))

        def condition(*given: Any) -> Any:
            enter(given)
            again = seen(self.test())
            return truth(again) if isinstance(again, Variable) else as_variable(bool(again))

        def body(*given: Any) -> list[Any]:
            enter(given)
            behind[:] = self.state.outcome(self.body)
            self._widen(behind)
            pairs = [
                (one, result)
                for value, other in zip(values, behind, strict=True)
                if alike(value, other)
                for one, result in zip(flat(value), flat(other), strict=True)
                if isinstance(one, CARRIED)
            ]
            found = [one if isinstance(one, Variable) else constant(old.meta, one) for old, one in pairs]
            return found or list(given)

        after = filled(values, while_loop(condition, body, carried or [as_variable(0)]), CARRIED)
        return [other if one is MISSING else one for one, other in zip(after, behind, strict=True)]

    def _begun(self, leaf: Variable | Start) -> Variable:
        """Append the Variable that the loop writes into for a value before it."""
        begun: Variable = assign_op(leaf) if isinstance(leaf, Variable) else constant(leaf.meta, leaf.value)
        begun.stop_gradient = begun.stop_gradient and leaf not in self.flowing
        return begun

    def _widen(self, results: list[Any]) -> None:
        """Compare what the body leaves with what it found."""
        known, before = len(self.flowing), self.values
        self.values = [self._wider(*three) for three in zip(before, results, self.state.names, strict=True)]
        if len(self.flowing) > known or any(map(operator.is_not, self.values, before)):
            raise Wider

    def _wider(self, before: Any, after: Any, name: str) -> Any:
        """Return a value before the loop such that it may become `after` in its body: `before` itself if it may."""
        for one in (before, after):
            if isinstance(one, Unusable):
                return one
        is_carried = bool(flat(after)) and all(isinstance(leaf, (Variable, *NUMBERS)) for leaf in flat(after))
        if after is before or (before is MISSING and not is_carried):
            return before
        if before is MISSING or before is None:
            if is_carried:
                return rebuilt(after, lambda leaf: Start(MISSING, meta_of(leaf)))
        elif alike(before, after):
            pairs = list(zip(flat(before), flat(after), strict=True))
            leaves = [self._leaf(*pair) for pair in pairs]
            if not any(leaf is MISSING for leaf in leaves):
                changed = any(one is not old for one, (old, _) in zip(leaves, pairs, strict=True))
                return filled(before, leaves) if changed else before
        return Unusable(
            name,
            f"{name!r} is {told(before)} before a turn of the loop, but {told(after)} after it: a loop whose turns "
            "only a run can count keeps the kind of its variables.",
        )

    def _leaf(self, before: Any, after: Any) -> Any:
        """Return what to carry for a leaf; `MISSING` if nothing will do."""
        is_variable = isinstance(after, Variable)
        if isinstance(before, CARRIED):
            if is_variable and before.stop_gradient and not after.stop_gradient:
                self.flowing.add(before)
            if isinstance(before, Start) and is_variable and not before.fits(after):
                return Start(before.value, after.meta)
            return before if is_variable or isinstance(after, NUMBERS) else MISSING
        if not is_variable and same(before, after):
            return before
        if isinstance(before, NUMBERS) and (is_variable or isinstance(after, NUMBERS)):
            return Start(before, meta_of(after, float in (type(before), type(after))))
        return MISSING
