"""Jacobians: a row costs one backward pass, run on its first use."""

import numpy as np
import pytest

from minipaddle import paddle


class Counted(paddle.autograd.PyLayer):
    passes = 0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        Counted.passes += 1
        (x,) = ctx.saved_tensor()
        return dy * x * 2


def test_each_row_is_computed_once_and_when_it_is_asked_for():
    Counted.passes = 0
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    jacobian = paddle.autograd.jacobian(Counted.apply(x), x)
    assert (jacobian.shape, Counted.passes) == ([3, 3], 0)
    np.testing.assert_array_equal(jacobian[1].numpy(), [0, 4, 0])
    assert jacobian[1:, 2].tolist() == [0, 6]
    assert Counted.passes == 2
    np.testing.assert_array_equal(jacobian.numpy(), np.diag([2, 4, 6]))
    assert Counted.passes == 3


def test_a_hessian_in_a_program():
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            x = paddle.static.data("x", [3])
            x.stop_gradient = False
            hessian = paddle.autograd.hessian((x**3).sum(), x)[:]
            feed = {"x": np.array([1, 2, 3], "float32")}
            (found,) = paddle.static.Executor().run(feed=feed, fetch_list=[hessian])
    finally:
        paddle.disable_static()
    np.testing.assert_array_equal(found, np.diag([6, 12, 18]))


def test_a_batch_of_numbers_has_a_row_each():
    x = paddle.to_tensor(np.arange(6.0).reshape(3, 2), stop_gradient=False)
    jacobian = paddle.autograd.jacobian((x * x).sum(-1), x, batch_axis=0)
    assert jacobian.shape == [3, 2]
    np.testing.assert_array_equal(jacobian[:].numpy(), 2 * x.numpy())
    np.testing.assert_array_equal(jacobian[1].numpy(), [4, 6])


@pytest.mark.parametrize("index", [(0, 0, 0), "x", 1.5, ...])
def test_other_indices_are_refused(index):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises((IndexError, TypeError)):
        paddle.autograd.jacobian(x * x, x)[index]
