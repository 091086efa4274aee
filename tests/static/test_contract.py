"""What holds for every operator of the table in a Program: it computes what eager execution computes, to the bit."""

from typing import Any

import numpy as np
import pytest

from minipaddle.core import random
from minipaddle.core.mode import EAGER, Eager, within
from minipaddle.core.operator import Operator, operators
from minipaddle.autograd.backward import grad
from minipaddle.static import Executor, Program, data, gradients, program_guard
from minipaddle.static.build import BUILDING
from tests.ops.test_contract import call, each, example, is_float, seeds_for, wanted

ALL = [op for op in operators() if not op.updates]
DIFFERENTIABLE = [op for op in ALL if op.rules]


class Built:
    """A Program with one call of an operator, from placeholders for its example, and perhaps its gradients."""

    def __init__(self, op: Operator, arrays: list[Any], attrs: dict[str, Any], seeds: list[Any] | None = None) -> None:
        self.program = Program()
        with within(BUILDING), program_guard(self.program, Program()):
            self.inputs = [self._placeholder(f"x{i}", array) for i, array in enumerate(arrays)]
            leaves = [self.inputs[position] for position in wanted(op, arrays)] if seeds is not None else []
            for leaf in leaves:
                leaf.stop_gradient = False
            self.fetches = call(op, self.inputs, attrs)
            if seeds is not None:
                outs = [out for out in self.fetches if not out.stop_gradient and out.meta.dtype.kind == "f"]
                starts = [self._placeholder(f"seed{i}", seed) for i, seed in enumerate(seeds)]
                self.fetches = gradients(outs, leaves, starts)
        given = {f"x{i}": array for i, array in enumerate(arrays) if array is not None}
        self.feed = {**given, **{f"seed{i}": seed for i, seed in enumerate(seeds or [])}}

    @staticmethod
    def _placeholder(name: str, array: Any) -> Any:
        return None if array is None else data(name, array.shape, array.dtype)

    def run(self) -> list[np.ndarray]:
        random.seed(7)
        found: list[np.ndarray] = Executor().run(self.program, self.feed, self.fetches)
        return found

    def steps(self) -> list[np.ndarray]:
        random.seed(7)
        steps = Executor().steps(self.program, self.feed, self.fetches)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value


def assert_same(found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert one.tobytes() == np.ascontiguousarray(other).tobytes()


@each(ALL)
def test_values_are_those_of_eager_execution(op):
    arrays, attrs = example(op)
    with within(EAGER):
        tensors = [None if array is None else Eager.tensor(array) for array in arrays]
        expected = [out.array for out in call(op, tensors, attrs)]
    built = Built(op, arrays, attrs)
    assert_same(built.run(), expected)
    assert_same(built.steps(), expected)


@each(DIFFERENTIABLE)
def test_gradients_are_those_of_eager_execution(op):
    arrays, attrs = example(op)
    places = wanted(op, arrays)
    seeds = seeds_for(op, arrays, attrs)
    tensors = [None if array is None else Eager.tensor(np.array(array)) for array in arrays]
    for place in places:
        tensors[place].stop_gradient = False
    outs = [out for out in call(op, tensors, attrs) if not out.stop_gradient and is_float(out.array)]
    leaves = [tensors[place] for place in places]
    expected = [found.array for found in grad(outs, leaves, [Eager.tensor(seed) for seed in seeds])]
    built = Built(op, arrays, attrs, seeds)
    assert_same(built.run(), expected)
    assert_same(built.steps(), expected)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.type)
def test_listed_attributes_are_read_back(op):
    arrays, attrs = example(op)
    built = Built(op, arrays, attrs)
    (made,) = [one for one in built.program.global_block().ops if one.type == op.type][:1] or [None]
    if made is not None:
        assert made.attr("op_role") == 0
        assert set(made.attr_names) >= set(op.listing.names)
