"""``while`` and ``for``: plain Python as long as Python can tell how often, then a Block that runs again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import CellType
from typing import Any

from minipaddle.paddle.jit.dy2static.branches import choose
from minipaddle.paddle.jit.dy2static.iterables import Indexed, indexed
from minipaddle.paddle.jit.dy2static.logic import all_of
from minipaddle.paddle.jit.dy2static.repeated import Repeated
from minipaddle.paddle.jit.dy2static.state import State
from minipaddle.paddle.jit.dy2static.values import opposite, seen
from minipaddle.paddle.static.program import Variable, default_main_program

Block = Callable[..., Any]


def repeat(test: Block, body: Block, *names: str) -> None:
    """Run `body` while `test` returns true; from where it returns a Variable, append a while."""
    try:
        while _known(test):
            body()
    except OnlyARunKnows:
        Repeated(test, body, State((test, body), names)).append()


class OnlyARunKnows(Exception):
    """Says that the test of a loop is a Variable."""


def _known(test: Block) -> bool:
    """Return whether a loop goes on.

    Raises:
        OnlyARunKnows: if the test is a Variable; what it appended is taken back, for the loop will append it.
    """
    with default_main_program().undone_on_error():
        again = seen(test())
        if isinstance(again, Variable):
            raise OnlyARunKnows
    return bool(again)


def go_over(iterable: Any, body: Block, *names: str, stop: Block | None = None, returned: str = "") -> None:
    """Run `body` on each item until `stop` returns true; over what only a run knows the number of, append a while."""
    iterable = indexed(seen(iterable))
    functions = (body,) if stop is None else (body, stop)
    if isinstance(iterable, Indexed):
        _over_indexed(iterable, body, State(functions, names), stop or (lambda: False))
        return
    left: Any = False
    for item in iterable:
        if isinstance(left, Variable):
            choose(left, _nothing, partial(body, item), State(functions, names, returned))
        else:
            body(item)
        left = False if stop is None else seen(stop())
        if not isinstance(left, Variable) and left:
            return


def _nothing() -> None:
    """Do nothing."""


def _over_indexed(iterable: Indexed, body: Block, state: State, stop: Block) -> None:
    """Append a while over the places of an iterable."""
    place = CellType(0)
    state.add("the place of the item", place)

    def test() -> Any:
        return all_of(lambda: opposite(stop()), lambda: iterable.has(place.cell_contents))

    def turn() -> None:
        body(iterable.item(place.cell_contents))
        place.cell_contents = place.cell_contents + 1

    Repeated(test, turn, state).append()
