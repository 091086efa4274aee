"""The cells of strips as parts of a page: each knows its round, its norm and the node that it stands for."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from minipaddle.tools.picture.draw.cells import id_of, level_of
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.model.strips import LEVELS, Cell, Strips, strips_of


def with_cells(root: ET.Element, graph: Graph, svg: str) -> None:
    """Turn the cells of a drawing, which Graphviz makes links of, into groups of shapes with a class and their data.

    Args:
        root: the drawing.
        graph: what it is of.
        svg: the name space of its elements, in braces.
    """
    strips = strips_of(graph)
    known = {
        id_of(node, place): cell for node, cells in strips.of.items() for place, cell in enumerate(cells)
    }
    for group in root.iter(f"{svg}g"):
        cell = known.get(group.get("id", "").removeprefix("a_"))
        if cell is not None:
            _describe(group, cell, strips, svg)


def _describe(group: ET.Element, cell: Cell, strips: Strips, svg: str) -> None:
    """Give a group its class, its title and its data; a link around its shape goes."""
    shapes = [shape for shape in group.iter() if shape.tag in (f"{svg}polygon", f"{svg}rect")]
    for child in list(group):
        group.remove(child)
    title = ET.SubElement(group, f"{svg}title")
    title.text = cell.words
    group.extend(shapes)
    group.attrib.pop("id")
    group.set("class", f"cell level-{level_of(cell, strips.scale)}")
    for name, said in zip(("of", "round", "norm"), data_of(cell)):
        group.set(f"data-{name}", said)


def data_of(cell: Cell) -> list[str]:
    """Return the node that a cell stands for, its round or rounds, and its norm, where that is known."""
    rounds = str(cell.first) if cell.first == cell.last else f"{cell.first}-{cell.last}"
    return [cell.of, rounds, *([] if math.isnan(cell.norm) else [f"{cell.norm:.4g}"])]


def rules() -> str:
    """Return the CSS rules of cells: their colours lie between those of the scale of the theme that is chosen."""
    mixed = (
        f".level-{level}>*{{fill:color-mix(in srgb,var(--scale-high) {100 * level // LEVELS}%,var(--scale-low))}}\n"
        for level in range(LEVELS + 1)
    )
    named = {"zero": "paper", "bad": "alarm-fill", "unknown": "frame"}
    return "".join(mixed) + "".join(
        f".level-{level}>*{{fill:var(--{name})}}\n" for level, name in named.items()
    )
