"""The data of a node's panel on the page: formulas, numbers, sentences, links."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from string import ascii_letters
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.paddle.documentation import paddle_page
from minipaddle.tools.explain.why import why
from minipaddle.tools.page.story import sentence
from minipaddle.tools.picture.model.focus import near
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.outcome import ZERO
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.words.events import blamed
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.json import json_number, value_object
from minipaddle.tools.words.language import language, spoken
from minipaddle.tools.words.numbers import clean, cut


class Tables:
    """Tables of items that many nodes share: values by id, and sentences."""

    def __init__(self, arrays: Mapping[int, Any]) -> None:
        self.arrays = arrays
        """The arrays that fit into the page's budget, by id."""
        self.values: dict[int, dict[str, Any]] = {}
        self.texts: dict[str, int] = {}
        self.sizes = {_USUAL: 4}
        """Bytes of an element, by dtypes."""

    def value(self, value: Value) -> int:
        """Return the id of a value, after adding it to the table."""
        if value.id not in self.values:
            self.values[value.id] = self._known(value)
        return value.id

    def text(self, words: str) -> int:
        """Return the index of a sentence in the table, after adding it."""
        return self.texts.setdefault(cut(words, LONGEST), len(self.texts))

    def known(self, words: str) -> str | int:
        """Return the index of a sentence in the table, or the sentence itself if it is not there."""
        return self.texts.get(words, words)

    def in_letters(self, facts: Iterable[dict[str, Any]]) -> dict[str, str]:
        """Return the names of fields by letters, after putting a letter for each name in all `facts` and values."""
        letters: dict[str, str] = {}
        for one in (*facts, *self.values.values()):
            for name in list(one):
                one[letters.setdefault(name, ascii_letters[len(letters)])] = one.pop(name)
        return {letter: name for name, letter in letters.items()}

    def _known(self, value: Value) -> dict[str, Any]:
        known = value_object(value)
        known["name"] = clean(known["name"])
        known.pop("data", None)
        stats = known.pop("stats")
        self.sizes[value.dtype] = np.dtype(value.dtype).itemsize if value.dtype else 0
        if known["dtype"] == _USUAL:
            del known["dtype"]
        if value.kind == "gradient":
            known["gradient"] = True
        known["stats"] = [shortened(stats[key], _MORE_DIGITS) for key in STATS]
        while known["stats"] and known["stats"][-1] == 0:
            known["stats"].pop()
        if value.id in self.arrays:
            known["data"] = self.arrays[value.id]
        return known


STATS = ("min", "max", "mean", "rms", "norm", "zeros", "nans", "infs")
"""The order of the statistics of a value; zeros at the end are left out."""
LONGEST = 2000
"""Characters of a line: a longer one is a huge constant or name, which a panel cannot show."""
_USUAL = "float32"
_FIELDS = ("kind", "title", "side", "op", "twin", "earlier", "cluster", "count", "state")
_DEFAULTS = {"side": "forward", "count": 1}


def fact_of(node: Node, trace: Trace | None, tables: Tables, with_sentence: bool = True) -> dict[str, Any]:
    """Return the panel data of a node; a missing key stands for "", "forward", or 1."""
    file, _, line = node.where.rpartition(":")
    known = {name: getattr(node, name) for name in _FIELDS}
    known |= {name: spoken(known[name]) for name in ("title", "state")}
    known["added"] = node.before is not None
    known["results"] = [tables.value(value) for value in node.results]
    if line.isdecimal():
        known |= {"file": file, "line": int(line)}
    if with_sentence:
        known["says"] = sentence(node)
    for name, said in explained_lines(node, trace).items() if trace is not None else ():
        known[name] = [cut(line, LONGEST) if name == "numbers" else tables.text(line) for line in said]
    if page := _documentation(node, trace):
        known["doc"] = tables.text(page)
    return {key: said for key, said in known.items() if said and said != _DEFAULTS.get(key)}


_SHARED = {"role": "", "side": "forward", "file": ""}
"""Fields that are written once for a kind of node, with their defaults."""


def take_out_common(facts: Iterable[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Return, by kind of node, the commonest fields, after removing them from the nodes that share them."""
    kinds = grouped((fact["kind"], fact) for fact in facts)
    common: dict[str, dict[str, str]] = {}
    for kind, alike in kinds.items():
        for name, unsaid in _SHARED.items():
            ((most, _),) = Counter(fact.setdefault(name, unsaid) for fact in alike).most_common(1)
            common.setdefault(kind, {})[name] = most
            for fact in alike:
                if fact[name] == most:
                    del fact[name]
    return common


def explained_lines(node: Node, trace: Trace) -> dict[str, list[str]]:
    """Return the answer of the debugger's ``why`` by sections; a closed layer has many operators, and no formula."""
    if node.event is None or node.kind in ("layer", "layer_grad"):
        return {}
    event = trace.events[node.event]
    if event.kind in ("enter", "leave", "backward"):
        return {}
    answer = why(trace, event)
    if node.count > 1:  # one round's numbers do not apply to the others
        return {"rule": answer.rule}
    notes = [said.replace("``", "") for said in answer.says]
    return {"rule": answer.rule, "numbers": answer.numbers, "notes": notes}


def _documentation(node: Node, trace: Trace | None) -> str:
    """Return the page of Paddle's documentation about a node's operator; "" if there is none."""
    op = TABLE.get(node.op.removesuffix("_grad"))
    ran = None if trace is None or node.event is None else blamed(trace, trace.events[node.event])
    return "" if op is None else paddle_page(op, language(), None if ran is None else ran.attrs)


BUDGET = 128 * 1024
"""Characters of numbers in one page: it stays below a megabyte."""
_STEPS = 2  # a culprit's neighbours, and theirs, show large arrays
_LARGE, _SMALL = 4096, 256
"""Elements of the largest array that is shown near a culprit, and elsewhere."""
_DIGITS = 4  # as many as a panel's cells have room for
_MORE_DIGITS = 7
"""Digits of statistics: more than a page shows, so that it rounds only once."""


def arrays_of(graphs: Iterable[Graph], budget: int = BUDGET) -> dict[int, Any]:
    """Return the numbers of values as nested lists, by value id; those that exceed the `budget` are left out."""
    found: dict[int, Any] = {}
    for graph in graphs:
        for value in _in_order(graph):
            array = None if value.id in found or budget < 0 else value.array
            if array is not None and array.dtype.kind in "biuf":
                data = shortened(array.tolist(), _DIGITS)
                budget -= len(json.dumps(data))
                if budget >= 0:
                    found[value.id] = data
    return found


def _in_order(graph: Graph) -> list[Value]:
    """Return the values of a graph that can be shown, those near culprits first."""
    culprits = [node.id for node in graph.nodes.values() if node.state == ZERO or node.alarming]
    distance = near(graph, culprits, _STEPS)
    shown: list[tuple[int, int, Value]] = []
    for node in graph.nodes.values():
        steps = distance.get(node.id, _STEPS + 1)
        most = _SMALL if steps > _STEPS else _LARGE
        shown += [(steps, size, value) for value in node.results if (size := prod(value.shape)) <= most]
    return [value for *_, value in sorted(shown, key=lambda one: one[:2])]


def shortened(data: Any, digits: int) -> Any:
    """Return numbers, however nested, with so many digits; JSON has no NaN, so it becomes text."""
    if isinstance(data, list):
        return [shortened(part, digits) for part in data]
    return json_number(float(f"{data:.{digits}g}")) if isinstance(data, float) else data
