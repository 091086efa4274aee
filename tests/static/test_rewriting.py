"""Variables that are written more than once: by ``assign(x, output)``, by loops, in branches."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within

S = paddle.static
X = np.array([1.0, 2.0, 3.0])
pytestmark = pytest.mark.usefixtures("building")


@pytest.fixture
def x(building):
    given = S.data("x", [3], "float64")
    given.stop_gradient = False
    return given


def run(*fetches):
    return S.Executor().run(feed={"x": X}, fetch_list=list(fetches))


def test_assign_writes_a_variable_that_lets_gradients_pass(x):
    h = x * 1.0
    paddle.assign(h * 3.0, h)
    found, grad = run(h, *S.gradients(h, x))
    assert found.tolist() == [3.0, 6.0, 9.0]
    assert grad.tolist() == [3.0, 3.0, 3.0]


def test_the_gradient_of_what_was_computed_before_a_variable_was_written_over(x):
    h = x * 1.0
    y = h * h
    paddle.assign(y, h)
    z = h * h
    (grad,) = run(*S.gradients([y, z], x))
    np.testing.assert_allclose(grad, 2 * X + 4 * X**3)


def test_the_second_gradient_too(x):
    h = x * 1.0
    y = h * h * h
    (first,) = S.gradients(y, x)
    paddle.assign(h * 100.0, h)
    (second,) = S.gradients(first, x)
    np.testing.assert_allclose(run(second)[0], 6 * X)


@pytest.mark.parametrize("before", [paddle.tanh, lambda x: x * x, lambda x: x * 1.0])
def test_a_loop_does_not_spoil_the_gradient_of_what_made_its_variables(x, before):
    h = before(x)
    beside = h * h
    i = paddle.zeros([1], "int64")
    _, h = S.nn.while_loop(lambda i, h: i < 2, lambda i, h: [i + 1, h * h], [i, h])
    (grad,) = run(*S.gradients([h, beside], x))
    with within(EAGER):
        given = paddle.to_tensor(X, stop_gradient=False)
        made = before(given)
        (expected,) = paddle.grad([made * made * made * made, made * made], given)
    np.testing.assert_allclose(grad, expected.numpy())


def test_a_variable_that_a_block_used_and_that_is_written_later(x):
    h, w = x * 1.0, x * 2.0
    i, j = paddle.zeros([1], "int64"), paddle.zeros([1], "int64")
    _, h = S.nn.while_loop(lambda i, h: i < 2, lambda i, h: [i + 1, h * w], [i, h])
    chosen = S.nn.cond(paddle.mean(x) > 0, lambda: w * w, lambda: w)
    _, w = S.nn.while_loop(lambda j, w: j < 2, lambda j, w: [j + 1, w * 2.0], [j, w])
    (grad,) = run(*S.gradients([h, chosen], x))
    np.testing.assert_allclose(grad, 12 * X**2 + 8 * X)


def test_a_loop_variable_that_is_written_in_the_middle_of_its_body(x):
    def body(i, h):
        before = h * h
        paddle.assign(h * 3.0, h)
        return [i + 1, h * h + before]

    i = paddle.zeros([1], "int64")
    _, h = S.nn.while_loop(lambda i, h: i < 1, body, [i, x * 1.0])
    (grad,) = run(*S.gradients(h, x))
    np.testing.assert_allclose(grad, 20 * X)


def test_a_branch_that_writes_over_what_it_used(x):
    h = x * 1.0

    def write():
        y = h * h
        paddle.assign(y, h)
        return h * h

    z = S.nn.cond(paddle.mean(x) > 0, write, lambda: h)
    (grad,) = run(*S.gradients(z, x))
    np.testing.assert_allclose(grad, 4 * X**3)


def test_copies_for_gradients_are_not_part_of_what_is_tested(x):
    h = x * 1.0
    y = h * h
    paddle.assign(y, h)
    before = str(S.default_main_program())
    S.append_backward(paddle.sum(y))
    kept = S.default_main_program().clone(for_test=True)
    assert [op.type for op in kept.global_block().ops] == [
        "scale", "elementwise_mul", "assign", "reduce_sum"
    ]  # fmt: skip
    assert "VERSION" not in before + str(kept)


def test_two_loop_variables_that_start_as_the_same_one(x):
    start = x * 1.0
    _, double, triple = S.nn.while_loop(
        lambda i, a, b: i < 2,
        lambda i, a, b: [i + 1, a * 2.0, b * 3.0],
        [paddle.zeros([1], "int64"), start, start],
    )
    found = run(double, triple, *S.gradients([double, triple], x))
    np.testing.assert_allclose(found, [4 * X, 9 * X, np.full(3, 13.0)])


def test_a_loop_in_a_branch_over_what_a_later_loop_writes_over(x):
    """The gradient of the first finds the values of its iterations, not the copy for what stands around it."""
    h = x * 1.0

    def squared(h):
        count = paddle.zeros([1], "int64")
        return S.nn.while_loop(lambda i, h: i < 1, lambda i, h: [i + 1, h * h], [count, h])[1]

    S.nn.cond(paddle.mean(x) > 0, lambda: squared(h), lambda: h)
    (grad,) = run(*S.gradients(squared(h), x))
    np.testing.assert_allclose(grad, 4 * X**3)
