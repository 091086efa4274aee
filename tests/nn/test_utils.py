"""paddle.nn.utils: clipping by hand, and parameters as one vector."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn


def with_gradients(*gradients):
    parameters = nn.ParameterList([nn.Layer().create_parameter([len(g)]) for g in gradients])
    for parameter, gradient in zip(parameters, gradients):
        parameter.grad = paddle.to_tensor(np.array(gradient, "float32"))
    return list(parameters)


def test_a_name_that_is_not_there_names_itself_and_its_neighbour():
    with pytest.raises(AttributeError, match=r"paddle.nn.Linaer.*paddle.nn.Linear"):
        nn.Linaer
    with pytest.raises(AttributeError, match=r"paddle.nn.functional.sofmax.*softmax"):
        nn.functional.sofmax
