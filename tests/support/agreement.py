"""Every Program that a test runs is also run step by step: the two must agree to the bit."""

from collections.abc import Generator
from typing import Any

import numpy as np

from minipaddle.core import random
from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.static.executor import executor
from minipaddle.static.program.program import Program

__all__ = ["run_both_ways"]

_quickly = executor._quickly


def run_both_ways(program: Program, job: Any, values: list[Any]) -> list[Any]:
    """Take the place of ``executor._quickly``: run `job` with the interpreter on copies, then with the plan."""
    if any(isinstance(op, PyFuncOperator) for block in program.blocks for op in block.ops):
        return _quickly(program, job, values)  # the user's functions may count, print, or answer otherwise
    copies = [value.copy() for value in values]
    state = random.generator().bit_generator.state
    try:
        stepped = drained(executor._slowly(program, job, copies))
    except Exception:
        stepped = None  # the plan raises too, and the test looks at that
    random.generator().bit_generator.state = state
    quick = _quickly(program, job, values)
    assert stepped is not None, "the interpreter raised, the plan did not"
    assert_same(quick, stepped)
    assert_same(values, copies)  # what an optimizer wrote in place
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
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.asarray(one).shape == np.asarray(other).shape
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
