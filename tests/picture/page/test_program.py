"""Every operator that a page can compute: its kernel and its gradients in the browser, on ten other numbers."""

import importlib
import zlib
from contextlib import contextmanager, suppress
from functools import cache

import numpy as np
import pytest

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.operator.plan import Plan
from minipaddle.ops.definition.example import example_of
from minipaddle.ops.definition.traits import is_random
from minipaddle.tools.explain.symbols.mode import read, read_operator
from minipaddle.tools.explain.symbols.page_program.instructions import (
    FUNCTIONS,
    Program,
    Unprintable,
    functions,
    plain,
)
from minipaddle.tools.explain.symbols.page_program.readings import for_any_numbers
from minipaddle.tools.explain.symbols.symbol import Symbol, Unreadable
from minipaddle.tools.explain.symbols.tree import Open, Undecided
from tests.support.process import ROOT

SCRIPT = (ROOT / "minipaddle" / "tools" / "page" / "assets" / "live" / "program.js").read_text(
    encoding="utf-8"
)
RUNNER = """
const program = new Program(instructions);
return edits.map((edit) => {
  for (const [at, numbers] of edit) program.arrays[at].set([numbers].flat().map(exact));
  program.run();
  return wanted.map((at) => [...program.arrays[at]].map(String)); // JSON has no NaN
});
"""
importlib.import_module("minipaddle.engine.tensor.tensor")  # some rules ask whether they are given one
EDITS = 10
CANNOT = (Unprintable, Unreadable, Undecided, AttributeError, TypeError)
OPERATORS = sorted(type for type, op in TABLE.items() if not is_random(op, {}) and not op.updates)

PARTS = [slice(first, None, 8) for first in range(8)]
"""The operators dealt into hands: a test of its own for each would cost more than it looks at."""


def opened(arrays, made=()):
    """Return a program that has these arrays, and what stands for them: floats may change, and whole numbers `made`."""
    program, given = Program(), []
    for number, one in enumerate([*arrays, *made]):
        array = None if one is None else np.asarray(one)
        if array is not None and array.dtype.kind in ("f" if number < len(arrays) else "fi"):
            leaf = Open(f"x{number}", array)
            program.stands_for(leaf, program.numbers(array))
            given.append(Symbol(leaf))
        else:
            given.append(one)
    return program, given


def run(op, inputs, attrs):
    with within(EAGER.reading), np.errstate(all="ignore"):
        made = op.run(*[None if one is None else np.array(one) for one in inputs], **attrs)
    return list(made) if op.multiple else [made]


def rules(op, inputs, outputs, grads, attrs):
    """Return what all rules of an operator give."""
    chosen = [list(grads)] if op.list_output else [grads[place] for place in op.differentiable]
    wanted = [getattr(one, "dtype", np.dtype("b")).kind == "f" for one in inputs]
    plan = Plan(op, wanted)
    return plan.run_some(chosen, plan.save(inputs, outputs if op.multiple else outputs[0], attrs), wanted)


def example(op, seed=0):
    """Return inputs in single precision, as users have them, and attributes."""
    inputs, given = example_of(op, np.random.default_rng([seed, zlib.crc32(op.type.encode())]))
    return [single(one) for one in inputs], {**op.defaults, **given}


def single(one):
    array = None if one is None else np.asarray(one)
    return array.astype("float32") if array is not None and array.dtype.kind == "f" else array


def other_numbers(arrays, seed):
    """Return arrays like these, whose floats are others: those in another order, larger or smaller."""
    rng = np.random.default_rng(seed)
    found = []
    for array in arrays:
        if array is not None and array.dtype.kind == "f" and array.size:
            array = np.asarray(rng.permuted(array) * rng.uniform(0.8, 1.1, array.shape), array.dtype)
        found.append(array)
    return found


SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 1e-38, 1.0, -1.0, 0.5)


def not_finite(op, arrays, seed):
    """Return other numbers with some among them that are zero, infinite, no numbers at all, or about to overflow.

    In which order several are multiplied or added is nothing that a page follows.
    """
    found, rng = other_numbers(arrays, seed), np.random.default_rng(seed)
    for array in found:
        if op.type != "multi_dot" and array is not None and array.dtype.kind == "f" and array.size:
            array.flat[rng.integers(array.size, size=2)] = rng.choice(SPECIAL, 2)
    return found


def edits_of(op, make):
    """Return what `make` gives of other numbers, and of those that are not finite, where the operator takes them."""
    inputs = example(op)[0]
    yield from (make(other_numbers(inputs, seed), seed) for seed in range(EDITS))
    for seed in range(EDITS):
        with suppress(ValueError, ArithmeticError):
            yield make(not_finite(op, inputs, seed), seed)


