"""A gradient as a blackboard writes it: the sum over all paths from the loss, each a product of local derivatives.

The local derivatives are the numbers that a recorded rule gives for a gradient that is 1 at one element, and 0
elsewhere. An element is the id of a gradient, and the place in its flat array.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.formula import Why, stand_in
from minipaddle.tools.explain.local import Names, local
from minipaddle.tools.explain.sentences import sent_back
from minipaddle.tools.explain.symbols.element import largest, near_of
from minipaddle.tools.explain.terms import at, parts_of
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Grad, Store
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

MOST = 12
"""Paths that are written: as many as a blackboard has room for."""
_MOST_ELEMENTS = 1024
"""Elements of the largest gradient that a path may go through: for each of them a rule runs twice."""
Element = tuple[int, int]


class Step(NamedTuple):
    """One factor of a path."""

    before: Element | None
    """The element of the gradient that came in; None for the factor with which backward began."""
    letters: str
    formula: str
    """How the factor is computed, ``cos(x)``; "" if no short formula says it."""
    number: float


Path = tuple[Step, ...]


class Link(NamedTuple):
    """How a part of a gradient was made: by what each element of another gradient was multiplied."""

    coming: Value | None
    """The gradient that came in; None for a part with which backward began, or that a hook gave."""
    name: str
    """That of `coming`, without ∂; else the part's own."""
    formula: str
    slopes: Array
    """The factors: a row for each element of `coming`, a column for each of the part."""
    linked: Array
    """Where there is a factor, be it 0."""


def explain_paths(trace: Trace, gradient: Value, spot: tuple[int, ...] | None = None) -> Why:
    """Return the paths of one element of a gradient, the largest by default.

    Raises Missing if numbers are missing or too many, and IndexError if there is no such element.
    """
    made, walk = trace.maker(gradient), Walk(trace)
    arrived = trace.known(made.inputs)[0] if isinstance(made, Store) else gradient
    array = _known(arrived)
    spot = largest(array) if spot is None else spot
    at(arrived, spot)
    flat = int(np.arange(array.size).reshape(array.shape)[spot])
    walk.sum_up(arrived)
    count, total = walk.counts[arrived.id][flat], float(walk.totals[arrived.id][flat])
    answer = Why().say(
        "{name} = {total}, along 1 path" if count == 1 else "{name} = {total}, the sum over {count} paths",
        name=f"{walk.names.of(arrived)}{_place(arrived, flat)}",
        total=number(total),
        count=count,
    )
    answer.paths = list(islice(walk.paths((arrived.id, flat)), MOST))
    answer.numbers = list(map(_line, answer.paths))
    if (left := count - len(answer.paths)) > 0:
        others = total - sum(prod(step.number for step in path) for path in answer.paths)
        answer.say("{count} more paths are together {total}", count=left, total=number(others))
    if told := walk.differing(arrived).get(flat):
        answer.say("recorded is {number}: a rule on the way does more than multiply", number=told)
    if isinstance(made, Store) and made.before is not None:
        answer.say("{name} held something before this pass: this was added", name=gradient.name)
    return answer


