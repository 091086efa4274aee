"""Applies the options of a picture (tools/picture/choices.py) to a graph: the nodes shown."""

import re
from dataclasses import replace

from minipaddle.tools.picture.choices import BadOption, Options
from minipaddle.tools.picture.fitting import SCREEN, Room, as_opened, meant_by
from minipaddle.tools.picture.model.collapse import close_matching
from minipaddle.tools.picture.model.focus import matching, near, only, sums_last, texts_of
from minipaddle.tools.picture.model.graph import Graph, bytes_kept
from minipaddle.tools.picture.model.labels import without_looks
from minipaddle.tools.words.language import phrase, phrases
from minipaddle.tools.words.numbers import bytes_text, clean

_AROUND = re.compile(r"^(?P<name>.+?)(?:\s*(?:±|\+-|\+/-|:)\s*(?P<steps>\d+))?$", re.DOTALL)
_STEPS = 2  # arrows: enough to see what a node is made from, and by whom it is used


def shaped(graph: Graph, options: Options, room: Room = SCREEN) -> Graph:
    """Return the visible part of `graph`, as small as was asked for, or as fits the room.

    Raises BadOption if no node, or no frame, has a requested name.
    """
    smaller = without_looks(graph) if options.values == "none" else graph
    if options.view != "both":
        sides = (options.view, "update") if options.view == "backward" else (options.view,)
        smaller = only(smaller, {node.id for node in smaller.nodes.values() if node.side in sides})
    collapse = options.pattern("collapse")
    if collapse is not None:
        smaller = close_matching(smaller, collapse)
    if options.focus:
        whole = replace(options, depth="all" if options.depth is None else options.depth, fold="none")
        smaller = _neighbourhood(as_opened(smaller, whole, room), options.focus)
    else:
        smaller = as_opened(smaller, options, room)
    if options.fold == "auto" and not options.focus and len(smaller.nodes) > room.most:
        ran = [node.side for node in smaller.nodes.values()]
        middle = next((n for n, side in enumerate(ran) if side != "forward"), len(ran))
        around = [*smaller.nodes][max(0, middle - room.most // 2) : middle + room.most // 2]
        smaller = replace(only(smaller, set(around)), closed=smaller.closed)  # what is near the loss
    return _with_subtitle(graph, sums_last(smaller), options)


def _neighbourhood(graph: Graph, focus: str) -> Graph:
    """Return the nodes at most K steps from the nodes of `focus`, along arrows in either direction, and to twins."""
    found = _AROUND.match(focus)
    name, steps = (found["name"], int(found["steps"] or _STEPS)) if found else (focus, _STEPS)
    named = {node.id for node in graph.nodes.values() if name in texts_of(node)}
    if not named:
        nobody = phrase("focus: no node is called {name!r}", name=name)
        names = (text for node in graph.nodes.values() for text in (node.title, *texts_of(node)) if text)
        raise BadOption(phrases("{before}; {after}", (nobody, meant_by(clean(name), names))))
    return only(graph, near(graph, named, steps))


def _with_subtitle(graph: Graph, smaller: Graph, options: Options) -> Graph:
    """Return the smaller graph, with a subtitle on the parts left out, and on the memory kept."""
    words = [graph.subtitle]
    shown = len(smaller.nodes)
    if shown < len(graph.nodes):
        repeats = any(node.rounds and node.side != "update" for node in smaller.nodes.values())
        words.append(phrase("{count} of {all} nodes", count=shown, all=len(graph.nodes)))
        words += [phrase("what repeats drawn once (×n)")] if repeats else []
    if options.saved:
        # values kept by a pass within the backward were not waiting for it
        kept = [edge for edge in graph.edges if graph.nodes[edge.tail].side == "forward"]
        many = len({edge.tail for edge in kept if edge.kind == "saved"})
        keeping = phrase("{count} operators", count=many)
        size = bytes_text(bytes_kept(kept))
        words.append(phrase("{size} kept for backward by {operators}", size=size, operators=keeping))
    highlight, collapse = options.pattern("highlight"), options.pattern("collapse")
    if highlight is not None and not matching(graph, highlight):
        words.append(phrase("nothing to highlight is like {pattern!r}", pattern=clean(options.highlight)))
    if collapse is not None and not any(collapse.search(frame.title) for frame in graph.clusters.values()):
        words.append(phrase("nothing to collapse is like {pattern!r}", pattern=clean(options.collapse)))
    return replace(smaller, subtitle=phrases("{before}, {after}", words))
