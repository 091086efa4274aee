"""Parameter: a Tensor that is learned."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.tensor.tensor import Tensor


class Trainable:
    """The settings of a parameter, eager or of a Program, for its training. Layers register its instances."""

    name: str
    stop_gradient: bool
    is_buffer: bool = False
    """Whether it is a layer's own state that is not trained, such as the averages of a BatchNorm."""

    is_distributed: bool = False
    optimize_attr: dict[str, Any]
    """Its factor for the optimizer's learning rate."""
    regularizer: Any
    """Its own decay."""
    need_clip: bool
    """Whether gradient clipping applies to it."""

    @property
    def trainable(self) -> bool:
        """Whether it requires gradient: the opposite of ``stop_gradient``."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise ValueError(f"The type of trainable MUST be bool, but the type is {type(value).__name__}")
        self.stop_gradient = not value


class Parameter(Trainable, Tensor):
    """A leaf Tensor that belongs to a layer and that an optimizer changes.

    ``paddle.base.framework.EagerParamBase``; made by :meth:`minipaddle.paddle.nn.Layer.create_parameter` and by
    ``paddle.create_parameter``.

    Args:
        array: its first value.
        name: such as ``linear_0.w_0``.
        trainable: whether it requires gradient.
        learning_rate: factor for the optimizer's learning rate.
        regularizer: a decay of its own.
        need_clip: whether gradient clipping applies to it.
    """

    __slots__ = ()

    def __init__(
        self,
        array: Any,
        name: str | None = None,
        trainable: bool = True,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        need_clip: bool = True,
    ) -> None:
        super().__init__(array)
        if name is not None:
            self.name = name
        self.persistable = True
        self.optimize_attr = {"learning_rate": learning_rate}
        self.regularizer, self.need_clip = regularizer, need_clip
        self.stop_gradient = not trainable

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        """Return a parameter with the same value and settings, a new name, and no gradient."""
        copied = memo[id(self)] = Parameter(
            self.array.copy(),
            unique_name(f"{self.name}_deepcopy"),
            self.trainable,
            self.optimize_attr["learning_rate"],
            self.regularizer,
            self.need_clip,
        )
        return copied

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    __str__ = __repr__


EagerParamBase = Parameter
