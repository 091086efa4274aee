"""The terms of gradients: what the page needs to say, as ``why w.grad[0, 1]`` does, of what one element is the sum."""

import json
from collections.abc import Iterable
from math import prod
from typing import Any

from minipaddle.tools.explain.symbols.page_program.instructions import plain
from minipaddle.tools.explain.terms import MOST, terms_of, words_of
from minipaddle.tools.page.facts import Tables, read
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.words.language import say

ROOM = 64 * 1024
"""Characters of numbers with all their digits: of gradients whose elements can be chosen, and of their terms."""
_LARGEST = 1024
"""Elements of a gradient that can be chosen."""


def values_of_terms(node: Node, trace: Trace) -> list[Value]:
    """Return a gradient that was stored, and the terms that it is the sum of; nothing of any other node."""
    if node.kind != "store" or node.count > 1 or not node.results:
        return []
    terms = [term.gradient for term in terms_of(trace, node.results[0])]
    return [node.results[0], *(terms if len(terms) > 1 else ())]


def terms_object(node: Node, trace: Trace, tables: Tables) -> list[list[Any]]:
    """Return the terms of a gradient that was stored: the value, what it comes from, and the node of that.

    They stand in the order of their operators. Of several, all numbers have to be known with all their digits, or it is
    empty; one alone is the gradient itself.
    """
    values = values_of_terms(node, trace)
    if not values or tables.arrays is None:
        return []
    known = tables.exact if len(values) > 1 else tables.arrays
    if any(value.id not in known for value in values):
        return []
    terms = terms_of(trace, values[0])
    ids = map(tables.value, values[1:] or values)
    uses = [None if term.use is None else f"f{term.use.index}" for term in terms]
    return [list(one) for one in zip(ids, map(tables.text, words_of(terms)), uses)]


def exact_numbers(graphs: Iterable[Graph], trace: Trace, room: int = ROOM) -> dict[int, Any]:
    """Return the numbers of gradients that are sums and of their terms, flat, by the ids of the values.

    Small gradients come first; those for which there is no more `room` are left out.
    """
    found: dict[int, Any] = {}
    stored = [values_of_terms(node, trace) for graph in graphs for node in graph.nodes.values()]
    groups = [values for values in stored if len(values) > 1]
    for values in sorted(groups, key=lambda group: prod(group[0].shape) * len(group)):
        made = {value.id: _digits(value) for value in values if value.id not in found}
        if any(numbers is None for numbers in made.values()):
            continue
        room -= len(json.dumps(list(made.values())))
        if room < 0:
            break
        found |= made
    return found


def _digits(value: Value) -> list[Any] | None:
    """Return the numbers of a value with all their digits, flat; None of too many, or where they were not kept."""
    array = read(value) if prod(value.shape) <= _LARGEST else None
    if array is None or array.dtype.kind != "f":
        return None
    wide = array if array.dtype in ("float32", "float64") else array.astype("float32")
    digits: list[Any] = plain(wide.reshape(-1))
    return digits


def words_of_elements() -> dict[str, Any]:
    """Return what the script says of an element that is chosen, with places for what is known there only."""
    places = {name: f"{{{name}}}" for name in ("element", "total", "count")}
    return {
        "choose": say("choose an element: which terms it is the sum of"),
        "one": say("{element} is {total}: one term", **places),
        "several": say("{element} is {total}, the sum of {count} terms", **places),
        "rest": say("{count} smaller ones together", **places),
        "most": MOST,
    }
