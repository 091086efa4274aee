"""The contract of every operator of the table. A new operator is tested here without changing a line.

Each operator has an example call (`example_of`) in float64, away from kinks. The gradient rules are
compared with central differences of the kernel, and the rules read over Tensors with those of the rules.
"""

import dis
import inspect
from typing import Any

import numpy as np
import pytest

from minipaddle.engine.mode.eager import Eager
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import meta_of
from minipaddle.paddle.autograd.grad import grad
from tests.support.operators import (
    ALL,
    DIFFERENTIABLE,
    SLOPED,
    STRAIGHT_THROUGH,
    assert_gradient,
    call,
    each,
    example,
    gradients,
    graph,
    is_float,
    kernel,
    seeds_for,
    wanted,
)


def assert_describes(op: Operator, metas: list[Any], attrs: dict[str, Any], outs: list[np.ndarray]) -> None:
    """The shape rule knows the outputs; -1 is a size that depends on numbers or is unknown."""
    found = op.infer_metas(metas, {**op.defaults, **attrs})
    for meta, out in zip(found if op.multiple else [found], outs, strict=True):
        assert len(meta.shape) == out.ndim
        assert all(known in (-1, real) for known, real in zip(meta.shape, out.shape, strict=True)), meta
        assert meta.dtype == out.dtype


@each(ALL)
def test_documented(op):
    first = (op.__doc__ or "").strip().partition("\n")[0]
    assert first.endswith((".", ":")), f"{op.type} says {first!r}"


@each(ALL)
def test_shape_rule_tells_what_the_kernel_returns(op):
    arrays, attrs = example(op)
    outs = kernel(op, arrays, attrs)
    assert_describes(op, [None if array is None else meta_of(array) for array in arrays], attrs, outs)


@each([op for op in ALL if op.input_names])
def test_shape_rule_with_an_unknown_batch(op):
    arrays, attrs = example(op)
    outs = kernel(op, arrays, attrs)
    batch = arrays[0].shape[:1]
    metas = [None if array is None else meta_of(array) for array in arrays]
    metas = [m and m._replace(shape=(-1, *m.shape[1:]) if m.shape[:1] == batch else m.shape) for m in metas]
    assert_describes(op, metas, attrs, outs)


@each([op for op in ALL if not op.updates])
def test_kernel_leaves_its_inputs_alone(op):
    arrays, attrs = example(op)
    guarded = [None if array is None else np.array(array) for array in arrays]
    for array in guarded:
        if array is not None:
            array.flags.writeable = False
    kernel(op, guarded, attrs)


@each([op for op in ALL if not op.updates])
def test_result_is_memory_of_its_own(op):
    arrays, attrs = example(op)
    arrays = [None if array is None else np.array(array) for array in arrays]
    for out in kernel(op, arrays, attrs):
        assert out.flags.writeable
        others = arrays[1:] if op.view else arrays
        assert not any(np.shares_memory(out, array) for array in others if array is not None)
        if op.view:
            assert np.shares_memory(out, arrays[0])


@each(SLOPED)
def test_gradient_is_the_slope(op):
    arrays, attrs = example(op)
    arrays = [None if array is None else np.array(array) for array in arrays]
    seeds = seeds_for(op, arrays, attrs)

    def value() -> float:
        outs = kernel(op, arrays, attrs)
        chosen = outs if op.list_output else [outs[i] for i in op.differentiable if is_float(outs[i])]
        return sum(float(np.sum(np.conj(seed) * out).real) for seed, out in zip(seeds, chosen, strict=True))

    found = gradients(op, arrays, attrs, seeds)
    assert found
    for position, gradient in zip(wanted(op, arrays), found, strict=True):
        assert gradient.shape == arrays[position].shape
        assert_gradient(op, position, gradient, value, arrays[position], rtol=1e-6, atol=1e-7)


