"""The data with which a page's reader can change numbers: the program of a pass, and texts with fields.

The panel of a node shows the lines of ``why``, which are recomputed when numbers change.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from minipaddle.tools.explain.formula import FOLLOWER, Follower
from minipaddle.tools.explain.symbols.element import ALIKE, LONGEST, MOST_TERMS, SHOWN_TERMS
from minipaddle.tools.explain.symbols.page_program.recording import MOST_EVENTS, TOO_MANY, Fixed, Live
from minipaddle.tools.explain.symbols.text import ATOM, FREE, INFIX, NAMES, POWER, PRODUCT, SIGN, SUM
from minipaddle.tools.page.facts import LONGEST as LONGEST_LINE
from minipaddle.tools.page.facts import Tables, explained_lines
from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.choices import Detail, Options
from minipaddle.tools.picture.draw.theme import NODES
from minipaddle.tools.picture.model.graph import Edge, Graph, Node
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.outcome import ADDED, ZERO
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.fields import FIELDS, field, parts_of, without_fields
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import cut, shape_text
from minipaddle.tools.words.setting import setting

_OF_VALUES = ("few", "look", "glance", "share", "left", "cancels")
"""Fields filled from values of the recording, not from formulas."""


def lines_object(live: Live, nodes: Mapping[str, Node], tables: Tables) -> dict[str, Any]:
    """Return, for each node whose lines may change, these lines and the formulas that they refer to."""
    follower = Follower(live.place)
    found: dict[str, Any] = {}
    changing = {value.id for value in live.trace.values if live.place(value.id) is not None}
    with setting(FOLLOWER, follower), setting(FIELDS, changing):
        for id_, node in nodes.items():
            said = explained_lines(node, live.trace)
            lines = {name: [_line(one, tables) for one in several] for name, several in said.items()}
            if any(isinstance(line, list) for several in lines.values() for line in several):
                found[id_] = lines
    live.program.functions |= follower.formulas.functions
    return {"lines": found, "formulas": follower.formulas.instructions, "texts": follower.formulas.texts}


def printing() -> dict[str, Any]:
    """Return the tables by which the script prints formulas with numbers."""
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
    """Return a line: its index in the table of texts if it is fixed, else its parts, without empty items at the end."""
    parts = parts_of(text)
    if parts == [text]:
        return tables.text(text)
    for part in parts:
        while part[-1] == "":
            part.pop()
    return [tables.known(cut(part, LONGEST_LINE)) if isinstance(part, str) else part for part in parts]


def values_in(lines: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the values that fields are filled with."""
    for said in lines.values():
        for parts in (line for several in said.values() for line in several if isinstance(line, list)):
            for how, ids, *_ in (part for part in parts if isinstance(part, list)):
                if how in _OF_VALUES:
                    yield from ids[1:] if how == "share" else ids


MOST_NUMBERS = 200
"""Most changeable numbers on a page, over all leaves: more fields make a page slow, and unreadable."""
_LARGEST = 200_000
"""Most characters of a pass's program: a fifth of a megabyte in each page."""
_COMPUTING = ("op", "grad", "accumulate", "store", "update")
_CHANGING = ("float32", "float64", "float16")


def live_of(graph: Graph) -> Live | Fixed:
    """Return the pass of a whole graph as a program, or the reason why its numbers cannot be changed."""
    if sum(1 for _ in graph.trace.of_pass(graph.pass_number)) > MOST_EVENTS:
        return Fixed(TOO_MANY)
    inputs = _leaves(graph)
    count = sum(prod(value.shape) for value in inputs)
    if count > MOST_NUMBERS:
        return Fixed(
            "{count} numbers are too many for a page: at most {most}", count=count, most=MOST_NUMBERS
        )
    if not inputs:
        return Fixed("there are no numbers to change")
    try:
        live = Live(graph.trace, inputs, _events(graph.trace, graph))
    except Fixed as why:
        return why
    if len(json.dumps(live.program.instructions)) > _LARGEST:
        return Fixed("what computes them again is too large for a page")
    return live


def _leaves(graph: Graph) -> list[Value]:
    """Return the values that may be changed: those that the user made, and parameters."""
    leaves = (node for node in graph.nodes.values() if node.is_leaf)
    values = {value.id: value for node in leaves if node.side == "forward" for value in node.results[:1]}
    numbers = (one for one in values.values() if one.kind != "gradient")
    return [one for one in numbers if one.dtype in _CHANGING and 0 not in one.shape]


def _events(trace: Trace, graph: Graph) -> list[Event]:
    """Return the events on which a picture's numbers depend, drawn or not, in the order of the run."""
    needed: set[int] = set()

    def need(ids: Iterable[int | None]) -> None:
        for id_ in ids:
            while id_ is not None and id_ not in needed:
                needed.add(id_)
                id_ = trace.values[id_].same

    for node in graph.nodes.values():
        need(value.id for value in (*node.results, *node.takes, *node.saved))
    found = []
    for event in reversed(trace.events):
        if event.kind in _COMPUTING and not needed.isdisjoint(event.outputs):
            found.append(event)
            need(trace.read_by(event))
    return found[::-1]


