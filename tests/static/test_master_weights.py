"""multi_precision=True in a Program: steps go to a float32 twin of a parameter of 16 bits, as they do eagerly."""

import numpy as np
import pytest

from minipaddle import paddle

OPTIMIZERS = {
    "sgd": lambda **given: paddle.optimizer.SGD(0.001, **given),
    "momentum": lambda **given: paddle.optimizer.Momentum(0.001, weight_decay=0.1, **given),
    "adam": lambda **given: paddle.optimizer.Adam(0.001, **given),
    "adamw": lambda **given: paddle.optimizer.AdamW(0.001, **given),
}
START = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
X = np.full((4, 2), 0.5, "float32")
STEPS = 5


def loss_of(x, w):
    return paddle.sum(paddle.matmul(x, paddle.cast(w, "float32")) ** 2)


def eagerly(make, dtype):
    w = paddle.to_tensor(START).astype(dtype)
    w.stop_gradient = False
    optimizer = make(parameters=[w], multi_precision=True)
    for _ in range(STEPS):
        loss_of(paddle.to_tensor(X), w).backward()
        optimizer.step()
        optimizer.clear_grad()
    return w.astype("float32").numpy()


def as_program(make, dtype):
    """What is left of the weight after some steps, and its twin."""
    static = paddle.static
    initial = paddle.nn.initializer.Assign(START)
    w = static.create_parameter([2, 3], dtype, name="w", default_initializer=initial)
    make(multi_precision=True).minimize(loss_of(static.data("x", [4, 2], "float32"), w))
    shown = paddle.cast(w, "float32")
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for _ in range(STEPS):
        found = exe.run(feed={"x": X}, fetch_list=[shown, "w_fp32_master_0"])
    return found


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_are_those_of_eager_mode(name, building):
    shown, twin = as_program(OPTIMIZERS[name], "float16")
    paddle.disable_static()
    np.testing.assert_array_equal(shown, eagerly(OPTIMIZERS[name], "float16"))
    assert np.abs(twin - shown).max() > 1e-5  # it holds what 16 bits cannot


def test_operators_say_whose_gradient_they_work_on(building):
    static = paddle.static
    w = static.create_parameter([2, 3], "float16", name="w")
    b = static.create_parameter([3], "float32", name="b")
    loss = paddle.sum(paddle.cast(w, "float32")) + paddle.sum(b)
    paddle.optimizer.SGD(0.1, multi_precision=True).minimize(loss)
    told = {op.type: op.attr("op_role_var") for op in static.default_main_program().global_block().ops[-3:]}
    assert told == {"cast": ["w", "w@GRAD"], "sgd": ["w", "w@GRAD"]}
