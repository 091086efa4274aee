"""The graph as a tree for the terminal: from the root of the backward pass down to the leaves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.viz.glyphs import Glyphs
from minipaddle.viz.graph import Graph
from minipaddle.viz.text import look, shape_text, sparkline

__all__ = ["Row", "tree_rows"]


class Row(NamedTuple):
    """One line: what it is, what its numbers say, where it comes from, what the tape keeps."""

    tree: str
    numbers: str
    where: str
    saved: str


def tree_rows(graph: Graph, trace: Trace, glyphs: Glyphs) -> Iterator[Row]:
    """Yield the rows of the tree; what is used more than once is unfolded where it is met first."""
    made = {
        value.id: trace.events[node.event]
        for node in graph.nodes.values()
        if node.side == "forward" and node.event is not None and node.cluster is None or node.kind == "pylayer"
        for value in _results(trace, trace.events[node.event or 0])
    }
    used = {id_ for event in made.values() for id_ in event.inputs}
    shown: set[int] = set()
    for root in [id_ for id_ in made if id_ not in used]:
        yield from _rows(_Tree(graph, trace, glyphs, made, shown), root, "", "")


class _Tree(NamedTuple):
    graph: Graph
    trace: Trace
    glyphs: Glyphs
    made: dict[int, Event]
    shown: set[int]


def _rows(tree: _Tree, root: int, lead: str, below: str) -> Iterator[Row]:
    """Yield the rows of the value `root` and of what it was made from. A stack, not recursion: chains may be long."""
    stack = [(root, lead, below)]
    while stack:
        id_, lead, below = stack.pop()
        value, event = tree.trace.values[id_], tree.made.get(id_)
        if event is None:
            yield _leaf_row(tree, value, lead)
            continue
        again = event.index in tree.shown
        yield _op_row(tree, value, event, lead, again)
        if again:
            continue
        tree.shown.add(event.index)
        inputs = list(dict.fromkeys(i for i in event.inputs if i is not None))
        for position, child in reversed(list(enumerate(inputs))):
            final = position == len(inputs) - 1
            branch, follow = (tree.glyphs.last, tree.glyphs.blank) if final else (tree.glyphs.branch, tree.glyphs.pipe)
            stack.append((child, below + branch, below + follow))


def _op_row(tree: _Tree, value: Value, event: Event, lead: str, again: bool) -> Row:
    saved = ", ".join(dict.fromkeys(tree.trace.values[id_].name for id_ in event.saved))
    return Row(
        f"{lead}{value.name}  {event.title}  {shape_text(value)}",
        "(see above)" if again else look(value),
        _place(event),
        f"saved: {saved}" if saved and not again else "",
    )


def _leaf_row(tree: _Tree, value: Value, lead: str) -> Row:
    word = "param" if value.kind == "parameter" else "data"
    return Row(f"{lead}{value.name}  {word}  {shape_text(value)}", _gradient_words(tree, value), "", "")


def _gradient_words(tree: _Tree, value: Value) -> str:
    """Say how a leaf's gradient fared: there, all zero, not reached, or not wanted. Never a made-up 0."""
    if value.stop_gradient:
        return "no gradient (stop_gradient)"
    gradient = tree.trace.gradient_of(value.id)
    if gradient is None:
        return "gradient not reached"
    bars = "" if gradient.array is None else sparkline(gradient.array, tree.glyphs.bars)
    return " ".join(filter(None, (f"grad {shape_text(gradient)}", look(gradient), bars)))


def _results(trace: Trace, event: Event) -> list[Value]:
    return [trace.values[id_] for id_ in event.outputs if id_ is not None]


def _place(event: Event) -> str:
    return f"{os.path.basename(event.where.file)}:{event.where.number}" if event.where else ""
