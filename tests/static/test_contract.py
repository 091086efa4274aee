"""The contract of every operator of the table in a Program: the same results as eagerly, to the bit."""

from typing import Any

import numpy as np
import pytest

from minipaddle.engine.mode.eager import EAGER, Eager, within
from minipaddle.engine.operator.operator import Operator, operators
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.random import generator as random
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.static import Executor, Program, data, gradients, program_guard
from minipaddle.paddle.static.build.mode import BUILDING
from tests.support.agreement import interpreted
from tests.support.operators import call, each, example, is_float, seeds_for, wanted

ALL = [op for op in operators() if not op.updates]
DIFFERENTIABLE = [op for op in ALL if op.rules and op.type not in ("complex", "as_complex")]
"""Those whose result may be real, as the seeds here are."""


class Built:
    """A Program with one call of an operator, from placeholders for its example, and perhaps its gradients."""

    def __init__(
        self, op: Operator, arrays: list[Any], attrs: dict[str, Any], seeds: list[Any] | None = None
    ) -> None:
        self.program = Program()
        with within(BUILDING), program_guard(self.program, Program()):
            self.inputs = [self._placeholder(f"x{i}", array) for i, array in enumerate(arrays)]
            leaves = [self.inputs[position] for position in wanted(op, arrays)] if seeds is not None else []
            for leaf in leaves:
                leaf.stop_gradient = False
            self.fetches = call(op, self.inputs, attrs)
            if seeds is not None:
                outs = [out for out in self.fetches if not out.stop_gradient and out.meta.dtype.kind in "fc"]
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
        return interpreted(self.program, self.feed, self.fetches)


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
        assert set(made.attr_names) >= set(printed(op).listing.names)


def second_order_eagerly(
    op: Operator, arrays: list[Any], attrs: dict[str, Any], seeds: list[Any]
) -> list[np.ndarray] | None:
    """Gradients of the sum of the first-order gradients; None if those depend on nothing."""
    tensors = [None if array is None else Eager.tensor(np.array(array)) for array in arrays]
    leaves = [tensors[place] for place in wanted(op, arrays)]
    for leaf in leaves:
        leaf.stop_gradient = False
    outs = [out for out in call(op, tensors, attrs) if not out.stop_gradient and is_float(out.array)]
    first = grad(outs, leaves, [Eager.tensor(seed) for seed in seeds], create_graph=True)
    ends = list({id(one): one for one in first if not one.stop_gradient}.values())
    if not ends:
        return None
    found = grad(ends, leaves, allow_unused=True)
    return [None if one is None else one.array for one in found]


NUMBERS_NEEDED = {"warpctc"}
"""Whose rule goes along paths that labels choose: its derivative needs them as numbers, and a Program has none yet."""

STEPS_NEEDED = {"gru", "lstm", "simple_rnn"}
"""Whose rule goes back step by step: its derivative needs to know how many there are."""


@pytest.mark.sweep
@pytest.mark.parametrize("batch_known", [True, False], ids=["known batch", "unknown batch"])
@each(DIFFERENTIABLE)
def test_second_order_is_that_of_eager_execution(op, batch_known):
    arrays, attrs = example(op)
    seeds = seeds_for(op, arrays, attrs)
    expected = second_order_eagerly(op, arrays, attrs, seeds)
    batch = arrays[0].shape[:1]

    def declared(name: str, array: Any) -> Any:
        shape = array.shape if batch_known or array.shape[:1] != batch else (-1, *array.shape[1:])
        return data(name, shape, array.dtype)

    program = Program()
    with within(BUILDING), program_guard(program, Program()):
        inputs = [None if array is None else declared(f"x{i}", array) for i, array in enumerate(arrays)]
        leaves = [inputs[place] for place in wanted(op, arrays)]
        for leaf in leaves:
            leaf.stop_gradient = False
        outs = [
            one for one in call(op, inputs, attrs) if not one.stop_gradient and one.meta.dtype.kind in "fc"
        ]
        starts = [data(f"seed{i}", seed.shape, seed.dtype) for i, seed in enumerate(seeds)]
        first = gradients(outs, leaves, starts)
        if op.type in NUMBERS_NEEDED:
            with pytest.raises(ValueError, match="a second derivative needs labels and lengths as numbers"):
                gradients(first, leaves)
            return
        if op.type in STEPS_NEEDED and not batch_known:
            with pytest.raises(ValueError, match="needs the number of steps, which only a run will tell"):
                gradients(first, leaves)
            return
        found = gradients(first, leaves) if expected is not None else []
    feed = {f"x{i}": array for i, array in enumerate(arrays) if array is not None}
    feed |= {f"seed{i}": seed for i, seed in enumerate(seeds)}
    random.seed(7)
    names = [one for one in found if one is not None]
    values = iter(Executor().run(program, feed, names))
    for one, other in zip(found, expected or [], strict=True):
        if other is None:
            assert one is None or not np.any(next(values))
        else:
            value = np.zeros_like(other) if one is None else next(values)
            np.testing.assert_allclose(value, other, rtol=1e-9, atol=1e-12)