def live_object(
    live: Live | Fixed | None, graph: Graph, options: Options, tables: Tables
) -> dict[str, Any] | None:
    """Return the script's data of a pass; `graph` has all nodes that may be shown, also for closed frames."""
    if live is None:
        return None
    if isinstance(live, Fixed):
        return {"why": say("The numbers here cannot be changed: {why}", why=live)}
    known = {value.id: value for value in _values(graph)}
    places = {id_: at for id_ in known if (at := live.place(id_)) is not None}
    terms = {
        id_ for node in graph.nodes.values() for one in node.rounds or (node,) for id_ in _terms(one) or ()
    }
    lines = lines_object(live, graph.nodes, tables)
    terms |= {*values_in(lines["lines"])}
    merged = ({value.id for value in node.made} for node in graph.nodes.values() if node.rounds)
    terms.update(*(ids for ids in merged if ids & places.keys()))  # a round may have a constant number
    with setting(FIELDS, places):
        shown = replace(graph, nodes={id_: _with_field(node, places) for id_, node in graph.nodes.items()})
        said = sentences(shown)
        nodes = {
            id_: _node(node, said[id_], options.values, places)
            for id_, node in shown.nodes.items()
            if any(value.id in places for value in node.made)
        }
        edges = _edges(graph, places, options)
    return {
        "program": live.program.instructions,
        "values": {id_: live.shown(id_) for id_ in (*places, *sorted(terms - places.keys()))},
        "gradients": [id_ for id_ in places if known[id_].kind == "gradient"],
        "inputs": [value.id for value in live.inputs],
        "signs": options.values != "none",
        "nodes": nodes,
        "edges": edges,
        "told": live.told,
        **lines,
    }


def _values(graph: Graph) -> Iterable[Value]:
    for node in graph.nodes.values():
        yield from node.made
        if node.before is not None:
            yield node.before
    for edge in graph.edges:
        yield from edge.values


def _with_field(node: Node, places: Mapping[int, int]) -> Node:
    """Return a node with its state as a field, if changeable numbers (or those of its rounds) decide it."""
    rounds = node.rounds or (node,)
    if all(one.value not in places for one in rounds):
        return node
    if node.kind == "store" and all(one.state in ("", ZERO, ADDED) for one in rounds):
        added = {one.before is not None for one in rounds}
        how = "added" if added == {True} else "zero"
        state = field(how, *(one.results[0].id for one in rounds)) if len(added) == 1 else node.state
        return replace(node, state=state)
    if node.kind == "accumulate" and len({len(one.takes) for one in rounds}) == 1:
        ids = [id_ for one in rounds for id_ in _terms(one) or ()]
        return replace(node, state=field("cancel", len(ids) // len(rounds), *ids))
    return node


def _node(node: Node, said: str, values: Detail, places: Mapping[int, int]) -> dict[str, Any]:
    """Return the texts of a node: the lines of its label, and its sentence, without an alarm's sign.

    Also the statistics and values that can raise an alarm.
    """
    lines = [parts_of(line) for line in label(node, values, with_sign=False)]
    stays = [value.stats for value in node.made if value.id not in places]
    return {
        "label": lines,
        "says": parts_of(said),
        "role": NODES[node.kind].role,
        "made": [value.id for value in node.made if value.id in places],
        **({"state": parts_of(node.state)} if without_fields(node.state) != node.state else {}),
        **({"bad": True} if any(stats.bad for stats in stays) else {}),
    }


def _edges(graph: Graph, places: Mapping[int, int], options: Options) -> dict[str, Any]:
    """Return the edges at sums: the value on each, the terms it sums, and the sum that it is a term of."""
    sums = [terms for node in graph.nodes.values() if (terms := _terms(node)) and places.keys() & terms]
    places = {**places, **{id_: -1 for terms in sums for id_ in terms}}  # where a sum changes, all shares do

    def known(edge: Edge) -> dict[str, Any]:
        (value,) = edge.values
        ends = {"sum": _terms(graph.nodes[edge.tail]), "into": _terms(graph.nodes[edge.head])}
        if options.values == "none" or (ends["sum"] and not edge.label):  # merged edges have no label
            return {"value": value.id}
        return {"value": value.id, **ends, "shape": shape_text(value)}

    return {
        f"e{place}": known(edge)
        for place, (_, edge) in enumerate(graph.drawn_edges())
        if edge.kind == "gradient" and len(edge.values) == 1 and edge.values[0].id in places
    }


def _terms(node: Node) -> list[int] | None:
    """Return the terms of a sum, then its result; None for any other node."""
    is_sum = node.kind == "accumulate" and node.count == 1
    return [value.id for value in (*node.takes, *node.results)] if is_sum else None
