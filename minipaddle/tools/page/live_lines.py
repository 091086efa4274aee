"""What the panel of a node says, as lines that follow when its reader changes numbers: those of ``why``."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from minipaddle.tools.explain.live_answers import Follower, following
from minipaddle.tools.explain.symbols.element import ALIKE, LONGEST, MOST_TERMS, SHOWN_TERMS
from minipaddle.tools.explain.symbols.page_program.recording import Live
from minipaddle.tools.explain.symbols.text import ATOM, FREE, INFIX, NAMES, POWER, PRODUCT, SIGN, SUM
from minipaddle.tools.page.facts import LONGEST as LONGEST_LINE
from minipaddle.tools.page.facts import Tables, explained_lines
from minipaddle.tools.picture.model.graph import Node
from minipaddle.tools.words.fields import as_fields, parts_of
from minipaddle.tools.words.numbers import cut

_OF_VALUES = ("few", "look", "glance", "share", "left", "cancels")
"""Fields that are filled with values of the recording, not with formulas."""


class _Changing:
    """The values that may be others."""

    def __init__(self, live: Live) -> None:
        self.live = live

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, int) and self.live.place(id_) is not None


@contextmanager
def fields_of(live: Live) -> Iterator[None]:
    """Within the ``with`` block, the numbers that may be others are fields in every text."""
    with as_fields(_Changing(live)):
        yield


def lines_object(live: Live, nodes: Mapping[str, Node], tables: Tables) -> dict[str, Any]:
    """Return for each node whose lines may change these lines, and the formulas that they ask."""
    follower = Follower(live.place)
    found: dict[str, Any] = {}
    with following(follower), fields_of(live):
        for id_, node in nodes.items():
            lines = {
                name: [_line(one, tables) for one in said]
                for name, said in explained_lines(node, live.trace).items()
            }
            if any(isinstance(line, list) for several in lines.values() for line in several):
                found[id_] = lines
    live.program.functions |= follower.formulas.functions
    return {"lines": found, "formulas": follower.formulas.instructions, "texts": follower.formulas.texts}


def printing() -> dict[str, Any]:
    """Return what the script has to know of how formulas are written with numbers put in."""
    return {
        "infix": INFIX,
        "free": FREE,
        "names": NAMES,
        "levels": {"sum": SUM, "product": PRODUCT, "sign": SIGN, "power": POWER, "atom": ATOM},
        "most": MOST_TERMS,
        "shown": SHOWN_TERMS,
        "longest": LONGEST,
        "alike": ALIKE,
    }


def _line(text: str, tables: Tables) -> Any:
    """Return a line: its place among the texts where nothing in it changes, else its parts."""
    parts = parts_of(text)
    if parts == [text]:
        return tables.text(text)
    return [
        tables.known(cut(part, LONGEST_LINE)) if isinstance(part, str) else _short(part) for part in parts
    ]


def _short(field: list[Any]) -> list[Any]:
    """Return a field without what is empty at its end."""
    while field[-1] == "":
        field = field[:-1]
    return field


def values_in(lines: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the values that fields are filled with."""
    for said in lines.values():
        for parts in (line for several in said.values() for line in several if isinstance(line, list)):
            for how, ids, *_ in (part for part in parts if isinstance(part, list)):
                if how in _OF_VALUES:
                    yield from ids[1:] if how == "share" else ids
