"""Gradients and optimizers inside the branches of cond: the numbers are those of Paddle 2.6.2."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
X = np.array([1.0, 2.0, 3.0])
pytestmark = pytest.mark.usefixtures("building")


def weight():
    start = paddle.nn.initializer.Constant(1.0)
    return S.create_parameter([3], "float64", name="w", default_initializer=start)


def runs(*fetches, feeds=(X, -X)):
    """Run the startup Program, then the main one for each of the feeds."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [
        [found.tolist() for found in exe.run(feed={"x": feed}, fetch_list=list(fetches))] for feed in feeds
    ]


@pytest.mark.parametrize("outside", [False, True], ids=["its own loss", "a loss made before"])
def test_an_optimizer_trains_in_the_branch_that_runs(outside):
    x, w = S.data("x", [3], "float64"), weight()
    before = paddle.sum(w * w * x)

    def train():
        loss = before if outside else paddle.sum(w * w * x)
        paddle.optimizer.SGD(0.1).minimize(loss)
        return loss

    loss = S.nn.cond(paddle.sum(x) > 0, train, lambda: paddle.sum(w))
    (first, after), (second, unchanged) = runs(loss, w)
    assert first == 6.0
    np.testing.assert_allclose(after, [0.8, 0.6, 0.4])
    assert unchanged == after
    np.testing.assert_allclose(second, 1.8)


def test_two_optimizers_take_turns():
    x, w = S.data("x", [3], "float64"), weight()
    one, other = (
        paddle.optimizer.Momentum(0.1),
        paddle.optimizer.SGD(1.0, grad_clip=paddle.nn.ClipGradByValue(0.5)),
    )
    losses = [paddle.sum(w * x), paddle.sum(w)]
    S.nn.cond(
        paddle.sum(x) > 0,
        lambda: one.minimize(losses[0]) and None,
        lambda: other.minimize(losses[1]) and None,
    )
    (_, after), (_, later) = runs(losses[0], w)
    np.testing.assert_allclose(after, 1 - 0.1 * X)
    np.testing.assert_allclose(later, 0.5 - 0.1 * X)


def test_a_test_clone_trains_no_branch():
    x, w = S.data("x", [3], "float64"), weight()
    loss = paddle.sum(w * x)
    S.nn.cond(paddle.sum(x) > 0, lambda: paddle.optimizer.SGD(0.1).minimize(loss) and None, None)
    S.Executor().run(S.default_startup_program())
    test = S.default_main_program().clone(for_test=True)
    assert S.Executor().run(test, {"x": X}, [w])[0].tolist() == [1.0, 1.0, 1.0]


def test_a_view_made_before_the_branch_keeps_its_value():
    x, w = S.data("x", [3], "float64"), weight()
    view = paddle.reshape(w, [3, 1])
    loss = paddle.sum(w * x)
    S.nn.cond(paddle.sum(x) > 0, lambda: paddle.optimizer.SGD(0.1).minimize(loss) and None, None)
    assert runs(view, feeds=[X]) == [[[[1.0], [1.0], [1.0]]]]


def test_a_gradient_asked_for_in_a_branch_flows_on_through_it():
    x = S.data("x", [3], "float64")
    x.stop_gradient = False
    cube = x * x * x
    chosen = S.nn.cond(paddle.sum(x) > 0, lambda: S.gradients(cube, x)[0], lambda: x)
    assert runs(chosen) == [[[3.0, 12.0, 27.0]], [[-1.0, -2.0, -3.0]]]
