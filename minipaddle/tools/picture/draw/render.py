"""From a graph to a drawing: which engine draws, and what happens when it cannot.

In order: the program ``dot``; pygraphviz, which carries Graphviz inside; our own drawing, which needs nothing but
knows SVG only.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from minipaddle.engine.names.phrase import phrase, phrases
from minipaddle.tools.picture.draw.dot import HUGE, to_dot
from minipaddle.tools.picture.draw.engines import ENGINES, Absent, Engine, Failed, Hung, Processes
from minipaddle.tools.picture.draw.places import has_places
from minipaddle.tools.picture.draw.svg import to_svg
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.words.language import reason

HINT = phrase("for the layered picture: install Graphviz (the program dot), or pip install pygraphviz")
_SMALLER = phrase(
    "Graphviz does not get it done: --depth 1 makes it smaller; .svg and .html are drawn in any case"
)
OWN = "tape"
"""What our own drawing is called among the engines."""
_ACROSS_FRAMES = "newrank=true "


FORMATS = ("svg", "png", "pdf", "dot", "mmd", "json", "html")


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that the suffix of a file name stands for, such as "svg".

    Raises:
        ValueError: if it stands for none.
    """
    suffix = Path(path).suffix
    if suffix.removeprefix(".").lower() not in FORMATS:
        formats = f".{', .'.join(FORMATS)}"
        if not suffix:
            raise ValueError(
                phrase("no picture format without a suffix; there are: {formats}", formats=formats)
            )
        raise ValueError(
            phrase("no picture format {suffix}; there are: {formats}", suffix=suffix, formats=formats)
        )
    return suffix.removeprefix(".").lower()


class NoRenderer(RuntimeError):
    """No engine on this machine makes the format asked for."""


@dataclass(frozen=True)
class Rendered:
    """A picture, and who drew it."""

    data: bytes
    engine: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """What the pictures of a page share: the engines at work, and those that hang, which nobody waits for twice."""

    processes: Processes = field(default_factory=Processes)
    hung: set[str] = field(default_factory=set)
    hung_with_curves: set[str] = field(default_factory=set)


def render(
    graph: Graph,
    format: str,
    engine: str = "auto",
    style: Style | None = None,
    session: Session | None = None,
) -> Rendered:
    """Draw `graph` as "svg", "png", "pdf" or "dot" with the first engine that can, or with the one that is named.

    `session` is that of the page that it is drawn for.

    Raises:
        Ended: if the session ends first.
        NoRenderer: for png and pdf without Graphviz, and if the engine named cannot draw it.
    """
    try:
        source = to_dot(graph, style)
    except ImportError:
        return _without_dot(graph, format, engine, style)
    if format == "dot":
        return Rendered(source.encode(), phrase("none needed"))
    # one step a row is what our own drawing knows, at once; Graphviz takes minutes for its long arrows
    long_tape = style is not None and style.layout == "tape" and len(graph.nodes) > HUGE
    if format == "svg" and engine == "auto" and (long_tape or has_places(graph, style or Style())):
        return Rendered(to_svg(graph, style).encode(), OWN)
    session = session or Session()
    remarks: list[str] = []
    absent = True
    for name in ENGINES if engine == "auto" else [engine]:
        if name in ENGINES:
            try:
                data = _draw(name, source, format, remarks, session)
            except Absent as error:
                remarks += [reason(error)] if engine == name else []
            except Failed as error:
                absent = False
                remarks.append(phrase("{before}: {after}", before=name, after=error))
            else:
                return Rendered(data, name, tuple(remarks))
    if engine in ENGINES:
        left = phrase("leave the engine to us (auto), and another one is tried")
        raise NoRenderer(phrases("{before}; {after}", [*remarks, left]))
    if format != "svg":
        needed = phrase("{format} needs Graphviz; {hint}", format=format, hint=HINT)
        raise NoRenderer(phrases("{before}; {after}", [*remarks, needed if absent else _SMALLER]))
    hint = [HINT] if absent and engine == "auto" else []
    if style is not None and (style.direction == "LR" or style.layout == "stack"):
        hint.append(phrase("our own drawing is a mirror or a tape, and runs down: other ways need Graphviz"))
    return Rendered(to_svg(graph, style).encode(), OWN, (*remarks, *hint))


def _without_dot(graph: Graph, format: str, engine: str, style: Style | None) -> Rendered:
    """Draw where nobody writes Graphviz's language: our own drawing, which is SVG.

    Raises:
        NoRenderer: if another one was asked for.
    """
    if format != "svg" or engine in ENGINES:
        what = format if engine not in ENGINES else engine
        raise NoRenderer(phrase("{what} needs the Python package graphviz", what=what))
    return Rendered(to_svg(graph, style).encode(), OWN)


def put_together(text: str, pictures: Sequence[Rendered]) -> Rendered:
    """Return a page made of pictures, and who drew those."""
    remarks = dict.fromkeys(remark for picture in pictures for remark in picture.remarks)
    return Rendered(text.encode(), drawn_by(pictures), tuple(remarks))


def drawn_by(pictures: Sequence[Rendered], names: Mapping[str, str] | None = None) -> str:
    """Say who drew the pictures of a page, by `names` for the engines; where they are several, who drew how many.

    >>> drawn_by([Rendered(b"", "dot"), Rendered(b"", "dot"), Rendered(b"", "tape")])
    'dot (1 of 3 views: tape)'
    """
    counts = Counter((names or {}).get(picture.engine, picture.engine) for picture in pictures)
    (most, _), *others = counts.most_common()
    rest = ", ".join(f"{count} of {len(pictures)} views: {name}" for name, count in others)
    return f"{most} ({rest})" if rest else most


def _draw(name: str, source: str, format: str, remarks: list[str], session: Session) -> bytes:
    """Draw; if Graphviz trips over its frames, rank them one by one; if over its own curves, draw straight lines."""
    draw = ENGINES[name]
    if name in session.hung:
        raise Failed(phrase("took too long for another picture of this page, and is not asked again"))
    if name not in session.hung_with_curves:
        try:
            return _with_either_rank(draw, source, format, session)
        except Failed as error:
            again = phrase("{reason}; trying again with straight lines", reason=error)
            remarks.append(phrase("{before}: {after}", before=name, after=again))
            session.hung_with_curves.update([name] if isinstance(error, Hung) else [])
    try:
        return draw(_with_straight_lines(source), format, session.processes)
    except Hung:
        session.hung.add(name)
        raise


def _with_either_rank(draw: Engine, source: str, format: str, session: Session) -> bytes:
    """Draw; the new way to rank nodes across frames fails for some graphs ("trouble in init_rank"), the old does not.

    Where nodes of several frames stand on one row, only the new way keeps them in their frames.
    """
    try:
        return draw(source, format, session.processes)
    except Hung:
        raise
    except Failed:
        if "rank=same" in source or _ACROSS_FRAMES not in source:
            raise
        return draw(source.replace(_ACROSS_FRAMES, "", 1), format, session.processes)


def _with_straight_lines(source: str) -> str:
    head = "digraph minipaddle {"
    return source.replace(head, f"{head}\n\tsplines=line", 1)
