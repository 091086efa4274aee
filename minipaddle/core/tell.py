"""Tell: what a mode that is watched is told of, where the engine does something that is no verb of a mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from minipaddle.core.node import AccumulateGrad, AnyNode, Edge, Node, Side

BodyKind = Literal["forward", "backward", "hook"]
PassKind = Literal["store", "pick"]
"""What becomes of the gradients of a backward pass: ``backward`` stores them in ``.grad``, ``grad`` returns them."""
At = tuple[AnyNode, int | None]
"""Where a body of the user's code stands: a node and the number of its output; None: all of its outputs."""

TurnKind = Literal["stop_gradient=True", "stop_gradient=False", "detach_"]
"""What takes a Tensor out of the graph, or into it."""

TOLD: list[object] = []
"""Who watches now. What is called so often that looking for the mode would cost time looks first if this is empty."""


class Named(Protocol):
    """What has a name to show."""

    @property
    def name(self) -> str:
        """The name."""


class Tell(Protocol):
    """What a mode that is watched is told of, where the engine does something that is no verb of a mode.

    Tensors are told by the objects themselves: two that hold equal numbers, or one array, are two.
    """

    def began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """A backward pass begins with `seeds`; `given` are the user's Tensors that they were copied from, or None."""

    def ended(self, error: BaseException | None) -> None:
        """It is over, with all that was done with its gradients."""

    def add(self, edge: Edge, so_far: Any, new: Any) -> Any:
        """Return the sum of two gradients that arrive over `edge`."""

    def stored(self, leaf: AccumulateGrad, tensor: Any, before: Any, after: Any) -> None:
        """The ``.grad`` of a tensor holds the Tensor `after`: the gradient of `leaf`, added to `before` if not None."""

    def picked(self, edge: Edge, tensor: Any) -> None:
        """``paddle.grad`` returns `tensor`: the gradient that passed `edge`."""

    def retained(self, edge: Edge, tensor: Any) -> None:
        """The ``.grad`` of an interior tensor holds `tensor`: the gradient that passed `edge`."""

    def kept(self, record: Node, side: Side, place: int, tensor: Any) -> None:
        """`tensor` was made anew of what `record` keeps of one of its inputs or outputs."""

    def shares(self, new: Any, old: Any) -> None:
        """The Tensor `new` was made over the memory of `old`, and holds what that holds."""

    def read(self, tensor: Any, how: str, given: Any = None) -> None:
        """The numbers of a Tensor go to Python, as the NumPy array `given` if they do as one."""

    def turned(self, tensor: Any, how: TurnKind) -> None:
        """Whether a Tensor wants a gradient has been decided by no operator."""

    def copied(self, tensor: Any, data: Any) -> None:
        """``to_tensor`` has made a Tensor of `data`: a Tensor, an array or what Python has."""

    def trains(self, parameters: Sequence[Any]) -> None:
        """An optimizer was made for these parameters."""
