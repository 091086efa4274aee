"""Making parameters: the specification by a layer or a user, and creation by the current mode."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.extension_point import Point
from minipaddle.engine.mode.eager import current
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.initializer.initializer import Initializer, global_initializer
from minipaddle.paddle.nn.initializer.xavier_kaiming import XavierUniform
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr, as_param_attr
from minipaddle.paddle.nn.parameter.parameter import Parameter

parameter_of_program = Point("a parameter of a Program")
"""Make what a ParameterSpec describes in the Program that is built."""
named_after = Point("named_after")
"""A ``with`` block in which the outputs of a Program's operators begin with a name: given by static."""


def named_as(layer: Any) -> AbstractContextManager[Any]:
    """Return a ``with`` block in which outputs of a Program's operators are named after a layer, as its parameters."""
    found: AbstractContextManager[Any] = (
        nullcontext() if current.get().dynamic else named_after(layer.full_name())
    )
    return found


class ParameterSpec(NamedTuple):
    """A parameter to be made."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    initializer: Initializer
    attr: ParamAttr

    def drawn(self) -> Parameter:
        """Return the new parameter, initialized."""
        attr = self.attr
        array = self.initializer.draw(self.shape, self.dtype)
        return Parameter(
            array, self.name, attr.trainable, attr.learning_rate, attr.regularizer, attr.need_clip
        )


def make_parameter(
    owner: Callable[[], str],
    shape: Any,
    attr: Any,
    dtype: np.dtype[Any],
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Any:
    """Make a parameter of the current mode; None, if `attr` is False.

    The initializer is, in this order: the one of `attr`, the global one, `default_initializer`,
    Xavier-uniform for weights and 0 for biases.

    Args:
        owner: gives the name that the parameter's begins with, if `attr` has none.
        shape: sizes of the axes.
        attr: the user's ``weight_attr``.
        dtype: its type.
        is_bias: whether it is named ``.b_N`` and starts with 0.
        default_initializer: see above.
    """
    wanted = as_param_attr(attr)
    if wanted is None:
        return None
    initializer = (
        wanted.initializer
        or global_initializer(is_bias)
        or default_initializer
        or (Constant(0.0) if is_bias else XavierUniform())
    )
    name = wanted.name or numbered(f"{owner()}.{'b' if is_bias else 'w'}")
    sizes = tuple(int(size) for size in shape)
    spec = ParameterSpec(name, sizes, dtype, initializer, wanted)
    if not current.get().dynamic:
        return parameter_of_program(spec)
    return spec.drawn()


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