def check(browser, program, given, answers, edits, wanted):
    """Run a program in the browser, and compare with what Python gives for the same numbers."""
    places = [program.add(one.tree) for one in answers]
    leaves = [(number, program.add(one.tree)) for number, one in enumerate(given) if isinstance(one, Symbol)]
    put = [[[at, plain(arrays[number])] for number, at in leaves] for arrays in edits]
    script = (
        functions(program.functions) + SCRIPT + "const [instructions, edits, wanted] = arguments;" + RUNNER
    )
    found = browser.execute_script(script, program.instructions, put, places)
    assert len(found) == len(wanted)
    for have, want in zip(found, wanted):
        for numbers, array in zip(have, want, strict=True):
            array = np.asarray(array)
            got = np.array([float(one.replace("Infinity", "inf")) for one in numbers]).reshape(array.shape)
            scale = np.max(np.abs(array), initial=0.1, where=np.isfinite(array))
            np.testing.assert_allclose(got, array, rtol=1e-5, atol=1e-5 * scale)


@cache
def kernel_of(op):
    """Return the program of a kernel and its answers; None if a page cannot compute it."""
    inputs, attrs = example(op)
    program, given = opened(inputs)
    if not any(isinstance(one, Symbol) for one in given):
        return None
    try:
        with for_any_numbers():
            found = read_operator(op, tuple(given), attrs).answer
        answers = [one for one in (found if op.multiple else [found]) if isinstance(one, Symbol)]
        for one in answers:
            program.add(one.tree)
    except CANNOT:
        return None
    return program, given, answers


@contextmanager
def naming(op):
    """Let an error say of which operator it is."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"the operator: {op.type}")
        raise


def offered(part=slice(None)):
    """Return the operators, of all or of a part of them, whose kernel a page can compute."""
    return [TABLE[type] for type in OPERATORS[part] if kernel_of(TABLE[type])]


def test_most_operators_are_offered():
    found = {op.type for op in offered()}
    assert len(found) > 180
    assert {
        "matmul_v2",
        "conv2d",
        "layer_norm",
        "einsum",
        "concat",
        "cumsum",
        "erf",
        "where",
        "bce_loss",
    } <= found


@pytest.mark.parametrize("part", PARTS)
def test_the_kernels(chromium, part):
    found = offered(part)
    assert found
    for op in found:
        with naming(op):
            found = list(edits_of(op, lambda arrays, seed, op=op: (arrays, run(op, arrays, example(op)[1]))))
            check(chromium, *kernel_of(op), *zip(*found, strict=True))


def of_gradients(op, arrays, seed):
    """Return what the rules of an operator look at: its inputs, its results, and gradients of these."""
    outputs = [np.asarray(one) for one in run(op, arrays, example(op)[1])]
    rng = np.random.default_rng(seed)
    return arrays, outputs, [np.asarray(rng.uniform(0.2, 0.9, one.shape), one.dtype) for one in outputs]


@cache
def gradients_of(op):
    """Return the program of an operator's gradients and its answers; None if a page cannot compute them."""
    parts = of_gradients(op, other_numbers(example(op)[0], 0), 0)
    arrays, outputs, grads = parts
    program, given = opened(arrays, [*outputs, *grads])
    rest = iter(given)
    try:
        with for_any_numbers():
            found = read(rules, op, *[[next(rest) for _ in part] for part in parts], example(op)[1]).answer
        answers = [one for one in found if one is not None]
        for one in answers:
            program.add(one.tree)
    except CANNOT:
        return None
    return program, given, answers


def differentiable(part=slice(None)):
    """Return those that are offered whose gradients a page can compute."""
    return [op for op in offered(part) if op.rules and gradients_of(op)]


def test_most_operators_that_are_offered_have_gradients():
    assert len(differentiable()) > 150


@pytest.mark.parametrize("part", PARTS)
def test_the_gradients(chromium, part):
    found = differentiable(part)
    assert found
    for op in found:
        with naming(op):
            attrs = example(op)[1]
            edits = list(edits_of(op, lambda arrays, seed, op=op: of_gradients(op, arrays, seed)))
            with within(EAGER.reading), np.errstate(all="ignore"):
                wanted = [[one for one in rules(op, *parts, attrs) if one is not None] for parts in edits]
            flat = [[one for part in parts for one in part] for parts in edits]
            check(chromium, *gradients_of(op), flat, wanted)


def test_every_function_is_one_that_javascript_knows(chromium):
    names = chromium.execute_script(
        functions(FUNCTIONS)
        + "return Object.entries(FUNCTIONS).map(([name, run]) => [name, typeof run(0.5, 1, 1)])"
    )
    assert dict(names).keys() == FUNCTIONS.keys()
    assert {kind for _, kind in names} <= {"number", "boolean"}
