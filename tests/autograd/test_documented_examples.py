"""The examples in Paddle's documentation of PyLayer and its context, with the documented results."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.autograd import PyLayer


class Squash(PyLayer):
    """tanh, the function and the one in its derivative given as arguments."""

    @staticmethod
    def forward(ctx, x, function, inner=paddle.square):
        ctx.inner = inner
        y = function(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - ctx.inner(y))


@pytest.mark.parametrize("options", [{}, {"inner": lambda y: y * y}])
def test_a_tanh_of_ones_own(leaf, options):
    mine, plain = (leaf(np.linspace(-2, 2, 6).reshape(2, 3), "float64") for _ in range(2))
    z = Squash.apply(mine, function=paddle.tanh, **options)
    z.mean().backward()
    paddle.tanh(plain).mean().backward()
    assert mine.grad.dtype == paddle.float64
    np.testing.assert_allclose(mine.grad.numpy(), plain.grad.numpy(), rtol=1e-12)


def test_inputs_handed_through_two_layers_twice(leaf):
    class Pass(PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_not_inplace(x)
            return x

        @staticmethod
        def backward(ctx, dy):
            return dy.exp()

    x = leaf([[0.25]])
    stack = [Pass(), Pass()]
    for step in (1, 2):
        a = x
        for one in stack:
            a = one.apply(a)
        a.backward()
        np.testing.assert_allclose(x.grad.numpy(), [[step * np.exp(np.exp(1))]], rtol=1e-5)
    assert x.tolist() == [[0.25]]


def test_one_output_without_gradient(leaf):
    seen = []

    class Two(PyLayer):
        @staticmethod
        def forward(ctx, x):
            first, second = x + x, x + x + x
            ctx.mark_non_differentiable(first)
            return first, second

        @staticmethod
        def backward(ctx, dfirst, dsecond):
            seen.append((dfirst.numpy(), dsecond.numpy()))
            return dsecond

    x = leaf([1.0], "float64")
    first, second = Two.apply(x)
    assert (first.stop_gradient, second.stop_gradient) == (True, False)
    second.sum().backward()
    assert seen == [(np.zeros(1), np.ones(1))]
    assert x.grad.item() == 1


@pytest.mark.parametrize("materialize", [True, False])
def test_gradients_of_unused_outputs(leaf, materialize):
    seen = []

    class Two(PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(materialize)
            return x + x + x, x + x

        @staticmethod
        def backward(ctx, dfirst, dsecond):
            seen.append(dsecond)
            return dfirst

    x = leaf([1.0], "float64")
    Two.apply(x)[0].backward()
    assert x.grad.item() == 1
    if materialize:
        assert seen[0].tolist() == [0]
        assert seen[0].dtype == paddle.float64
    else:
        assert seen == [None]
