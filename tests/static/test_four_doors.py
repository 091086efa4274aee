"""One custom rule through four doors gives the same gradients; docs/custom-gradients.md has the table."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.record import Recorder

S = paddle.static
X = np.linspace(-2.0, 2.0, 7)  # float64


class Tanh(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - y * y)


def of_eager(function):
    """First and second derivative of a function of Tensors."""
    x = paddle.to_tensor(X, stop_gradient=False)
    (first,) = paddle.grad(function(x), x, create_graph=True)
    (second,) = paddle.grad(first, x)
    return first.numpy(), second.numpy()


def of_program(function):
    """First and second derivative of a function of Variables."""
    with within(EAGER):
        paddle.enable_static()
        program = S.Program()
        with S.program_guard(program):
            x = S.data("x", [7], "float64")
            x.stop_gradient = False
            (first,) = S.gradients(function(x), x)
            (second,) = S.gradients(first, x)
        answers = S.Executor().run(program, {"x": X}, [first, second])
        paddle.disable_static()
        return answers


def pylayer():
    return of_eager(Tanh.apply)


def pylayer_under_to_static():
    return of_eager(paddle.jit.to_static(lambda x: Tanh.apply(x)))


def static_pylayer():
    def build(x):
        def backward(dy):
            y = paddle.tanh(x)
            return dy * (1 - y * y)

        return S.nn.static_pylayer(paddle.tanh, [x], backward)

    return of_program(build)


def tanh_grad(x, y, dy):
    return dy * (1 - y * y)


def tanh_grad_grad(x, y, dy, dx, ddx):
    return np.zeros_like(x), -2 * y * dy * ddx, (1 - y * y) * ddx


def py_func():
    def build(x):
        out = S.default_main_program().current_block().create_var(name="y", shape=[7], dtype="float64")
        return S.py_func(np.tanh, x, out, backward)

    def backward(x, y, dy):
        return tanh_grad(x, y, dy)

    backward.backward_func = tanh_grad_grad
    return of_program(build)


@pytest.mark.parametrize("door", [pylayer, pylayer_under_to_static, static_pylayer, py_func])
def test_both_derivatives_are_right(door):
    first, second = door()
    t = np.tanh(X)
    np.testing.assert_allclose(first, 1 - t * t, rtol=1e-12)
    np.testing.assert_allclose(second, -2 * t * (1 - t * t), rtol=1e-12)


def test_the_first_derivative_is_the_same_to_the_bit():
    firsts = [door()[0] for door in (pylayer, pylayer_under_to_static, static_pylayer, py_func)]
    assert len({first.tobytes() for first in firsts}) == 1


def test_the_second_derivative_is_the_same_where_paddle_writes_it():
    seconds = [door()[1] for door in (pylayer, pylayer_under_to_static)]
    assert seconds[0].tobytes() == seconds[1].tobytes()
    np.testing.assert_allclose(static_pylayer()[1], seconds[0], rtol=1e-14, atol=1e-16)


def test_without_a_backward_of_its_own_the_second_derivative_of_py_func_says_what_is_missing():
    def build(x):
        out = S.default_main_program().current_block().create_var(name="y", shape=[7], dtype="float64")
        return S.py_func(np.tanh, x, out, tanh_grad)

    with pytest.raises(RuntimeError, match=r"tanh_grad\.backward_func"):
        of_program(build)
    paddle.disable_static()


# -- promises that each door keeps ------------------------------------------------------------------------------------


class Moody(paddle.autograd.PyLayer):
    """Its backward raises the first time."""

    raises = True

    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, dy):
        if Moody.raises:
            raise ValueError("not in the mood")
        return dy * 3


def by_py_func(x):
    def backward(x, y, dy):
        return Moody.backward(None, np.asarray(dy))

    block = S.default_main_program().current_block()
    out = block.create_var(name=f"out_of_{x.name}", shape=[7], dtype="float64")
    return S.py_func(lambda x: np.asarray(x) * 3, x, out, backward)


@pytest.mark.parametrize("door", [Moody.apply, paddle.jit.to_static(lambda x: by_py_func(x))])
def test_after_an_error_of_the_users_backward_the_graph_is_there(door):
    Moody.raises = True
    x = paddle.to_tensor(X, stop_gradient=False)
    y = (door(x) * x).sum()
    with pytest.raises((OSError, ValueError), match="not in the mood"):
        y.backward()
    assert x.grad is None
    Moody.raises = False
    y.backward()
    assert np.allclose(x.grad, 6 * X)


@pytest.mark.parametrize("door", [Tanh.apply, paddle.jit.to_static(lambda x: paddle.tanh(x).tanh())])
def test_what_is_kept_goes_through_the_users_hooks(door):
    x, seen = paddle.to_tensor(X, stop_gradient=False), []

    def pack(tensor):
        seen.append(tensor.numpy())
        return tensor.numpy()

    with paddle.autograd.saved_tensors_hooks(pack, lambda array: paddle.to_tensor(array * 0)):
        y = door(x)
    y.sum().backward()
    assert any(np.array_equal(one, np.tanh(X)) for one in seen)
    assert x.grad.tolist() == [1.0] * 7  # of zeros tanh has the slope 1


def test_a_recording_calls_a_node_of_to_static_as_the_tape_does():
    recorder = Recorder()
    with watching(recorder):
        x = paddle.to_tensor(X, stop_gradient=False)
        y = paddle.jit.to_static(lambda x: paddle.tanh(x))(x)
        y.sum().backward()
    told = [event.op for event in recorder.finish().events if "run_program" in event.op]
    assert told == ["run_program", "run_program_grad"]
    assert y.grad_fn.name() == "RunProgramGradNode"