@each([op for op in ALL if op.type in STRAIGHT_THROUGH])
def test_gradient_straight_through_is_the_slope_of_the_second_output(op):
    arrays, attrs = example(op)
    arrays = [np.array(array) for array in arrays]
    hard, soft = seeds_for(op, arrays, attrs)
    (found,) = gradients(op, arrays, attrs, [hard, soft])

    def value() -> float:
        return float(np.sum((hard + soft) * kernel(op, arrays, attrs)[1]))

    assert_gradient(op, 0, found, value, arrays[0], rtol=1e-6, atol=1e-7)


@pytest.mark.sweep
@each(DIFFERENTIABLE)
def test_second_gradient_is_the_slope_of_the_first(op):
    arrays, attrs = example(op)
    arrays = [None if array is None else np.array(array) for array in arrays]
    seeds = seeds_for(op, arrays, attrs)
    rng = np.random.default_rng(5)
    leaves, outs = graph(op, arrays, attrs)
    seed_leaves = [Eager.tensor(seed.copy()) for seed in seeds]
    for seed in seed_leaves:
        seed.stop_gradient = False
    firsts = grad(outs, leaves, seed_leaves, create_graph=True)
    weights = [rng.uniform(0.5, 1.5, first.array.shape) for first in firsts]
    terms = [first * Eager.tensor(weight) for first, weight in zip(firsts, weights, strict=True)]
    roots = [term for term in terms if not term.stop_gradient]
    variables = leaves + seed_leaves
    found = grad(roots, variables, allow_unused=True) if roots else [None] * len(variables)

    def value() -> float:
        got = gradients(op, arrays, attrs, seeds)
        return sum(float(np.sum(weight * first)) for weight, first in zip(weights, got, strict=True))

    changed = [arrays[position] for position in wanted(op, arrays)] + seeds
    for place, (array, second) in enumerate(zip(changed, found, strict=True)):
        exact = np.zeros(array.shape) if second is None else second.array
        assert_gradient(op, place, exact, value, array, rtol=1e-5, atol=1e-6)


@each(DIFFERENTIABLE)
def test_rule_means_the_same_over_arrays_and_over_tensors(op):
    arrays, attrs = example(op)
    seeds = seeds_for(op, arrays, attrs)
    leaves, outs = graph(op, arrays, attrs)
    over_tensors = grad(outs, leaves, [Eager.tensor(seed) for seed in seeds], create_graph=True)
    for one, other in zip(gradients(op, arrays, attrs, seeds), over_tensors, strict=True):
        assert one.dtype == other.array.dtype
        # a small product of Tensors adds in another order than BLAS, which a rule's ``@`` of arrays calls
        np.testing.assert_allclose(one, other.array, rtol=1e-12, atol=1e-14)


@each(DIFFERENTIABLE)
def test_gradients_have_the_type_of_their_inputs(op):
    arrays, attrs = example(op)
    arrays = [array.astype("float32") if is_float(array) else array for array in arrays]
    seeds = seeds_for(op, arrays, attrs)
    for position, gradient in zip(wanted(op, arrays), gradients(op, arrays, attrs, seeds), strict=True):
        assert gradient.dtype == "float32", op.input_names[min(position, len(op.input_names) - 1)]


@each(DIFFERENTIABLE)
def test_rules_ask_only_for_what_they_use(op):
    for rule in op.rules:
        used: set[Any] = set()
        for instruction in dis.get_instructions(rule.function):
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            used |= set(names) if instruction.opname.startswith("LOAD") else set()
        asked = list(inspect.signature(rule.function).parameters)[len(op.differentiable) :]
        assert set(asked) <= used, f"the rule for {op.input_names[rule.input]}"


@each([op for op in ALL if not op.updates])
def test_takes_tensors_that_want_gradients(op):
    arrays, attrs = example(op)
    tensors = [None if array is None else Eager.tensor(np.array(array)) for array in arrays]
    for tensor in tensors:
        if tensor is not None:
            tensor.stop_gradient = False
    outs = call(op, tensors, attrs)
    assert outs
    if not op.rules:
        assert all(out.stop_gradient for out in outs)
