"""What a PyLayer's backward does with what forward saved, in every way in which a Program can use a Variable."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
X = np.array([0.5, 1.0, 2.0])
T = np.tanh(X)
pytestmark = pytest.mark.usefixtures("building")


def counter():
    return paddle.zeros([1], "int64")


def by_append_op(d, t, p):
    block = S.default_main_program().current_block()
    out = block.create_var(shape=[3], dtype="float64")
    block.append_op("tanh", {"X": t}, {"Out": out})
    return out


def by_py_func(d, t, p):
    out = S.default_main_program().current_block().create_var(shape=[3], dtype="float64")
    return S.py_func(lambda a, b: a * b, [t, d], out)


WAYS = {
    "an operator": (lambda d, t, p: t * d, T),
    "the answer": (lambda d, t, p: t, T),
    "a condition": (lambda d, t, p: S.nn.cond(p, lambda: t * d, lambda: d), T),
    "the result of a branch": (lambda d, t, p: S.nn.cond(p, lambda: t, lambda: d), T),
    "a loop variable": (
        lambda d, t, p: S.nn.while_loop(lambda i, t: i < 2, lambda i, t: [i + 1, t * t], [counter(), t])[1],
        T**4,
    ),
    "the result of a loop": (
        lambda d, t, p: S.nn.while_loop(lambda i, a: i < 2, lambda i, a: [i + 1, t], [counter(), d * 1.0])[1],
        T,
    ),
    "static_pylayer": (lambda d, t, p: S.nn.static_pylayer(lambda a: a * 2.0, [t], lambda g: g), 2 * T),
    "Print": (lambda d, t, p: S.Print(t, print_phase="backward") * d, T),
    "append_op": (by_append_op, np.tanh(T)),
    "py_func": (by_py_func, T),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_saved_can_be_used_as(way):
    backward_fn, expected = WAYS[way]

    class Layer(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            t = paddle.tanh(x)
            ctx.save_for_backward(t, paddle.sum(t) > 0)
            return t * 2.0

        @staticmethod
        def backward(ctx, d):
            return backward_fn(d, *ctx.saved_tensor())

    x = S.data("x", [3], "float64")
    x.stop_gradient = False
    (grad,) = S.gradients(Layer.apply(x), x)
    np.testing.assert_allclose(S.Executor().run(feed={"x": X}, fetch_list=[grad])[0], expected)


def test_backward_fn_may_not_use_what_forward_fn_computed():
    x = S.data("x", [3], "float64")
    x.stop_gradient = False
    computed = []

    def forward_fn(a):
        computed.append(paddle.tanh(a))
        return computed[0] * 2.0

    with pytest.raises(ValueError, match="backward_fn uses 'tanh_0") as raised:
        S.nn.static_pylayer(forward_fn, [x], lambda d: d * computed[0])
    assert "lambda d: d * computed[0]" in str(raised.value)
    assert S.default_main_program().num_blocks == 1
