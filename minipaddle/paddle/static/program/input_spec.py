"""InputSpec: the shape and dtype of an argument of a traced function."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.dtype import DType, dtype_of
from minipaddle.engine.value.meta import Meta
from minipaddle.paddle.static.program.block import meta_from


class InputSpec:
    """Shape, dtype and name of an argument.

    Args:
        shape: sizes; None or -1 for sizes that differ between calls.
        name: the placeholder's name; by default the argument's.
    """

    def __init__(
        self, shape: Any, dtype: Any = "float32", name: str | None = None, stop_gradient: bool = False
    ) -> None:
        self.meta: Meta = meta_from(shape, dtype)
        self.name = name
        self.stop_gradient = stop_gradient

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes, -1 where unknown."""
        return self.meta.shape

    @property
    def dtype(self) -> DType:
        """Data type."""
        return dtype_of(self.meta)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> InputSpec:
        """Return the InputSpec of a Tensor."""
        return cls(list(tensor.shape), tensor.dtype, name or tensor.name)

    @classmethod
    def from_numpy(cls, ndarray: Any, name: str | None = None) -> InputSpec:
        """Return the InputSpec of an array."""
        return cls(list(ndarray.shape), ndarray.dtype, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and (self.meta, self.name) == (other.meta, other.name)

    def __hash__(self) -> int:
        return hash((self.meta, self.name))

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={self.name}, "
            f"stop_gradient={self.stop_gradient})"
        )
