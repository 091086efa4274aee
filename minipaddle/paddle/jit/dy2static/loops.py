"""``while`` and ``for``: plain Python as long as Python can tell how often, then a Block that runs again and again.

Which variables the loop carries is found by writing it: as long as its body turns a number into another one or into a
Variable, or writes into a Variable of the Blocks around, the loop is taken back, and written again with what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import CellType
from typing import Any

from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.views.shape_operators import shape
from minipaddle.paddle.jit.dy2static.branches import choose
from minipaddle.paddle.jit.dy2static.logic import all_of, opposite
from minipaddle.paddle.jit.dy2static.state import MISSING, State, all_seen, put_back, renewed, seen
from minipaddle.paddle.jit.dy2static.undefined_value import Unusable
from minipaddle.paddle.jit.dy2static.values import (
    NUMBERS,
    alike,
    as_variable,
    constant,
    filled,
    meta_of,
    same,
    told,
    truth,
)
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt

Block = Callable[..., Any]


class OnlyARunKnows(Exception):
    """Says that the test of a loop is a Variable."""


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


class Counted:
    """Items by their places, counted from 0, which are Variables: only a run knows how many there are.

    Args:
        name: what they are.
        has: whether there is an item at a place.
        item: the item at a place.
    """

    def __init__(self, name: str, has: Block, item: Block) -> None:
        self.name, self.has, self.item = name, has, item

    def __iter__(self) -> Any:
        raise TypeError(
            f"Only a run can tell how many items there are in this {self.name}: go over it with a plain for, without "
            "list(), unpacking or a comprehension."
        )


def as_range(*limits: Any) -> Any:
    """Return ``range(*limits)``."""
    limits = tuple([seen(one) for one in limits])
    if not any(isinstance(one, Variable) for one in limits):
        return range(*limits)
    start, stop, step = (0, *limits, 1) if len(limits) == 1 else (*limits, 1)[:3]

    def item(place: Any) -> Any:
        moved = place if same(step, 1) else place * step
        return moved if same(start, 0) else start + moved

    def has(place: Any) -> Any:
        if isinstance(step, Variable):
            return (stop - item(place)) * step > 0
        return item(place) < stop if step > 0 else item(place) > stop

    return Counted("range", has, item)


def go_over(items: Any, body: Block, *names: str, stop: Block | None = None, returned: str = "") -> None:
    """Run `body` on each item until `stop` returns true; over what only a run knows the number of, append a while."""
    items = seen(items)
    if isinstance(items, Variable) and items.shape and items.shape[0] < 0:
        rows = items
        items = Counted("rows", lambda place: place < shape(rows)[0], lambda place: rows[place])
    state = State((body,) if stop is None else (body, stop), names, returned)
    if isinstance(items, Counted):
        _over_counted(items, body, state, stop or (lambda: False))
        return
    left: Any = False
    for item in items:
        if isinstance(left, Variable):
            choose(left, lambda: None, partial(body, item), state)
        else:
            body(item)
        left = False if stop is None else seen(stop())
        if not isinstance(left, Variable) and left:
            return


def _over_counted(items: Counted, body: Block, state: State, stop: Block) -> None:
    """Append a while over the places of items."""
    place = CellType(0)
    state.cells["the place of the item"] = place
    state.names.append("the place of the item")

    def test() -> Any:
        return all_of(lambda: opposite(stop()), lambda: items.has(place.cell_contents))

    def turn() -> None:
        body(items.item(place.cell_contents))
        place.cell_contents = place.cell_contents + 1

    Loop(test, turn, state).append()


@dataclass(frozen=True)
class Start:
    """The Variable that a loop has to carry where there was a number before it, or `MISSING`."""

    value: Any
    meta: Meta


class Wider(Exception):
    """Says that a loop has to be written again, with other values before it."""


class Loop:
    """A loop that becomes a while.

    Attributes:
        values: what the variables are before it, as nests of Variables and constants.
        starts: for the Variables that were made for numbers: what they were made of.
        flowing: Variables that gradients flow through because the body says so.
    """

    def __init__(self, test: Block, body: Block, state: State) -> None:
        self.test, self.body, self.state = test, body, state
        self.values: list[Any] = []
        self.starts: dict[Variable, Start] = {}
        self.flowing: set[Variable] = set()

    def append(self) -> None:
        """Append the while, and give the variables the values behind it."""
        state = self.state
        user, contents = state.read(), state.contents
        self.values = all_seen(user)
        behind = None
        while behind is None:
            try:
                with default_main_program().undone_on_error():
                    behind = self._written(contents)
            except Wider:
                state.write([renewed(one) for one in user])
                state.keep_captured()
                self.values = rebuilt(self.values, self._started)
            finally:
                state.contents = contents
        count = len(user)
        state.write([*map(put_back, user, behind), *behind[count:]])

    def _started(self, leaf: Any) -> Any:
        """Append the Variable that the loop carries for a number."""
        if not isinstance(leaf, Start):
            return leaf
        variable = constant(leaf.meta, leaf.value)
        self.starts[variable] = leaf
        return variable

    def _written(self, contents: dict[Variable, Variable]) -> list[Any]:
        """Append the while; return the values behind it.

        Raises:
            Wider: if the body changes what is no Variable, or writes into one that the loop does not carry.
        """
        state, values = self.state, self.values
        carried = [self._copied(leaf) for leaf in flat(values) if isinstance(leaf, Variable)]
        behind: list[Any] = []

        def enter(given: Any) -> None:
            state.write(renewed(filled(values, given)))

        def condition(*given: Any) -> Any:
            enter(given)
            again = seen(self.test())
            return truth(again) if isinstance(again, Variable) else as_variable(bool(again))

        def body(*given: Any) -> list[Any]:
            entry = state.contents
            enter(given)
            before = state.contents
            try:
                self.body()
                results = all_seen(state.read())
                new = state.changed(before, carried)
            finally:
                state.contents = entry
            self._widen(results, new, contents)
            behind[:] = results
            pairs = [
                (one, result)
                for value, other in zip(values, results, strict=True)
                if alike(value, other)
                for one, result in zip(flat(value), flat(other), strict=True)
                if isinstance(one, Variable)
            ]
            return [
                result if isinstance(result, Variable) else constant(one.meta, result)
                for one, result in pairs
            ] or list(given)

        # a loop that changes its variables in place only carries a number that nobody needs
        after = filled(values, while_loop(condition, body, carried or [as_variable(0)]))
        return [other if one is MISSING else one for one, other in zip(after, behind, strict=True)]

    def _copied(self, variable: Variable) -> Variable:
        """Append a copy of a Variable, for the loop to write into."""
        copy: Variable = assign_op(variable)
        copy.stop_gradient = copy.stop_gradient and variable not in self.flowing
        return copy

    def _widen(self, results: list[Any], new: list[Variable], contents: dict[Variable, Variable]) -> None:
        """Compare what the body leaves with what it found; `new` it has written into, whose `contents` were these.

        Raises:
            Wider: if anything has to be another value before the loop.
        """
        known = len(self.flowing)
        names = [*self.state.names, *[f"the content of {one.name!r}" for one in self.state.targets]]
        wider = [self._wider(*three) for three in zip(self.values, results, names, strict=True)]
        changed = any(one is not other for one, other in zip(wider, self.values, strict=True))
        if changed or new or len(self.flowing) > known:
            self.values = [*wider, *[contents.get(one, one) for one in new]]
            self.state.targets += new
            raise Wider

    def _wider(self, before: Any, after: Any, name: str) -> Any:
        """Return a value before the loop such that it may become `after` in its body: `before` itself if it may."""
        for one in (before, after):
            if isinstance(one, Unusable):
                return one
        carried = bool(flat(after)) and all(isinstance(leaf, (Variable, *NUMBERS)) for leaf in flat(after))
        if before is MISSING or before is None:
            if after is before or (before is MISSING and not carried):
                return before
            if carried:
                return rebuilt(after, lambda leaf: Start(MISSING, meta_of(leaf)))
        elif alike(before, after):
            pairs = list(zip(flat(before), flat(after), strict=True))
            leaves = [self._leaf(*pair) for pair in pairs]
            if not any(leaf is MISSING for leaf in leaves):
                changed = any(one is not old for one, (old, _) in zip(leaves, pairs, strict=True))
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
            return Start(before, meta_of(after, float in (type(before), type(after))))
        return MISSING


def _fits(before: Meta, after: Meta) -> bool:
    """Whether a Variable may stay what it is when the body makes `after` of it."""
    return before.dtype == after.dtype and len(before.shape) == len(after.shape)
