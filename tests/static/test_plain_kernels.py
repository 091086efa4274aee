"""A gradient Operator computes the same by its readable method as by the compiled function, to the bit."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import static
from minipaddle.paddle.static.gradient.grad_operator import GradOperator

F = paddle.nn.functional
CASES = {
    "an output is kept": lambda x, y: paddle.tanh(x),
    "an attribute": lambda x, y: paddle.pow(x, 3.0) * paddle.scale(y, 2.0, 1.0),
    "one input is repeated": lambda x, y: x * y[0:1] + y,
    "both are": lambda x, y: x[0:1] - y[:, 0:1],
    "the shape comes in a slot": lambda x, y: paddle.reshape(x, [-1]) * paddle.flatten(y),
    "a list of inputs": lambda x, y: paddle.concat([x, y, x], 0),
    "a list of outputs, one without a gradient": lambda x, y: paddle.meshgrid(x[0], y[0])[0],
    "an output without a gradient": lambda x, y: F.softmax_with_cross_entropy(
        x, F.softmax(y), soft_label=True
    ),
    "optional inputs": lambda x, y: F.layer_norm(x, [4]),
    "sums over an axis": lambda x, y: paddle.sum(x, 1) * paddle.mean(y, 1),
    "maxima, also of equal numbers": lambda x, y: paddle.max(paddle.maximum(x, y), 0),
    "matrices": lambda x, y: paddle.matmul(x, y, transpose_y=True),
}


def gradients(case, rows, equal):
    rng = np.random.default_rng(3)
    draw = (
        (lambda: np.full((rows, 4), 0.5, "float32"))
        if equal
        else (lambda: rng.random((rows, 4)).astype("float32"))
    )
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x, y = static.data("x", [-1, 4], "float32"), static.data("y", [-1, 4], "float32")
        x.stop_gradient = y.stop_gradient = False
        out = CASES[case](x, y)
        found = [one for one in static.gradients([out], [x, y]) if one is not None]
    return static.Executor().run(main, {"x": draw(), "y": draw()}, found)


@pytest.mark.parametrize("equal", [False, True], ids=["drawn", "equal"])
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("case", CASES)
def test_both_ways_agree(building, monkeypatch, case, rows, equal):
    quick = gradients(case, rows, equal)
    asked = []
    monkeypatch.setattr(GradOperator, "compiled", None)
    compute = GradOperator.compute
    monkeypatch.setattr(GradOperator, "compute", lambda op, *values: asked.append(op) or compute(op, *values))
    plain = gradients(case, rows, equal)
    assert asked
    assert quick
    for one, other in zip(quick, plain, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
