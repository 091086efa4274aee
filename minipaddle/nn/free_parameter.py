"""``paddle.create_parameter``: a parameter outside of any layer."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy
from minipaddle.core.names import unique_name
from minipaddle.nn.making import make_parameter
from minipaddle.nn.param_attr import ParamAttr

__all__ = ["create_parameter"]


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Any:
    """Make a parameter, named ``create_parameter_0.w_0`` and so on unless `name` or `attr` gives a name.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/create_parameter_en.html)

    Args:
        shape: sizes of the axes.
        dtype: a dtype or its name.
        name: its name.
        attr: a ``ParamAttr``.
        is_bias: whether the default value is 0 instead of Xavier-uniform.
        default_initializer: used where `attr` has none.

    Raises:
        TypeError: if **shape** is no list or tuple; for a **dtype** of integers without an initializer.
    """
    if not isinstance(shape, (list, tuple, np.ndarray)):
        raise TypeError(
            "The type of 'shape' in create_parameter must be list, tuple or numpy.ndarray, but received "
            f"{type(shape).__name__}."
        )
    if attr is None and name is not None:
        attr = ParamAttr(name=name)
    chosen = as_numpy(dtype)
    if chosen.kind != "f" and default_initializer is None and getattr(attr, "initializer", None) is None:
        raise TypeError(
            f"The dtype of a parameter without an initializer must be a float type, but received {chosen.name}: "
            "give default_initializer."
        )
    owner = partial(unique_name, "create_parameter")
    return make_parameter(owner, shape, attr, chosen, is_bias, default_initializer)
