"""paddle.base (paddle.fluid): the older names do the same as in Paddle 2.6."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import base
from minipaddle.paddle.base import dygraph


def test_the_engine_by_its_older_names():
    assert base.core.eager.Tensor is base.Tensor is paddle.Tensor
    assert base.core.eager.PyLayer is paddle.autograd.PyLayer
    assert base.framework.EagerParamBase is paddle.nn.Parameter
    assert base.ParamAttr is paddle.ParamAttr
    assert base.in_dygraph_mode()
    assert dygraph.enabled()
    assert not base.core.is_compiled_with_cuda()


def test_a_script_of_paddle_1():
    with dygraph.guard():
        x = dygraph.to_variable(np.array([1.0, 2.0], "float32"), name="x")
        x.stop_gradient = False
        (x * x).sum().backward()
    assert x.name == "x"
    assert x.gradient().tolist() == [2.0, 4.0]


def test_to_variable_goes_by_way_of_an_array():
    assert dygraph.to_variable([1.0]).dtype == paddle.float64
    assert dygraph.to_variable((1, 2)).dtype == paddle.int64
    assert dygraph.to_variable(np.ones(2, "float32"), dtype="float64").dtype == paddle.float64
    assert dygraph.to_variable([1.0]).stop_gradient


def test_to_variable_keeps_a_tensor():
    x = paddle.ones([1])
    assert dygraph.to_variable(x) is x


@pytest.mark.parametrize("value", ["text", 3.0, None])
def test_to_variable_refuses_other_things(value):
    with pytest.raises(
        TypeError, match=r"The type of 'value' must be list, tuple, numpy\.ndarray or paddle\.Tensor"
    ):
        dygraph.to_variable(value)


def test_no_grad_and_grad():
    x = paddle.to_tensor(3.0, stop_gradient=False)
    with dygraph.no_grad():
        assert (x * x).stop_gradient
    assert float(dygraph.grad([x * x], [x])[0]) == 6.0
