"""``ctx`` of a PyLayer: forward leaves in it what backward needs. Next: :mod:`minipaddle.engine.custom.py_layer`."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.tensor.tensor import Tensor


class PyLayerContext:
    """The ``ctx`` of one ``apply``: the same object in forward and backward. Set any attributes on it."""

    # Read by PyLayerCall; set by the methods below.
    _saved: Any = None
    """A tuple; a list if a user's hooks have packed it."""
    _not_inplace: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _materialize_grads: bool = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; the last call replaces earlier ones."""
        saving = mode_now().saving
        if saving is None:
            self._saved = tensors
            return
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                what = type(tensor).__name__
                raise invalid(
                    f"save_for_backward only supports Tensor under saved_tensors_hooks, but got {what}."
                )
        self._saved = [saving.pack(tensor) for tensor in tensors]

    def saved_tensor(self) -> tuple[Any, ...] | None:
        """Return the saved tensors themselves; None if ``save_for_backward`` was never called."""
        saved = self._saved
        return tuple([one.open() for one in saved]) if type(saved) is list else saved

    def mark_not_inplace(self, *tensors: Tensor) -> None:
        """Mark inputs that forward returns unchanged: the output becomes a new Tensor."""
        self._not_inplace = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Mark outputs without gradient; the last call replaces earlier ones."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose what backward receives for an output without gradient: zeros (True, the default) or None.

        Raises:
            TypeError: if `value` is not bool.
        """
        if not isinstance(value, bool):
            raise TypeError(f"set_materialize_grads expects a bool, but received {type(value).__name__}.")
        self._materialize_grads = value
