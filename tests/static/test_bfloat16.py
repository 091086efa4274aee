"""bfloat16 in Programs: code 22, uint16 in and out, as Paddle 2.6.2 has it (which cuts off where 3.3.1 rounds)."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.core.dtype.bfloat16 import from_numpy
from minipaddle.paddle import static
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program

pytestmark = pytest.mark.usefixtures("building")
BITS = np.array([[16256, 16416], [16457, 49280]], "uint16")  # 1, 2.5, 3.140625, -4


def test_a_program_and_its_gradient():
    program = static.default_main_program()
    x = static.data("x", [2, 2], "bfloat16")
    x.stop_gradient = False
    y = x * x
    filled = paddle.full([2], 1.3, "bfloat16")
    loss = paddle.sum(paddle.cast(y, "float32"))
    (grad,) = static.gradients([loss], [x])
    assert "var x@GRAD : LOD_TENSOR.shape(2, 2).dtype(bfloat16).stop_gradient(False)" in str(program)
    assert "cast(inputs={X=['tmp_0']}, in_dtype = 22," in str(program)
    found = static.Executor().run(program, feed={"x": BITS}, fetch_list=[y, filled, grad])
    assert [one.dtype for one in found] == [np.uint16] * 3
    assert from_numpy(found[0]).tolist() == [[1.0, 6.25], [9.875, 16.0]]
    assert found[1].tolist() == [16294, 16294]
    assert found[2].tolist() == [[16384, 16544], [16585, 49408]]
    with pytest.raises(ValueError, match="must be 'uint16', but received 'float32'"):
        static.Executor().run(program, feed={"x": np.ones((2, 2), "float32")}, fetch_list=[y])


def test_a_parameter_that_is_trained(tmp_path):
    program = static.default_main_program()
    x = static.data("x", [2, 2], "bfloat16")
    weight = static.create_parameter(
        [2, 2], "bfloat16", default_initializer=paddle.nn.initializer.Constant(1.3)
    )
    loss = paddle.sum(x * weight)
    paddle.optimizer.SGD(0.1).minimize(loss)
    executor = static.Executor()
    executor.run(static.default_startup_program())
    _, trained = executor.run(program, feed={"x": BITS}, fetch_list=[loss, weight])
    assert trained.tolist() == [[16281, 16262], [16252, 16345]]
    path = str(tmp_path / "model")
    static.save(program, path)
    executor.run(static.default_startup_program())
    static.load(program, path, executor)
    held = static.global_scope().find_var(weight.name).get_tensor()
    assert np.array(held).tolist() == trained.tolist()


def test_a_program_in_a_file():
    program = static.default_main_program()
    paddle.assign(paddle.static.data("x", [2], "bfloat16"))
    paddle.full([2], 1.3, "bfloat16")
    assert str(program_from_text(text_of_program(program))[0]) == str(program)
