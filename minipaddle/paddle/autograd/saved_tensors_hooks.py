"""saved_tensors_hooks: the user's functions to pack and unpack the tensors saved for backward.

The engine asks a mode for its `saving` (engine/mode/mode.py) and passes it the saved values of a node to pack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.mode.eager import Arrays, current, run_inside, within
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tape.node import Edge, Node, Side
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array


class _Packed:
    """Saved values, packed by the user's `pack`; opening them calls `unpack`."""

    def __init__(self, node: Node, saved: tuple[Any, ...], hooks: saved_tensors_hooks) -> None:
        def pack(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
            tensor = Tensor(array)
            for one in current.get().tell:
                one.kept(node, side, place, tensor)
            return hooks.pack(tensor)

        self._saved = node.plan.connect(node, saved, pack)

    def open(self, node: Node) -> tuple[Any, ...]:
        """Return the values that `unpack` returns."""
        return tuple([_opened(value) for value in self._saved])


class Pack:
    """One packed tensor."""

    def __init__(self, content: Any, unpack: Callable[[Any], Any]) -> None:
        self.content = content
        self.unpack = unpack

    def open(self) -> Tensor | None:
        """Return the result of `unpack`.

        Raises:
            ValueError: **Tensor**, if that is anything else.
        """
        mode = current.get()
        inside = mode.inner if isinstance(mode, Arrays) else mode  # user code works on Tensors
        tensor = run_inside(inside, self.unpack, self.content)
        if tensor is None or isinstance(tensor, Tensor):
            return tensor
        raise _not_a_tensor(type(tensor).__name__)


def _opened(value: Any) -> Any:
    """Return a saved value with its packed arrays unpacked."""
    if type(value) in (list, tuple):
        return type(value)([_opened(item) for item in value])
    if not isinstance(value, Pack):
        return value
    tensor = value.open()
    if tensor is None:
        raise _not_a_tensor("None")
    return tensor.array


def _not_a_tensor(found: str) -> ValueError:
    return invalid(f"The unpack hook of saved_tensors_hooks must return Tensor, but returned {found}.")


class saved_tensors_hooks(within):
    """Sets how tensors are saved for backward: ``with saved_tensors_hooks(pack, unpack):``.

    Within the block, ``pack(tensor)`` is called for every tensor that the tape keeps, and its result is passed to
    ``unpack`` when backward needs the tensor.

    Raises:
        ValueError: **only one pair of hooks**, if blocks are nested.
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        super().__init__()
        self.pack_hook = pack_hook
        self.unpack = unpack_hook

    def pack(self, tensor: Tensor | None) -> Pack:
        """Pack one tensor."""
        return Pack(self.pack_hook(tensor), self.unpack)

    def pack_saved(self, node: Node, saved: tuple[Any, ...]) -> Any:
        """Pack a node's saved values."""
        return _Packed(node, saved, self)

    def enter(self) -> Mode:
        """Return the current mode with these hooks.

        Raises:
            ValueError: **only one pair of hooks**.
        """
        mode = current.get()
        if mode.saving is not None:
            raise invalid("paddle.autograd.saved_tensors_hooks allows only one pair of hooks at a time.")
        Node.meets_user_code = True
        return mode.with_saving(self)
