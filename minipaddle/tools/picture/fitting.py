"""The first view of a picture: as deep as fits a screen, repeats drawn once, and a line on how to see more.

Read next: :mod:`minipaddle.tools.picture.draw.extent`, which measures a picture.
"""

import math
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product

from minipaddle.tools.picture.choices import BadOption, Options
from minipaddle.tools.picture.draw.extent import Extent, extent
from minipaddle.tools.picture.model.collapse import close, skips, sums_together
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.graph import Cluster, ClusterKind, Graph
from minipaddle.tools.words.language import phrase, phrases, spoken
from minipaddle.tools.words.numbers import clean

WIDE, TALL = 1600, 2000
"""Pixels of a screen: frames of a wider picture are closed until it fits both."""
_WHOLE = 2500
"""Pixels of height up to which nothing is closed: three windows of a page."""
_LEVELS = 16
"""Most depths that are tried: networks are rarely nested deeper."""
_NAMES = 12
"""Most names listed in an error if none is similar to the requested one: two or three lines."""


_FEWEST = 20
"""Nodes that always fit: they are not measured."""
_SMALL = 60
"""Nodes of a network that is so small that its parameters are shown, whatever its width."""
LARGEST = 16_384
"""Pixels a side of a PNG: Graphviz scales a larger picture down until it is unreadable."""


@dataclass(frozen=True)
class Room:
    """The limits of a picture beyond which it is folded or closed."""

    few: int = 150
    """Nodes up to which a picture is not folded."""
    most: int = 1500
    """Most nodes drawn unless a name asks for them: more can neither be read nor laid out."""
    wide: float = WIDE
    """Pixels across."""


SCREEN = Room()
PAGE = Room(few=6000, most=6000, wide=math.inf)
"""For a page, which contains everything that its reader may open."""
DATA = Room(wide=math.inf)
"""Programs read data, without a screen."""


_Open = tuple[frozenset[str], frozenset[str]]
"""The frames that stay open: the named ones with those around them; the named ones alone, which are never folded."""
_NO_NAMES: _Open = (frozenset(), frozenset())

_Way = tuple[int, bool]
"""One way to see a graph: the depth from which frames are closed, and whether repeats are drawn once."""


def as_opened(graph: Graph, options: Options, room: Room = SCREEN) -> Graph:
    """Return `graph` with the frames closed that `options` ask for, else as deep as fits the room.

    Raises BadOption if no frame has a requested name.
    """
    open_ = named_frames(graph, options.open)
    deepest = max(graph.depths().values(), default=0)
    depth, folded = deepest, False
    if options.depth is not None:
        depth = deepest if options.depth == "all" else int(options.depth)
        folded = options.fold == "auto" and len(_closed(graph, depth, open_).nodes) > room.few
    elif options.fold == "auto" and not _fits(graph, options, room):
        depth, folded = _chosen(graph, options, room, deepest)
    seen = _seen(graph, (depth, folded), open_)
    seen = replace(seen, edges=seen.edges | dict.fromkeys(skips(graph, seen)))
    by_itself = options.depth is None and options.fold == "auto"
    repeats = folded and any(node.rounds and node.side != "update" for node in seen.nodes.values())
    return replace(seen, closed=_line_on_closed(graph, depth, open_, repeats)) if by_itself else seen


def insist_on_pixels(size: Extent, options: Options) -> None:
    """Raise BadOption if a PNG of this size is larger than LARGEST a side; the message suggests options."""
    if max(size) <= LARGEST:
        return
    if options.width or options.dpi:
        raise BadOption(
            "png: more than {most} pixels a side: a smaller --width or --dpi", most=f"{LARGEST:,}"
        )
    asked = options.fold == "none" or options.depth is not None
    smaller = phrase("without --fold none and --depth it is smaller")
    part = phrase("--focus NAME±20 draws a part of it, and .svg, .pdf and .html have no such limit")
    raise BadOption(
        "png: more than {most} pixels a side, and nobody could read it made smaller: {would}",
        most=f"{LARGEST:,}",
        would=phrases("{before}; {after}", [smaller, part] if asked else [part]),
    )


def _fits(graph: Graph, options: Options, room: Room) -> bool:
    """Whether a graph is shown unchanged: few nodes, not tall, no wider than the screen unless they are very few."""
    if options.layout == "tape" or room.wide == math.inf or not _FEWEST < len(graph.nodes) <= room.few:
        return len(graph.nodes) <= room.few
    size = extent(graph, options)
    return size.height <= _WHOLE and (size.width <= room.wide or len(graph.nodes) < _SMALL)


def _chosen(graph: Graph, options: Options, room: Room, deepest: int) -> _Way:
    """Return the most detailed view that fits; if none does, the smallest."""
    step = max(1, math.ceil(deepest / _LEVELS))
    depths = dict.fromkeys([*range(deepest, 0, -step), 0])
    for way in product(depths, (False, True)):
        seen = _seen(graph, way)
        if len(seen.nodes) > room.most:
            continue
        size = seen.views.get(options) or seen.views.setdefault(options, extent(seen, options))
        if size.width <= room.wide and size.height <= TALL:
            return way
    return 0, True


