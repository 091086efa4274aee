"""What-if through PyLayers: their operators run again, also in passes within; what NumPy computed there is lost."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record import load, save
from tests.support.recordings import same_values
from tests.support.runs import Squash


class Recomputed(paddle.autograd.PyLayer):
    """Computes in backward again, in a pass of its own."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return paddle.tanh(a)

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensor()
        b = a.detach()
        b.stop_gradient = False
        with paddle.enable_grad():
            c = paddle.tanh(b)
        c.backward(g)
        return b.grad


def squared(layer, numbers):
    w = paddle.to_tensor(numbers, stop_gradient=False)
    y = layer(w * 2)
    (y * y).sum().backward()


class WithNumPy(paddle.autograd.PyLayer):
    """Computes without operators."""

    @staticmethod
    def forward(ctx, a):
        ctx.y = np.tanh(a.numpy())
        return paddle.to_tensor(ctx.y)

    @staticmethod
    def backward(ctx, g):
        return paddle.to_tensor(g.numpy() * (1 - ctx.y**2))


def around(inner):
    class Around(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, a):
            b = a.detach()
            b.stop_gradient = False
            with paddle.enable_grad():
                c = inner(b) * 3.0
            ctx.pair = b, c
            return c.detach()

        @staticmethod
        def backward(ctx, g):
            b, c = ctx.pair
            (d,) = paddle.grad(c, b, g)
            return d

    return Around.apply


@pytest.mark.parametrize("layer", [Squash.apply, Recomputed.apply, around(around(Squash.apply))])
@pytest.mark.parametrize("from_a_file", [False, True])
def test_a_sum_of_gradients_reaches_the_backward_of_a_py_layer(record, layer, from_a_file, tmp_path):
    trace, wanted = record(lambda: squared(layer, [0.1, -0.4])), record(lambda: squared(layer, [0.2, -0.8]))
    if from_a_file:
        save(trace, tmp_path / "run.mpt")
        trace = load(tmp_path / "run.mpt")
    session = Session(trace)
    fork = Forks(session).set("w", np.array([0.2, -0.8]))
    assert fork.lost == []
    assert same_values(session.trace, wanted)


@pytest.mark.parametrize("layer", [WithNumPy.apply, around(WithNumPy.apply), around(around(WithNumPy.apply))])
def test_what_a_py_layer_computes_with_numpy_is_not_guessed(record, layer):
    session = Session(record(lambda: squared(layer, [0.1, -0.4])))
    fork = Forks(session).set("w", np.array([0.2, -0.8]))
    assert "WithNumPy.forward: what it computes outside of paddle's operators (NumPy, say)" in fork.lost
    assert "events that need" in fork.lost[-1]
    session.goto("end")
    assert session.made("y@GRAD").array is None
    assert session.made("w.grad").array is None
