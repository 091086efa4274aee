"""What holds for every operator of the table. A new operator is tested here without a line being changed.

Each operator brings an example call (`Operator.example`) in float64, away from kinks. The gradient rules are
compared with central differences of the kernel, and the rules read over Tensors with those of the rules.
"""

import dis
import importlib
import inspect
import pkgutil
import zlib
from typing import Any

import numpy as np
import pytest

import minipaddle.ops
from minipaddle.autograd.backward import grad
from minipaddle.core import random
from minipaddle.core.meta import meta_of
from minipaddle.core.mode import EAGER, Arrays, Eager, within
from minipaddle.core.operator import Operator, operators

for module in pkgutil.iter_modules(minipaddle.ops.__path__):
    importlib.import_module(f"minipaddle.ops.{module.name}")

EPS = 1e-6
ALL = list(operators())
DIFFERENTIABLE = [op for op in ALL if op.rules]


def each(ops: list[Operator]) -> Any:
    return pytest.mark.parametrize("op", ops, ids=lambda op: op.type)


def rng_of(op: Operator) -> np.random.Generator:
    """Random numbers that stay the same when other operators come and go."""
    return np.random.default_rng(zlib.crc32(op.type.encode()))


def example(op: Operator) -> tuple[list[Any], dict[str, Any]]:
    inputs, attrs = op.example(rng_of(op))
    return list(inputs), attrs


def call(op: Operator, values: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Apply `op` to arrays or Tensors and return its outputs; a random operator draws the same every time."""
    random.seed(7)
    fixed = len(op.input_names) - bool(op.list_slot)
    arguments = [*values[:fixed], list(values[fixed:])] if op.list_slot else values
    result = op(*arguments, **attrs)
    return list(result) if op.multiple else [result]


def kernel(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> list[np.ndarray]:
    with within(Arrays(EAGER)):
        return [np.asarray(out) for out in call(op, arrays, attrs)]


def is_float(array: Any) -> bool:
    return array is not None and array.dtype.kind == "f"


def wanted(op: Operator, arrays: list[Any]) -> list[int]:
    """Positions of the inputs whose gradient some rule knows."""

    def ruled(position: int) -> bool:
        marks = [position == other for other in range(len(arrays))]
        return any(any(rule.of(marks)) for rule in op.rules)

    return [position for position, array in enumerate(arrays) if is_float(array) and ruled(position)]


def graph(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Apply `op` to leaves made of `arrays`; return those that want a gradient, and outputs that have one."""
    tensors = [None if array is None else Eager.tensor(np.array(array)) for array in arrays]
    leaves = [tensors[position] for position in wanted(op, arrays)]
    for leaf in leaves:
        leaf.stop_gradient = False
    outs = call(op, tensors, attrs)
    return leaves, [out for out in outs if not out.stop_gradient and is_float(out.array)]


def gradients(op: Operator, arrays: list[Any], attrs: dict[str, Any], seeds: list[Any]) -> list[np.ndarray]:
    """First-order gradients of sum(seed * output)."""
    leaves, outs = graph(op, arrays, attrs)
    return [found.array for found in grad(outs, leaves, [Eager.tensor(seed) for seed in seeds])]


def seeds_for(op: Operator, arrays: list[Any], attrs: dict[str, Any]) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [
        rng.uniform(0.5, 1.5, out.array.shape).astype(out.array.dtype) for out in graph(op, arrays, attrs)[1]
    ]


def slopes(function: Any, array: np.ndarray) -> np.ndarray:
    """Central differences of the number `function()` for every element of `array`, which is restored."""
    result = np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        middle = array[place]
        array[place] = middle + EPS
        above = function()
        array[place] = middle - EPS
        result[place] = (above - function()) / (2 * EPS)
        array[place] = middle
    return result


def assert_describes(op: Operator, metas: list[Any], attrs: dict[str, Any], outs: list[np.ndarray]) -> None:
    """The shape rule knows the outputs; -1 stands for a size that depends on numbers or is not known."""
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


@each(DIFFERENTIABLE)
def test_gradient_is_the_slope(op):
    arrays, attrs = example(op)
    arrays = [None if array is None else np.array(array) for array in arrays]
    seeds = seeds_for(op, arrays, attrs)

    def value() -> float:
        outs = kernel(op, arrays, attrs)
        chosen = outs if op.list_output else [outs[i] for i in op.differentiable if is_float(outs[i])]
        return sum(float(np.sum(seed * out)) for seed, out in zip(seeds, chosen, strict=True))

    found = gradients(op, arrays, attrs, seeds)
    assert found
    for position, gradient in zip(wanted(op, arrays), found, strict=True):
        assert gradient.shape == arrays[position].shape
        np.testing.assert_allclose(gradient, slopes(value, arrays[position]), rtol=1e-6, atol=1e-7)


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
    for array, second in zip(changed, found, strict=True):
        exact = np.zeros(array.shape) if second is None else second.array
        np.testing.assert_allclose(exact, slopes(value, array), rtol=1e-5, atol=1e-6)


@each(DIFFERENTIABLE)
def test_rule_means_the_same_over_arrays_and_over_tensors(op):
    arrays, attrs = example(op)
    seeds = seeds_for(op, arrays, attrs)
    leaves, outs = graph(op, arrays, attrs)
    over_tensors = grad(outs, leaves, [Eager.tensor(seed) for seed in seeds], create_graph=True)
    for one, other in zip(gradients(op, arrays, attrs, seeds), over_tensors, strict=True):
        assert one.dtype == other.array.dtype
        assert one.tobytes() == other.array.tobytes()


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
