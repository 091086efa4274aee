"""static.nn: normalisations."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.ops.nn.norm import layer_norm as layer_norm_operator
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr
from minipaddle.paddle.static.build import layer
from minipaddle.paddle.static.nn.common import NewLayer, activated
from minipaddle.paddle.static.program import Variable

_ONES = Constant(1.0)


def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Variable:
    """Make scale, shift and running averages, and normalise every channel; see ``paddle.nn.functional.batch_norm``.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    new = NewLayer("batch_norm", input, name)
    x = new.x
    size = [x.shape[-1 if data_layout.endswith("C") else 1]]
    scale = new.parameter(size, param_attr, default_initializer=_ONES)
    shift = new.parameter(size, bias_attr, is_bias=True)
    mean, variance = (
        new.parameter(size, ParamAttr(name=given, initializer=Constant(start), trainable=False))
        for given, start in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    )
    with layer(new.name):
        y = F.batch_norm(
            x, mean, variance, scale, shift, not is_test, momentum, epsilon, data_layout, use_global_stats or None
        )  # fmt: skip
        return activated(y, act)


def layer_norm(
    input: Any,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Make scale and shift, and normalise over all axes from `begin_norm_axis` on.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    new = NewLayer("layer_norm", input, name)
    x = new.x
    size = [math.prod(x.shape[begin_norm_axis:])]
    weight = new.parameter(size, param_attr, default_initializer=_ONES) if scale else None
    bias = new.parameter(size, bias_attr, is_bias=True) if shift else None
    with layer(new.name):
        y = layer_norm_operator(x, weight, bias, begin_norm_axis=begin_norm_axis, epsilon=epsilon)[0]
        return activated(y, act)