class Walk:
    """Walks from an element of a gradient back to where backward began."""

    def __init__(self, trace: Trace, most: int = _MOST_ELEMENTS, runs: float = inf) -> None:
        self.trace, self.names, self.most, self.runs = trace, Names(trace), most, runs
        self.made: dict[int, list[Link]] = {}
        self.counts: dict[int | None, Array] = {None: np.ones(1, object)}
        self.totals: dict[int | None, Array] = {None: np.ones(1)}
        """By the id of a gradient: how many paths lead to each element, and their sums; None: where backward began."""

    def steps(self, element: Element) -> Iterator[Step]:
        """Yield the last factors of the paths to an element."""
        flat = element[1]
        for part in self.ends(self.trace.values[element[0]]):
            here, of = _place(part, flat), self.names.inner(self.trace.owner(part))
            for coming, name, formula, slopes, linked in self.links(part):
                for row in map(int, np.flatnonzero(linked[:, flat])):
                    before = None if coming is None else (coming.id, row)
                    letters = f"∂{name}{_place(coming, row)}/∂{of}{here}" if coming else f"{name}{here}"
                    yield Step(before, letters, formula, float(slopes[row, flat]))

    def ends(self, gradient: Value) -> Iterator[Value]:
        """Yield the parts of a gradient that rules or hooks gave, or with which backward began."""
        for part in list(parts_of(self.trace, gradient))[::-1]:
            made = self.trace.maker(part)
            blocks = isinstance(made, Grad) and made.body and self.trace.events[made.body[0]].op == "block"
            if made is None and part.same is not None and part.replaces is None:
                yield from self.ends(self.trace.values[part.same])
            elif isinstance(made, Grad) and (made.control or blocks):
                # what a Block gave is the sum of gradients inside it, but for a PyLayer's
                inside = made.parts[made.outputs.index(part.id)] if made.control else None
                if inside is None:
                    raise Missing(say("{name} cannot be computed again", name=part.name))
                for value in self.trace.known(inside):
                    yield from self.ends(value)
            else:
                yield part

    def links(self, part: Value) -> list[Link]:
        """Return how a part that `ends` gave was made."""
        if part.id not in self.made:
            made = self.trace.maker(part)
            if isinstance(made, Grad):
                links = [self._link(made, part, coming) for coming in self.trace.known(made.inputs)]
            else:
                row = _known(part).reshape(1, -1)
                links = [Link(None, self.names.of(part), "", row, np.ones(row.shape, bool))]
            self.made[part.id] = [link for link in links if link.linked.any()]
        return self.made[part.id]

    def _link(self, event: Grad, made: Value, coming: Value) -> Link:
        """Return the slopes from each element of `coming` to each of `made`, and where there is one, be it 0.

        A NaN in place of the 1 shows where: it reaches what depends on it, also by a factor 0. What the call saved
        has other numbers then, for a NaN of its own would reach as far.
        """
        if made.kind_of_dtype != "f":
            raise Missing(say("the numbers of {name} are not known, or not real", name=made.name))
        size, whole = _known(coming).size, self.trace.known(self.trace.of_forward(event))
        if size > min(self.most, self.runs):
            raise Missing(say("{name} has {size} elements, too many for paths", name=coming.name, size=size))
        self.runs -= size
        eye = np.eye(size, dtype=coming.dtype).reshape(size, *coming.shape)
        others = {value.id: stand_in(value) for value in whole if value.kind_of_dtype == "f"}
        probes = [({}, eye), (others, np.where(eye == 1, eye.dtype.type(np.nan), eye))]
        given = [{**known, coming.id: row} for known, rows in probes for row in rows]
        sent = [sent_back(self.trace, event, made, one) for one in given]
        if any(one is None for one in sent):
            raise Missing(say("{name} cannot be computed again", name=made.name))
        slopes, reached = np.asarray(sent).reshape(2, size, made.stats.size)
        formula = local(self.trace, event, made) if made.stats.size == size == 1 else ""
        name = self.names.inner(self.trace.owner(coming))
        return Link(coming, name, formula, slopes, np.isnan(reached) | ((slopes != 0) & ~np.isnan(slopes)))

    def sum_up(self, gradient: Value) -> list[Value]:
        """Note counts and sums for a gradient, and those that it is made of; return which were not known, in order."""
        waiting, seen = [gradient], dict[int, list[Link]]()
        for value in waiting:
            if value.id not in self.totals and value.id not in seen:
                seen[value.id] = [link for part in self.ends(value) for link in self.links(part)]
                waiting += [link.coming for link in seen[value.id] if link.coming is not None]
        order = sorted(seen)  # a gradient is numbered before those that are made of it
        for id_ in order:
            size = self.trace.values[id_].stats.size
            self.counts[id_], self.totals[id_] = np.zeros(size, object), np.zeros(size)
            for coming, *_, slopes, linked in seen[id_]:
                before = None if coming is None else coming.id
                self.counts[id_] = self.counts[id_] + self.counts[before] @ linked.astype(object)
                with np.errstate(all="ignore"):
                    self.totals[id_] += np.where(linked, slopes * self.totals[before][:, None], 0).sum(axis=0)
        return [self.trace.values[id_] for id_ in order]

    def differing(self, gradient: Value) -> dict[int, str]:
        """Return the recorded numbers of those elements that are not the sum of their paths, as text."""
        array = _known(gradient)
        near = max(near_of(array.dtype), 1e-4)
        with np.errstate(all="ignore"):
            most = near * np.max(np.abs(array), initial=0, where=np.isfinite(array))
            same = np.isclose(array.ravel(), self.totals[gradient.id], near, most, equal_nan=True)
        return {int(flat): number(float(array.flat[flat])) for flat in np.flatnonzero(~same)}

    def paths(self, end: Element) -> Iterator[Path]:
        """Yield the paths to an element that `sum_up` knows; the first factor is that of the loss."""
        waiting: list[tuple[Element | None, Path]] = [(end, ())]
        while waiting:
            element, path = waiting.pop()
            if element is None:
                yield path if path[0].number != 1 or len(path) == 1 else path[1:]
            elif self.counts[element[0]][element[1]]:
                waiting += [(step.before, (step, *path)) for step in [*self.steps(element)][::-1]]


def path_object(path: Path) -> dict[str, Any]:
    """Return a path as JSON data."""
    factors = [{"of": one.letters, "formula": one.formula, "number": json_number(one.number)} for one in path]
    return {"factors": factors, "product": json_number(prod(step.number for step in path))}


def _known(value: Value) -> Array:
    array = value.array
    if not value.stats.size:
        raise Missing(say("{name} has no elements", name=value.name))
    if array is None or array.dtype.kind != "f":
        raise Missing(say("the numbers of {name} are not known, or not real", name=value.name))
    return array


def _place(value: Value, flat: int) -> str:
    """Return the index of an element, ``[0, 1]``; "" if it is the only one."""
    spot = ", ".join(str(int(one)) for one in np.unravel_index(flat, value.shape)) if value.shape else ""
    return f"[{spot}]" if value.stats.size > 1 else ""


def _line(path: Path) -> str:
    """Return ``∂L/∂b ⋅ ∂b/∂x = 1 ⋅ cos(x) = 1 ⋅ (-0.4161) = -0.4161``."""
    letters, product = " ⋅ ".join(step.letters for step in path), number(prod(step.number for step in path))
    numbers, formulas = [number(step.number) for step in path], [step.formula for step in path]
    if not all(formulas) or [one.replace("−", "-") for one in formulas] == numbers:
        formulas = []
    return " = ".join(dict.fromkeys(filter(None, [letters, _times(formulas), _times(numbers), product])))


def _times(factors: Sequence[str]) -> str:
    """Return a product, in which a sum or a negative factor has parentheses."""
    many = len(factors) > 1
    return " ⋅ ".join(f"({one})" if many and (" " in one or one[0] in "-−") else one for one in factors)
