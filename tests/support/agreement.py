"""Every Program that a test runs is also run step by step: the two must agree to the bit."""

from collections.abc import Generator
from typing import Any

import numpy as np

from minipaddle.ops.random import generator as random
from minipaddle.paddle.static.custom.py_func import PyFuncOperator
from minipaddle.paddle.static.executor.run import Run

__all__ = ["run_both_ways"]

_quickly = Run._quickly


def run_both_ways(run: Run) -> list[Any]:
    """Take the place of ``Run._quickly``: run with the interpreter on copies, then with the plan."""
    if any(isinstance(op, PyFuncOperator) for block in run.program.blocks for op in block.ops):
        return _quickly(run)  # the user's functions may count, print, or answer otherwise
    copies = [value.copy() for value in run.values]
    state = random.engine().state
    try:
        stepped = drained(run._replace(values=copies)._slowly())
    except Exception:
        stepped = None  # the plan raises too, and the test looks at that
    random.engine().state = state
    quick = _quickly(run)
    assert stepped is not None, "the interpreter raised, the plan did not"
    assert_same(quick, stepped)
    assert_same(run.values, copies)  # what an optimizer wrote in place
    return quick


def drained(steps: Generator[Any, None, Any]) -> Any:
    """Return the value of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


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
