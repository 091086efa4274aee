"""What a record keeps for its gradient rules: which array is which input or output."""

from __future__ import annotations

from minipaddle.core.meta import Array
from minipaddle.core.node import Edge, Node, Port, Side


def kept_of(record: Node) -> list[tuple[Array, Edge | None, int | None]]:
    """Return the arrays that a record keeps: with the edge of the tensor it is of, else with its place as an input."""
    if not isinstance(record.kept, tuple):
        return []  # freed by an earlier backward, or packed by the user's hooks
    found: list[tuple[Array, Edge | None, int | None]] = []

    def note(array: Array, edge: Edge | None, side: Side, place: int) -> None:
        if side == "output":  # also of a by-product, which no gradient reaches
            found.append((array, record if record.metas is None else Port(record, place), None))
        else:
            found.append((array, edge, place))

    record.plan.connect(record, record.kept, note)
    return found
