"""paddle.base (paddle.fluid): the older names do the same as in Paddle 2.6."""

from minipaddle import paddle
from minipaddle.paddle import base


def test_the_engine_by_its_older_names():
    assert base.Tensor is paddle.Tensor
    assert base.framework.EagerParamBase is paddle.nn.Parameter
    assert base.ParamAttr is paddle.ParamAttr
    assert base.in_dygraph_mode()
