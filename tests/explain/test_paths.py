"""A gradient is the sum over all paths from the loss of the products of local derivatives."""

from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minipaddle
from minipaddle import paddle
from minipaddle.tools.explain.local import Names
from minipaddle.tools.explain.paths import MOST, explain_paths
from tests.support.recordings import recorded

ONE = {
    "sin": paddle.sin, "tanh": paddle.tanh, "square": paddle.square, "relu": paddle.nn.functional.relu,
    "softmax": lambda x: paddle.nn.functional.softmax(x, -1), "sum": lambda x: x.sum(),
    "T": lambda x: x.T if x.ndim == 2 else x * 2,
}  # fmt: skip
TWO = {
    "add": lambda x, y: x + y, "multiply": lambda x, y: x * y, "divide": lambda x, y: x / (2 + y * y),
    "matmul": lambda x, y: x @ y if x.ndim and y.ndim else x * y,
}  # fmt: skip
PLACE = st.integers(0, 9)
STEP = st.one_of(st.tuples(st.sampled_from([*ONE]), PLACE), st.tuples(st.sampled_from([*TWO]), PLACE, PLACE))


@given(steps=st.lists(STEP, min_size=1, max_size=5), shape=st.sampled_from([(), (1,), (2, 2)]), seed=PLACE)
def test_the_products_of_all_paths_add_up_to_the_gradient(steps, shape, seed):
    chance = np.random.default_rng(seed)
    with minipaddle.record() as run:
        leaves = [paddle.to_tensor(chance.normal(size=shape), stop_gradient=False) for _ in "xy"]
        pool = [*leaves]
        for name, *places in steps:
            pool.append((ONE | TWO)[name](*(pool[place % len(pool)] for place in places)))
        pool[-1].sum().backward()
    stores = [event for event in run.trace.events if event.kind == "store"]
    assert len(stores) == sum(leaf.grad is not None for leaf in leaves)
    for store in stores:
        (gradient,) = run.trace.known(store.outputs)
        for spot in np.ndindex(gradient.shape):
            found = explain_paths(run.trace, gradient, spot)
            assert not any("does more than multiply" in line for line in found.says)
            if len(found.paths) < MOST:
                total = sum(prod(step.number for step in path) for path in found.paths)
                np.testing.assert_allclose(total, gradient.array[spot], rtol=1e-6, atol=1e-9)


def run_of(code):
    return recorded(lambda: exec(compile(code, "/nowhere/script.py", "exec"), {"paddle": paddle, "np": np}))


def test_letters_formulas_and_numbers_of_a_shared_leaf():
    run = run_of("x = paddle.to_tensor(2.0, stop_gradient=False)\nb = paddle.sin(x)\nL = b * x\nL.backward()")
    assert minipaddle.why(run, "x --paths") == [
        "∂L/∂x = 0.07700, the sum over 2 paths".replace("0.07700", f"{np.sin(2.0) + 2 * np.cos(2.0):.4g}"),
        "numbers  ∂L/∂b ⋅ ∂b/∂x = x ⋅ cos(x) = 2 ⋅ (-0.4161) = -0.8323",
        "         ∂L/∂x = b = 0.9093",
    ]


def test_a_pass_that_differentiates_a_gradient_of_another_pass_has_a_name():
    run = run_of(
        "x = paddle.to_tensor(-1.0, stop_gradient=False)\nL = -x\nL.backward()\n"
        "x.grad.stop_gradient = False\nx.grad.backward()"
    )
    assert Names(run).of(run.values[-1]) == "∂(∂L/∂x)/∂(∂L/∂x)"
    assert minipaddle.why(run, "x --paths")[1:] == ["numbers  ∂L/∂x = -1"]


@pytest.mark.parametrize("length", [3, 4, 40])
def test_more_than_twelve_paths_are_counted(length):
    run = run_of(
        f"x = y = paddle.to_tensor(1.0, stop_gradient=False)\nfor _ in range({length}): y = y + y\ny.backward()"
    )
    found = minipaddle.why(run, "x --paths")
    assert f"{2**length} paths" in found[0]
    assert len([line for line in found if "∂x" in line]) == 1 + min(2**length, MOST)
    assert any(f"{2**length - MOST} more paths" in line for line in found) is (2**length > MOST)


def test_a_rule_that_does_not_multiply_is_told():
    code = """
class Clip(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x): return x * 1
    @staticmethod
    def backward(ctx, dy): return paddle.clip(dy, -1.0, 1.0)
x = paddle.to_tensor(1.0, stop_gradient=False)
(Clip.apply(x) * 5).backward()
"""
    assert "recorded is 1: a rule on the way does more than multiply" in minipaddle.why(
        run_of(code), "x --paths"
    )


@pytest.mark.parametrize("given", [0.0, 2.0])
@pytest.mark.parametrize("times", [0, 3])
def test_paths_go_through_the_blocks_of_a_program(given, times):
    run = run_of(
        "paddle.enable_static()\nx = paddle.static.data('x', [2])\nx.stop_gradient = False\n"
        "y = paddle.static.nn.cond(x.sum() > -1.0, lambda: x * x, lambda: x * 2)\n"
        "k = paddle.full([1], 0, 'int64')\n"
        f"_, y = paddle.static.nn.while_loop(lambda k, y: k < {times}, lambda k, y: [k + 1, y + x * x], [k, y])\n"
        "g = paddle.static.gradients([y.sum()], [x])\n"
        f"paddle.static.Executor().run(feed={{'x': np.full([2], {given}, 'float32')}}, fetch_list=g)\n"
        "paddle.disable_static()\n"
    )
    store = next(event for event in run.events if event.kind == "store")
    found = explain_paths(run, run.values[store.outputs[0]], (1,))
    assert len(found.says) == 1
    assert found.says[0].endswith(f" = {2 * given * (1 + times):g}, the sum over {2 * (1 + times)} paths")
