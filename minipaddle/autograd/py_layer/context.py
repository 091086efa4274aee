"""PyLayerContext: what a PyLayer's forward tells its backward."""

from __future__ import annotations

from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.eager import current
from minipaddle.core.errors import failure
from minipaddle.core.mode import Saving


class PyLayerContext:
    """The ``ctx`` of one ``apply``: the same object in forward and backward. Set any attributes on it.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/PyLayerContext_en.html)
    """

    # Read by PyLayerCall; set by the methods below.
    _saved: tuple[Any, ...] | None = None
    _packed: bool = False
    _not_inplace: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _materialize_grads: bool = True
    _grad_in_dtype_consistent: bool = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; the last call wins."""
        saving: Saving | None = current.get().saving
        self._packed = saving is not None
        if saving is None:
            self._saved = tensors
            return
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                raise failure(
                    ValueError,
                    "save_for_backward only supports Tensor under saved_tensors_hooks, but got "
                    f"{type(tensor).__name__}.",
                )
        self._saved = tuple([saving.pack(tensor) for tensor in tensors])

    def saved_tensor(self) -> tuple[Any, ...] | None:
        """Return the very tensors that were saved; None if ``save_for_backward`` was never called."""
        if self._packed and self._saved is not None:
            return tuple([pack.open() for pack in self._saved])
        return self._saved

    def mark_not_inplace(self, *tensors: Tensor) -> None:
        """Say of inputs that forward returns as they are: the output shall be a new Tensor."""
        self._not_inplace = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say of outputs that no gradient flows through them; the last call wins."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose what backward receives for an output without gradient: zeros (True, the default) or None.

        Raises:
            TypeError: if `value` is not bool.
        """
        if not isinstance(value, bool):
            raise TypeError(f"set_materialize_grads expects a bool, but received {type(value).__name__}.")
        self._materialize_grads = value

    def set_grad_in_dtype_consistent(self, value: bool) -> None:
        """Choose whether incoming gradients are cast to the dtype of their outputs (True, the default).

        Raises:
            TypeError: if `value` is not bool.
        """
        if not isinstance(value, bool):
            raise TypeError(
                f"set_grad_in_dtype_consistent expects a bool, but received {type(value).__name__}."
            )
        self._grad_in_dtype_consistent = value
