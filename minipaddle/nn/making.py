"""Making parameters: what a layer or a user wants, and how the current mode makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core.mode import current
from minipaddle.core.names import numbered
from minipaddle.nn.initializer.base import Initializer, global_initializer
from minipaddle.nn.initializer.fixed import Constant
from minipaddle.nn.initializer.scaled import XavierUniform
from minipaddle.nn.param_attr import ParamAttr, wishes
from minipaddle.nn.parameter import Parameter

__all__ = ["Wish", "make_parameter"]


class Wish(NamedTuple):
    """A parameter that is wanted."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    initializer: Initializer
    attr: ParamAttr

    def drawn(self) -> Parameter:
        """Make it now, with its first value."""
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

    The initializer is, in this order: that of `attr`, the global one, `default_initializer`, Xavier-uniform for weights
    and 0 for biases.

    Args:
        owner: gives the name that the parameter's begins with, if `attr` has none.
        shape: sizes of the axes.
        attr: what the user wrote for ``weight_attr``.
        dtype: its type.
        is_bias: whether it is called ``.b_N`` and starts with 0.
        default_initializer: see above.
    """
    wanted = wishes(attr)
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
    return current.get().new_parameter(Wish(name, sizes, dtype, initializer, wanted))