def _seen(graph: Graph, way: _Way, open_: _Open = _NO_NAMES) -> Graph:
    """Return `graph` in one view, made once: with its frames closed and its repeats folded."""
    if (way, open_) not in graph.views:
        depth, folded = way
        if folded:
            closed, (_, alone) = _seen(graph, (depth, False), open_), open_
            seen = fold(sums_together(graph) if closed is graph else closed, alone)
        else:
            closed = _closed(graph, depth, open_)
            seen = closed if closed is graph else sums_together(closed)
        graph.views[way, open_] = seen
    found: Graph = graph.views[way, open_]
    return found


def _closed(graph: Graph, depth: int, open_: _Open = _NO_NAMES) -> Graph:
    """Return `graph` with every frame closed that has `depth` frames around it and is not in `open_`."""
    shut = _shut(graph, depth, open_)
    return close(graph, lambda cluster: cluster.id in shut)


def _shut(graph: Graph, depth: int, open_: _Open) -> set[str]:
    frames, _ = open_
    return {id_ for id_, deep in graph.depths().items() if deep > depth and id_ not in frames}


def _line_on_closed(graph: Graph, depth: int, open_: _Open, repeats: bool) -> str:
    """Return the line on closed frames and folded `repeats`, and how to open them; "" if there are none."""
    shut = _shut(graph, depth, open_)
    closed = [
        one
        for one in graph.clusters.values()
        if one.id in shut
        and shut.isdisjoint(graph.frames_of(one.parent))
        and not (one.home or (one.side == "backward" and one.twin in graph.clusters))
    ]
    words = []
    if closed:
        kinds = {cluster.kind for cluster in closed}
        words.append(
            phrase(
                "{what}: --open {name} opens one, --depth {depth} the next level, --depth all every one",
                what=_closed_words(len(closed), kinds),
                name=shlex.quote(closed[0].path or closed[0].title),
                depth=depth + 1,
            )
        )
    if repeats:
        words.append(phrase("what repeats is drawn once (×n): --fold none draws all"))
    return phrases("{before}; {after}", words)


def _closed_words(count: int, kinds: set[ClusterKind]) -> str:
    """Return the count of closed frames, with their kind if all are of one."""
    if kinds == {"layer"}:
        return phrase("{count} layers are closed", count=count)
    if kinds == {"rule"}:
        return phrase("{count} rules are closed", count=count)
    return phrase("{count} frames are closed", count=count)


def named_frames(graph: Graph, names: Iterable[str]) -> _Open:
    """Return the frames with these `names`, with their twins and the frames around them.

    A name is a layer's in the picture, `blocks[3].fc` or `blocks.3.fc`, with or without the
    network's name before it; a layer's class; or the title of a frame. Raises BadOption if no frame has it.
    """
    found: set[str] = set()
    alone: set[str] = set()
    known = {id_: set(_names(graph, graph.clusters[id_])) for id_ in graph.clusters} if names else {}
    together = graph.together() if names else {}
    for name in names:
        asked = _plain(name)
        meant = {id_ for id_, called in known.items() if asked in called}
        if not meant:
            nobody = phrase("open: no layer is called {name!r}", name=clean(name))
            raise BadOption(phrases("{before}; {after}", (nobody, _there_are(graph, clean(name)))))
        meant = {id_ for one in meant for id_ in together[one]}
        found.update(frame for id_ in meant for frame in graph.frames_of(id_))
        frames = map(graph.clusters.__getitem__, meant)
        first = [one for one in frames if one.side == "forward" and not one.home]
        alone |= meant if len(first) == 1 else set()
    return frozenset(found), frozenset(alone)


def _names(graph: Graph, cluster: Cluster) -> Iterator[str]:
    """Yield the names of a frame."""
    yield from (cluster.title, _plain(cluster.title), spoken(cluster.title).partition(",")[0])
    if cluster.kind == "layer":
        *_, outermost = graph.frames_of(cluster.id)
        network = graph.clusters[outermost].path
        yield from (cluster.path, f"{network}.{cluster.path}", cluster.layer)


def meant_by(name: str, names: Iterable[str]) -> str:
    """Return a question with up to three similar names; "" if there are none, or a name is longer than any."""
    similar = dict.fromkeys(get_close_matches(name, [*names], n=3) if len(name) < 200 else ())
    return phrase("do you mean {names}?", names=phrases("{before} or {after}", similar)) if similar else ""


def _plain(name: str) -> str:
    """Return a name with dots for brackets: ``blocks[3].fc`` is ``blocks.3.fc``."""
    return clean(name).replace("[", ".").replace("]", "").removesuffix(" backward")


def _there_are(graph: Graph, name: str) -> str:
    """Return the available names: those similar to `name`, or else the first ones."""
    frames = [cluster for cluster in graph.clusters.values() if cluster.side == "forward"]
    names = list(dict.fromkeys(cluster.path or cluster.title for cluster in frames))
    names += dict.fromkeys(cluster.layer for cluster in frames if cluster.layer)
    if not names:
        return phrase("there are no layers in this picture")
    if meant := meant_by(name, names):
        return meant
    shown = ", ".join(names[:_NAMES])
    if len(names) > _NAMES:
        shown = phrase("{names} and {count} more", names=shown, count=len(names) - _NAMES)
    return phrase("there are {names}", names=shown)
