"""An SVG, from whichever engine, as a part of the page: ids of its own, roles as classes, names for screen readers."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from minipaddle.tools.page.cells import with_cells
from minipaddle.tools.page.colours import width_class
from minipaddle.tools.picture.draw.chips import with_chips
from minipaddle.tools.picture.draw.theme import EDGES, THEMES, role_of
from minipaddle.tools.picture.draw.widths import widths
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.picture.model.labels import tooltip
from minipaddle.tools.words.language import say, spoken

_SVG = "http://www.w3.org/2000/svg"
ET.register_namespace("", _SVG)


def embed(svg: str, view: str, graph: Graph, layout: str = "mirror", share_safe: bool = False) -> str:
    """Return an SVG text as an element of a page that shows several of them: node f7 gets the id ``view.f7``.

    A chip is the node that it stands for, in another place.
    """
    root = ET.fromstring(svg)
    graph = with_chips(graph, layout)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.set("role", "group")
    root.set("aria-label", f"{graph.title}, {spoken(graph.subtitle)}")
    with_cells(root, graph, f"{{{_SVG}}}")
    _unlink(root)
    _undress(root)
    _own_markers(root, view)
    wides = widths(graph, THEMES["light"])  # other themes take them back
    edges = {f"e{number}": (place, edge) for place, (number, edge) in enumerate(graph.drawn_edges())}
    for group in root.iter(f"{{{_SVG}}}g"):
        id_ = group.get("id")
        if id_ is None:
            continue
        group.set("id", f"{view}.{id_}")
        if id_ in graph.nodes:
            node = graph.nodes[id_]
            words = spoken(node.heading) if share_safe else tooltip(node)
            chipped = " chipped" if node.chip else ""
            _describe(group, f"node role-{role_of(node, not share_safe)}{chipped}", words)
            group.set("data-node", (node.stands_for or node).id)
            group.set("tabindex", "0")
            group.set("role", "button")
            group.set("aria-label", spoken(node.heading))
        elif id_ in edges:
            place, edge = edges[id_]
            group.set("id", f"{view}.e{place}")
            meaning = say(EDGES[edge.kind].meaning)
            label = "" if share_safe and edge.kind == "gradient" else spoken(edge.label)
            wide = f" {width_class(wides[number])}" if (number := int(id_[1:])) in wides else ""
            _describe(group, f"edge kind-{edge.kind}{wide}", f"{meaning}: {label}" if label else meaning)
            tail = graph.nodes[edge.tail]
            group.set("data-tail", (tail.stands_for or tail).id)
            group.set("data-head", edge.head)
        elif id_ in graph.clusters:
            _describe(group, "frame", spoken(graph.clusters[id_].title))
            group.set("data-frame", id_)
    return ET.tostring(root, encoding="unicode")


def _describe(group: ET.Element, classes: str, words: str) -> None:
    """Give a group its classes, and a title that browsers show and read out."""
    group.set("class", classes)
    for title in group.findall(f"{{{_SVG}}}title"):
        group.remove(title)
    title = ET.Element(f"{{{_SVG}}}title")
    title.text = words
    group.insert(0, title)


def _unlink(root: ET.Element) -> None:
    """Take out what Graphviz makes of tooltips: links around shapes, in groups of their own."""
    for parent in list(root.iter()):
        for place, child in reversed(list(enumerate(parent))):
            link = next(iter(child), None)
            if child.get("id", "").startswith("a_") and link is not None and link.tag == f"{{{_SVG}}}a":
                parent.remove(child)
                for inner in reversed(list(link)):
                    parent.insert(place, inner)


def _undress(root: ET.Element) -> None:
    """Take out fonts and colours: they are in the style sheet, and would be a third of the page."""
    heads = {part for marker in root.iter(f"{{{_SVG}}}marker") for part in marker}
    for shape in root.iter():
        for name in ("font-family", "stroke", "fill"):
            if shape.get(name) != "none" and shape not in heads:
                shape.attrib.pop(name, None)


def _own_markers(root: ET.Element, view: str) -> None:
    """Give the heads of arrows ids that no other view has."""
    for marker in root.iter(f"{{{_SVG}}}marker"):
        marker.set("id", f"{view}.{marker.get('id')}")
    for path in root.iter(f"{{{_SVG}}}path"):
        url = path.get("marker-end")
        if url is not None:
            path.set("marker-end", url.replace("#", f"#{view}."))
