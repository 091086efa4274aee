"""Every Program that a test runs is also run by the interpreter: the two must agree to the bit."""

from typing import Any

import numpy as np

from minipaddle.engine.watch.observer import Observer
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.ops.random import generator as random
from minipaddle.paddle.static.custom.py_func import PyFuncOperator
from minipaddle.paddle.static.executor.executor import Executor
from minipaddle.paddle.static.executor.run import Run

__all__ = ["Steps", "interpreted", "run_both_ways"]

_quickly = Run._quickly


def run_both_ways(run: Run) -> list[Any]:
    """Take the place of ``Run._quickly``: run with the interpreter on copies, then with the plan."""
    if any(isinstance(op, PyFuncOperator) for block in run.program.blocks for op in block.ops):
        return _quickly(run)  # the user's functions may count, print, or answer otherwise
    copies = [value.copy() for value in run.values]
    state = random.engine().state
    try:
        stepped = run._replace(values=copies)._told(())
    except Exception:
        stepped = None  # the plan raises too, and the test looks at that
    random.engine().state = state
    quick = _quickly(run)
    assert stepped is not None, "the interpreter raised, the plan did not"
    assert_same(quick, stepped)
    assert_same(run.values, copies)  # what an optimizer wrote in place
    return quick


class Steps(Observer):
    """Keeps what the interpreter tells: the Blocks that were entered and left."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, Any]] = []

    def program_began(self, run: Any) -> Observer:
        return self

    def entered(self, kind: Any, owner: Any, args: Any, at: Any) -> None:
        self.turns.append(("entered", owner))

    def left(self, kind: Any, owner: Any, result: Any, error: Any) -> None:
        self.turns.append(("left", owner))


def interpreted(program: Any, feed: Any, fetch_list: Any) -> list[Any]:
    """Run a Program with the interpreter."""
    with watching(Steps()):
        found: list[Any] = Executor().run(program, feed, fetch_list)
    return found


def assert_same(found: list[Any], others: list[Any]) -> None:
    """Compare values bit by bit."""
    for one, other in zip(found, others, strict=True):
        if one is None or isinstance(one, (dict, list)):
            continue  # what a Block leaves for its gradient
        if isinstance(one, tuple):  # a list of tensors
            assert_same(list(one), list(other))
            continue
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.asarray(one).shape == np.asarray(other).shape
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
