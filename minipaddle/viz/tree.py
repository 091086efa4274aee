"""The graph as a tree for the terminal: from the root of the backward pass down to the leaves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.viz.forward_run import read_by
from minipaddle.viz.glyphs import Glyphs
from minipaddle.viz.labels import details
from minipaddle.viz.model import Graph, Node
from minipaddle.viz.states import ADDED, NOT_REACHED, NOT_RUN, STOPPED
from minipaddle.viz.text import clean, cut_cells, look, shape_text, sparkline

__all__ = ["Row", "tree_lines", "tree_rows"]

_DEEPEST = 10
"""Levels that are shown by their indent; further down, a number stands for those above."""
_GAP = 2
_STYLES = ("", "", "dim", "dim")
_SQUEEZED = (3, 1, 0)  # columns from the least important on: saved, numbers, tree; the place stays
_NARROWEST = 12


class Row(NamedTuple):
    """One line: what it is, what its numbers say, where it comes from, what the tape keeps."""

    tree: str
    numbers: str
    where: str
    saved: str


def tree_lines(
    graph: Graph, trace: Trace, glyphs: Glyphs, width: int | None = None, numbers: bool = True
) -> Iterator[Text]:
    """Yield the tree line by line, its columns aligned, cut to `width` cells and without `numbers` if that is asked."""
    rows = list(tree_rows(graph, trace, glyphs, numbers))
    if not rows:
        return
    columns = list(zip(*rows))
    columns[1] = tuple(row.numbers for row in rows if row.where) or columns[1]
    widths = [max(map(cell_len, column)) for column in columns]
    if width is not None:
        widths = _squeezed(widths, width)
    for row in rows:
        line = Text()
        for cell, cells, style in zip(row, widths, _STYLES):
            if (
                not row.where and cell == row.numbers
            ):  # a leaf: nothing follows, so there is room for its gradient
                line.append(
                    cell if width is None else cut_cells(cell, width - line.cell_len, glyphs.ellipsis)
                )
                break
            if cells:
                line.append(set_cell_size(cut_cells(cell, cells, glyphs.ellipsis), cells + _GAP), style)
        line.rstrip()
        yield line


def _squeezed(widths: Sequence[int], total: int) -> list[int]:
    """Make columns narrower until they fit; the last resort is to leave one out."""
    result = list(widths)
    for least in (_NARROWEST, 0):
        for column in _SQUEEZED:
            surplus = sum(result) + _GAP * (sum(map(bool, result)) - 1) - total
            if surplus > 0:
                result[column] = max(min(least, result[column]), result[column] - surplus)
    return result


def tree_rows(graph: Graph, trace: Trace, glyphs: Glyphs, numbers: bool = True) -> Iterator[Row]:
    """Yield the rows of the tree; what is used more than once is unfolded where it is met first."""
    tree = _Tree(graph, trace, glyphs, numbers)
    for root in tree.roots():
        yield from _rows(tree, root)


@dataclass
class _Tree:
    """What the rows are read from."""

    graph: Graph
    trace: Trace
    glyphs: Glyphs
    numbers: bool
    made: dict[int, Event] = field(init=False)
    """Value -> the operator of the picture that made it."""
    gradients: dict[int, Value] = field(init=False)
    """Leaf -> its gradient when this pass was over: what ``.grad`` holds, or what paddle.grad returned."""
    stores: dict[int | None, Node] = field(init=False)
    """What ``.grad`` holds -> its node."""
    wanting: set[int | None] = field(init=False)
    """Leaves that want a gradient."""
    shown: set[int] = field(default_factory=set)
    """Events that were unfolded."""

    def __post_init__(self) -> None:
        nodes = [
            node for node in self.graph.nodes.values() if node.side == "forward" and node.event is not None
        ]
        events = [
            self.trace.events[node.event]
            for node in nodes
            if node.event is not None and not self._in_a_body(node)
        ]
        self.made = {id_: event for event in events for id_ in event.outputs if id_ is not None}
        self.wanting = {node.value for node in self.graph.nodes.values() if node.kind == "parameter"}
        self.stores = {node.value: node for node in self.graph.nodes.values() if node.kind == "store"}
        self.gradients = {
            value.of: value
            for event in self.trace.of_pass(self.graph.pass_number)
            for id_ in (event.outputs if event.kind == "store" else ())
            if (value := self.trace.value(id_)) is not None and value.of is not None
        }

    def _in_a_body(self, node: Node) -> bool:
        """Whether a node is shown by the PyLayer or loop around it, and is not that itself."""
        bodies = [
            id_ for id_ in self.graph.frames_of(node.cluster) if self.graph.clusters[id_].kind == "body"
        ]
        return any(id_ != f"c{node.event}" for id_ in bodies)

    def roots(self) -> list[int]:
        """Return what backward was started from, then what leads nowhere."""
        seeds = (node.value for node in self.graph.nodes.values() if node.kind == "seed")
        started = (self.trace.values[id_].of for id_ in seeds if id_ is not None)
        roots = [id_ for id_ in started if id_ is not None]
        return list(dict.fromkeys([*roots, *self._aside()]))

    def _aside(self) -> Iterator[int]:
        """Yield the first result of each operator that nothing was made of."""
        events = {event.index: event for event in self.made.values()}
        read = {id_ for event in events.values() for id_ in read_by(self.trace, event)}
        used = {event.index for id_ in read if (event := self.event_of(id_)) is not None}
        for event in events.values():
            made = [id_ for id_ in event.outputs if id_ is not None]
            if made and event.index not in used:
                yield made[0]

    def event_of(self, id_: int) -> Event | None:
        """Return the operator that made a value, also one that is shown as the gradient of an earlier pass."""
        value: Value | None = self.trace.values[id_]
        while value is not None and value.id not in self.made:
            value = self.trace.value(value.source)
        return None if value is None else self.made[value.id]


def _rows(tree: _Tree, root: int) -> Iterator[Row]:
    """Yield the rows of the value `root` and of what it was made from. A stack, not recursion: chains may be long."""
    stack: list[tuple[int, tuple[bool, ...], int]] = [(root, (), 0)]
    while stack:
        id_, lasts, depth = stack.pop()
        value, event = tree.trace.values[id_], tree.event_of(id_)
        lead = _lead(tree.glyphs, lasts, depth)
        if event is None:
            yield _leaf_row(tree, value, lead)
            continue
        again = event.index in tree.shown
        yield _op_row(tree, value, event, lead, again)
        if again:
            continue
        tree.shown.add(event.index)
        inputs = read_by(tree.trace, event)
        for position, child in reversed(list(enumerate(inputs))):
            stack.append((child, (*lasts, position == len(inputs) - 1)[-_DEEPEST:], depth + 1))


def _lead(glyphs: Glyphs, lasts: tuple[bool, ...], depth: int) -> str:
    """Return the lines that lead to a row: for each level above, whether it goes on."""
    if not depth:
        return ""
    lines = "".join(glyphs.blank if last else glyphs.pipe for last in lasts[:-1])
    hidden = f"({depth - _DEEPEST} up)" if depth > _DEEPEST else ""
    return hidden + lines[len(hidden) :] + (glyphs.last if lasts[-1] else glyphs.branch)


def _op_row(tree: _Tree, value: Value, event: Event, lead: str, again: bool) -> Row:
    saved = ", ".join(dict.fromkeys(clean(tree.trace.values[id_].name) for id_ in event.saved))
    return Row(
        f"{lead}{clean(value.name)}  {clean(event.title)}  {shape_text(value)}",
        "(see above)" if again else look(value) if tree.numbers else "",
        _place(event),
        f"saved: {saved}" if saved and not again else "",
    )


def _leaf_row(tree: _Tree, value: Value, lead: str) -> Row:
    kind = "data" if value.id not in tree.wanting else "param" if value.kind == "parameter" else "leaf"
    return Row(
        f"{lead}{clean(value.name)}  {kind}  {shape_text(value)}", _gradient_words(tree, value), "", ""
    )


def _gradient_words(tree: _Tree, value: Value) -> str:
    """Say how a leaf's gradient fared: there, all zero, not reached, or not wanted. Never a made-up 0."""
    gradient = tree.gradients.get(value.id)
    leaf = tree.graph.nodes.get(f"v{value.id}")
    if gradient is None:
        missing = NOT_REACHED if tree.graph.pass_number else NOT_RUN
        return (leaf.state if leaf else "") or (STOPPED if value.stop_gradient else missing)
    if not tree.numbers:
        return f"grad {shape_text(gradient)}"
    stats = gradient.stats
    words = "all zero" if stats.size and stats.zeros == stats.size else look(gradient)
    bars = "" if gradient.array is None else sparkline(gradient.array, tree.glyphs.bars)
    store = tree.stores.get(gradient.id)
    added = f"({details(store)[-1]})" if store is not None and store.state == ADDED else ""
    return " ".join(filter(None, (f"grad {shape_text(gradient)}", words, bars, added)))


def _place(event: Event) -> str:
    return clean(f"{os.path.basename(event.where.file)}:{event.where.number}") if event.where else ""
