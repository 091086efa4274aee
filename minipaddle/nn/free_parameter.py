"""``paddle.create_parameter``: a parameter outside of any layer."""

from __future__ import annotations

from typing import Any

from minipaddle.nn.layer import Layer
from minipaddle.nn.param_attr import ParamAttr
from minipaddle.nn.parameter import Parameter

__all__ = ["create_parameter"]


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter | None:
    """Make a parameter, named ``create_parameter_0.w_0`` and so on unless `name` or `attr` gives a name.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/create_parameter_en.html)

    Args:
        shape: sizes of the axes.
        dtype: a dtype or its name.
        name: its name.
        attr: a ``ParamAttr``.
        is_bias: whether the default value is 0 instead of Xavier-uniform.
        default_initializer: used where `attr` has none.
    """
    if attr is None and name is not None:
        attr = ParamAttr(name=name)
    return Layer(name_scope="create_parameter").create_parameter(
        shape, attr, dtype, is_bias, default_initializer
    )
