"""Making parameters: the settings that a layer or a user gives, and creation by the current mode."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.extension_point import Point
from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.initializer.initializer import Initializer
from minipaddle.paddle.nn.initializer.xavier_kaiming import XavierUniform
from minipaddle.paddle.nn.parameter.parameter import Parameter

named_after = Point("named_after")
"""A ``with`` block in which the outputs of a Program's operators begin with a name: given by static."""


def named_as(layer: Any) -> AbstractContextManager[Any]:
    """Return a ``with`` block in which outputs of a Program's operators are named after a layer, as its parameters."""
    found: AbstractContextManager[Any] = (
        nullcontext() if current.get().dynamic else named_after(layer.full_name())
    )
    return found


class ParamAttr:
    """How to make a parameter (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/ParamAttr_en.html).

    Args:
        name: its name; None: made from the layer's name.
        initializer: an instance of ``paddle.nn.initializer``.
        learning_rate: factor for the optimizer's learning rate.
        regularizer: its own decay.
        trainable: whether it requires gradient.
        do_model_average: kept for scripts that set it.
        need_clip: whether gradient clipping applies to it.
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        if name == "":
            raise ValueError("name of ParamAttr can not be empty str")
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip


def as_param_attr(attr: Any) -> ParamAttr | None:
    """Return the user's ``weight_attr`` as a ParamAttr; None for no parameter (False).

    Raises:
        TypeError: **cast to ParamAttr**, for anything but None, True, False, a name, an initializer or a
            ParamAttr.
    """
    if attr is False:
        return None
    if attr is None or attr is True:
        return ParamAttr()
    if isinstance(attr, ParamAttr):
        return attr
    if isinstance(attr, str):
        return ParamAttr(name=attr)
    if callable(attr) and not isinstance(attr, type):
        return ParamAttr(initializer=attr)
    raise TypeError(
        f"{type(attr)} cast to ParamAttr: expected None, False, a name, an initializer such as "
        "paddle.nn.initializer.Constant(0.0), or paddle.ParamAttr(...)"
    )


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


_global: list[Any] = [None, None]


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Set the initializers of parameters that are given none, from here on; None: back to the default."""
    for one in (weight_init, bias_init):
        if one is not None and not isinstance(one, Initializer):
            raise TypeError(f"an initializer is expected, but got {type(one).__name__}")
    _global[:] = [weight_init, bias_init]


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
        or _global[is_bias]
        or default_initializer
        or (Constant(0.0) if is_bias else XavierUniform())
    )
    name = wanted.name or numbered(f"{owner()}.{'b' if is_bias else 'w'}")
    sizes = tuple(int(size) for size in shape)
    spec = ParameterSpec(name, sizes, dtype, initializer, wanted)
    mode: Any = current.get()
    if mode.dynamic:
        return spec.drawn()
    while isinstance(mode, Around):
        mode = mode.inner
    return mode.new_parameter(spec)


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
