"""paddle.nn.utils: clipping by hand, and parameters as one vector."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.nn import utils


def with_gradients(*gradients):
    parameters = nn.ParameterList([nn.Layer().create_parameter([len(g)]) for g in gradients])
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = paddle.to_tensor(np.array(gradient, "float32"))
    return list(parameters)


def test_clip_grad_norm():
    a, b = with_gradients([3.0, 0.0], [0.0, 4.0])
    norm = utils.clip_grad_norm_([a, b], 1.0)
    assert float(norm) == 5
    assert a.grad.tolist() == pytest.approx([0.6, 0])
    assert b.grad.tolist() == pytest.approx([0, 0.8])
    utils.clip_grad_norm_([a, b], 2.0)
    assert b.grad.tolist() == pytest.approx([0, 0.8])
    assert float(utils.clip_grad_norm_(with_gradients([3.0, -4.0]), 1.0, float("inf"))) == 4


def test_a_norm_that_is_not_finite():
    (a,) = with_gradients([float("nan")])
    with pytest.raises(RuntimeError, match="non-finite"):
        utils.clip_grad_norm_(a, 1.0, error_if_nonfinite=True)


def test_clip_grad_value():
    (a,) = with_gradients([3.0, -0.5])
    utils.clip_grad_value_(a, 1.0)
    assert a.grad.tolist() == [1, -0.5]


def test_parameters_as_a_vector():
    layer = nn.Linear(2, 2)
    vector = utils.parameters_to_vector(layer.parameters())
    assert vector.shape == [6]
    utils.vector_to_parameters(vector + 1, layer.parameters())
    np.testing.assert_array_equal(utils.parameters_to_vector(layer.parameters()).numpy(), vector.numpy() + 1)


def test_a_name_that_is_not_there_names_itself_and_its_neighbour():
    with pytest.raises(AttributeError, match=r"paddle.nn.Linaer.*paddle.nn.Linear"):
        nn.Linaer
    with pytest.raises(AttributeError, match=r"paddle.nn.functional.sofmax.*softmax"):
        nn.functional.sofmax
