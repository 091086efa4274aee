"""One gradient by hand in four ways: it passes where |z| <= 1, though a sign has none. Runs on Paddle 2.6, too."""

import numpy as np
import paddle
from paddle.autograd import PyLayer

X = np.array([0.5, -2.0, 1.5, -0.25], "float32")


# 1. PyLayer: methods on Tensors, called in every run. The debugger steps into them.
class Sign(PyLayer):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return paddle.sign(z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * (paddle.abs(z) <= 1).astype(dy.dtype)


def eager(function):
    z = paddle.to_tensor(X, stop_gradient=False)
    function(z).sum().backward()
    return z.grad.numpy()


answers = {"PyLayer": eager(Sign.apply)}

# 2. The same class under to_static: called once with Variables, kept as Blocks of a Program.
answers["to_static"] = eager(paddle.jit.to_static(lambda z: Sign.apply(z)))

paddle.enable_static()


def program(function):
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        z = paddle.static.data("z", [4], "float32")
        z.stop_gradient = False
        (gradient,) = paddle.static.gradients(function(z), z)
    return paddle.static.Executor().run(main, feed={"z": X}, fetch_list=[gradient])[0]


# 3. static_pylayer: two functions of Variables. Nothing is saved by itself: backward sees z because it can.
def with_static_pylayer(z):
    def backward(dy):
        return dy * paddle.cast(paddle.abs(z) <= 1, "float32")

    return paddle.static.nn.static_pylayer(paddle.sign, [z], backward)


answers["static_pylayer"] = program(with_static_pylayer)


# 4. py_func: functions of arrays, called in every run as Python: NumPy and print are at hand.
def sign(z):
    return np.sign(np.asarray(z))


def sign_backward(z, y, dy):
    return np.asarray(dy) * (np.abs(np.asarray(z)) <= 1)


def with_py_func(z):
    y = paddle.static.default_main_program().current_block().create_var(name="y", shape=[4], dtype="float32")
    return paddle.static.py_func(sign, z, y, sign_backward)


answers["py_func"] = program(with_py_func)

for door, answer in answers.items():
    print(f"{door:15}", answer)
    assert np.array_equal(answer, [1, 0, 0, 1])
