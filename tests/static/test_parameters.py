"""Parameters of Programs: where they live, their first values, and how layers take them."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import initializer as I

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")

INITIALIZERS = {
    "Constant": (I.Constant(2.0), "fill_constant"),
    "Assign": (I.Assign(np.arange(6.0).reshape(2, 3)), "assign_value"),
    "Uniform": (I.Uniform(-2.0, 3.0), "uniform_random"),
    "Normal": (I.Normal(1.0, 2.0), "gaussian_random"),
    "TruncatedNormal": (I.TruncatedNormal(), "truncated_gaussian_random"),
    "XavierUniform": (I.XavierUniform(), "uniform_random"),
    "XavierNormal": (I.XavierNormal(), "gaussian_random"),
    "KaimingUniform": (I.KaimingUniform(), "uniform_random"),
    "KaimingNormal": (I.KaimingNormal(), "gaussian_random"),
    "Orthogonal": (I.Orthogonal(), "orthogonal_random"),
}


@pytest.mark.parametrize("name", INITIALIZERS)
def test_startup_draws_the_numbers_that_eager_execution_draws(name):
    initializer, kind = INITIALIZERS[name]
    w = S.create_parameter([2, 3], "float32", default_initializer=initializer)
    startup = S.default_startup_program()
    assert [op.type for op in startup.global_block().ops] == [kind]
    paddle.seed(5)
    exe = S.Executor()
    exe.run(startup)
    found = np.array(S.global_scope().find_var(w.name).get_tensor())
    paddle.seed(5)
    assert np.array_equal(found, initializer.draw((2, 3), np.dtype("float32")))


def test_a_layer_called_in_a_sub_block_makes_global_parameters():
    main = S.default_main_program()
    with main.in_block(main.new_block()):
        layer = paddle.nn.Linear(3, 2)
    assert [p.name for p in main.global_block().all_parameters()] == ["linear_0.w_0", "linear_0.b_0"]
    assert layer.weight.block is main.global_block()
    assert not main.block(1).vars


def test_a_function_of_the_user_can_be_the_initializer():
    def sevens(variable, block):
        block.append_op(
            type="fill_constant",
            outputs={"Out": variable},
            attrs={"shape": list(variable.shape), "dtype": variable.dtype, "value": 7.0},
        )

    w = S.create_parameter([2], "float32", attr=paddle.ParamAttr(initializer=sevens))
    exe = S.Executor()
    exe.run(S.default_startup_program())
    assert exe.run(fetch_list=[w])[0].tolist() == [7, 7]


def test_an_initializer_can_be_called_with_a_block():
    startup = S.default_startup_program().global_block()
    variable = startup.create_var(name="v", shape=[2], dtype="float32", persistable=True)
    I.Constant(3.0)(variable, startup)
    S.Executor().run(S.default_startup_program())
    assert np.array(S.global_scope().find_var("v").get_tensor()).tolist() == [3, 3]


def test_a_prefix_stands_once():
    with paddle.utils.unique_name.guard("pre_"):
        assert paddle.nn.Linear(2, 2).weight.name == "pre_linear_0.w_0"


def test_variables_are_buffers_and_parameters_of_layers():
    layer = paddle.nn.Layer()
    layer.register_buffer("total", S.create_global_var([1], 0.0, "float32", persistable=True))
    layer.add_parameter("w", S.create_parameter([1], "float32"))
    assert [b.name for b in layer.buffers()] == [layer.total.name]
    assert [p.name for p in layer.parameters()] == [layer.w.name]
    with pytest.raises(TypeError, match="should be a Parameter"):
        layer.add_parameter("x", S.data("x", [1]))
