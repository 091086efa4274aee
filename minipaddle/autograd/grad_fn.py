"""``tensor.grad_fn``: a look at the tape, in Paddle's names."""

from __future__ import annotations

from minipaddle.autograd.walk import node_of
from minipaddle.core.record import Edge, Node, Record

__all__ = ["GradNode", "grad_fn"]


class GradNode:
    """One node of the backward graph."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def name(self) -> str:
        """``AddGradNode``, ``GradNodePyLayer_cus_tanh``, or ``GradNodeAccumulation`` at a leaf."""
        if not isinstance(self._node, Record):
            return "GradNodeAccumulation"
        title = self._node.op.title
        return f"GradNode{title}" if title.startswith("PyLayer_") else f"{title}GradNode"

    @property
    def next_functions(self) -> list[GradNode | None]:
        """The nodes that this one sends gradients to; None for an input that stops them, and after a leaf."""
        return [grad_fn(edge) for edge in self._node.edges] if isinstance(self._node, Record) else [None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradNode) and other._node is self._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<{self.name()}>"


def grad_fn(edge: Edge | None) -> GradNode | None:
    """Return the node that `edge` leads to; None for a tensor that stops gradients."""
    return None if edge is None else GradNode(node_of(edge))
