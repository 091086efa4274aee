"""What a record keeps for its gradient rules: which array is which input or output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.core.meta import Array
from minipaddle.core.node import Edge, Node, Port
from minipaddle.core.plan import Plan, Source


def kept_of(record: Node) -> list[tuple[Array, Edge | None, int | None]]:
    """Return the arrays that a record keeps: with the edge of the tensor it is of, else with its place as an input."""
    if not isinstance(record.kept, tuple):
        return []  # freed by an earlier backward, or packed by the user's hooks
    if not isinstance(record.plan, Plan):
        tensors: list[tuple[Array, Edge | None, int | None]] = []
        record.plan.connect(record, record.kept, lambda array, edge, *_: tensors.append((array, edge, None)))
        return tensors
    return [
        one for source, value in zip(record.plan.sources, record.kept) for one in _of(record, source, value)
    ]


def _of(record: Node, source: Source, value: Any) -> Iterator[tuple[Array, Edge | None, int | None]]:
    """Yield the arrays of one kept value."""
    if source.kind == "input" and value is not None:
        yield value, record.edges[source.place], source.place
    elif source.kind == "inputs":
        for place, item in enumerate(value, source.place):
            yield item, record.edges[place], place
    elif source.kind == "output" and value is not None:
        edge = Port(record, source.place) if record.metas is not None else record
        yield value, edge, None
