"""PyLayerContext: what a PyLayer's forward tells its backward."""

from __future__ import annotations

import weakref
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.mode.mode import Saving
from minipaddle.engine.tape.node import Node
from minipaddle.engine.tensor.grad_mode import Pack
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.walk.walk import node_of


class SavedOutput(weakref.ref[Tensor]):
    """An output of forward that it saved: the Tensor as long as that lives, and then one like it."""

    __slots__ = ("array", "node", "port")
    array: Array
    node: weakref.ref[Node]
    port: int | None
    """Which output of the call it is; None if there is one."""

    def open(self) -> Tensor:
        """Return it, at its place in the graph."""
        tensor = self()
        if tensor is None:
            tensor = Tensor(self.array)
            own: Any = self.node()
            tensor.edge = own if self.port is None else (own, self.port)
        return tensor


class PyLayerContext:
    """The ``ctx`` of one ``apply``: the same object in forward and backward. Set any attributes on it.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/PyLayerContext_en.html)
    """

    # Read by PyLayerCall; set by the methods below.
    _saved: tuple[Any, ...] | None = None
    _closed: bool = False
    """Whether something saved must be opened: it is held weakly, or a hook of the user's has packed it."""
    _not_inplace: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _materialize_grads: bool = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; the last call wins."""
        saving: Saving | None = mode_now().saving
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
        self._saved, self._closed = tuple([saving.pack(tensor) for tensor in tensors]), True

    def saved_tensor(self) -> tuple[Any, ...] | None:
        """Return the very tensors that were saved; None if ``save_for_backward`` was never called."""
        saved = self._saved
        if saved is None or not self._closed:
            return saved
        return tuple([one.open() if isinstance(one, (SavedOutput, Pack)) else one for one in saved])

    def let_go_of(self, node: weakref.ref[Node]) -> None:
        """Hold those of the saved tensors weakly that lead to the node of the call, for that holds this."""
        own, saved = node(), self._saved or ()
        for place, one in enumerate(saved):
            if isinstance(one, Tensor) and node_of(one.edge) is own:
                weak = SavedOutput(one)
                weak.array, weak.node = one.array, node
                weak.port = one.edge[1] if type(one.edge) is tuple else None
                self._saved, self._closed = (*saved[:place], weak, *saved[place + 1 :]), True
                saved = self._saved

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
