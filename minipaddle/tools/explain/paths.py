"""A gradient as a blackboard writes it: the sum over all paths from the loss, each a product of local derivatives.

The local derivatives are the numbers that a recorded rule gives for a gradient that is 1 at one element, and 0
elsewhere. An element is the id of a gradient, and the place in its flat array.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.formula import Why, stand_in
from minipaddle.tools.explain.local import Names, local
from minipaddle.tools.explain.sentences import sent_back
from minipaddle.tools.explain.symbols.element import largest, near_of
from minipaddle.tools.explain.terms import at, parts_of
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Grad
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


def explain_paths(
    trace: Trace, gradient: Value, spot: tuple[int, ...] | None = None, most: int = _MOST_ELEMENTS
) -> Why:
    """Return the paths of one element of a gradient, the largest by default; `most`: elements of those in between.

    Raises Missing if numbers are missing or too many, and IndexError if there is no such element.
    """
    made, walk = trace.maker(gradient), _Walk(trace, most)
    stored = made is not None and made.kind == "store"
    arrived = trace.known(made.inputs)[0] if made is not None and stored else gradient
    array = _known(arrived)
    spot = largest(array) if spot is None else spot
    at(arrived, spot)
    end = arrived.id, int(np.arange(array.size).reshape(array.shape)[spot])
    counts, totals = walk.sums(end)
    name, total = f"{walk.names.of(arrived)}{_place(arrived, end[1])}", totals[end]
    answer, several = Why(), {"count": counts[end]} if counts[end] != 1 else {}
    answer.say(
        "{name} = {total}, the sum over {count} paths" if several else "{name} = {total}, along 1 path",
        **{"name": name, "total": number(total), **several},
    )
    answer.paths = list(islice(walk.paths(end, counts), MOST))
    answer.numbers = list(map(_line, answer.paths))
    if (left := counts[end] - len(answer.paths)) > 0:
        others = total - sum(prod(step.number for step in path) for path in answer.paths)
        answer.say("{count} more paths are together {total}", count=left, total=number(others))
    near, recorded = max(near_of(array.dtype), 1e-4), float(array[spot])
    if not np.isclose(recorded, total, near, near * float(np.max(np.abs(array))), equal_nan=True):
        told = number(recorded)
        answer.say("recorded is {number}: a rule on the way does more than multiply", number=told)
    if stored and made is not None and made.before is not None:
        answer.say("{name} held something before this pass: this was added", name=gradient.name)
    return answer


class _Walk:
    """Walks from an element of a gradient back to where backward began."""

    def __init__(self, trace: Trace, most: int) -> None:
        self.trace, self.names, self.most = trace, Names(trace), most
        self.known: dict[Element, list[Step]] = {}
        self.jacobians: dict[tuple[int, int], tuple[Array, Array]] = {}

    def steps(self, element: Element) -> list[Step]:
        """Return the last factors of the paths to an element."""
        if element not in self.known:
            parts = list(parts_of(self.trace, self.trace.values[element[0]]))
            self.known[element] = [step for part in parts[::-1] for step in self._steps(part, element[1])]
        return self.known[element]

    def _steps(self, part: Value, flat: int) -> Iterator[Step]:
        made = self.trace.maker(part)
        if made is None and part.same is not None and part.replaces is None:
            yield from self.steps((part.same, flat))
        elif not isinstance(made, Grad):  # a seed, or what a hook gave
            yield Step(None, f"{self.names.of(part)}{_place(part, flat)}", "", float(_known(part).flat[flat]))
        elif made.control or (made.body and self.trace.events[made.body[0]].op == "block"):
            # what a Block gave is the sum of gradients inside it, but for a PyLayer's
            inside = made.parts[made.outputs.index(part.id)] if made.control else None
            if inside is None:
                raise Missing(say("{name} cannot be computed again", name=part.name))
            for id_ in inside:
                yield from self.steps((id_, flat))
        else:
            of = self.names.inner(self.trace.owner(part)) + _place(part, flat)
            for coming in self.trace.known(made.inputs):
                slopes, linked = self._jacobian(made, part, coming)
                name = self.names.inner(self.trace.owner(coming))
                formula = local(self.trace, made, part) if part.stats.size == coming.stats.size == 1 else ""
                for row in np.flatnonzero(linked[:, flat]):
                    letters = f"∂{name}{_place(coming, int(row))}/∂{of}"
                    yield Step((coming.id, int(row)), letters, formula, float(slopes[row, flat]))

    def _jacobian(self, event: Grad, made: Value, coming: Value) -> tuple[Array, Array]:
        """Return the slopes from each element of `coming` to each of `made`, and where there is one, be it 0.

        A NaN in place of the 1 shows where: it reaches what depends on it, also by a factor 0. What the call saved
        has other numbers then, for a NaN of its own would reach as far.
        """
        key = made.id, coming.id
        if key not in self.jacobians:
            size, whole = _known(coming).size, self.trace.known(self.trace.of_forward(event))
            if size > self.most:
                much = {"name": coming.name, "size": size}
                raise Missing(say("{name} has {size} elements, too many for paths", **much))
            eye = np.eye(size, dtype=coming.dtype).reshape(size, *coming.shape)
            others = {value.id: stand_in(value) for value in whole if value.kind_of_dtype == "f"}
            probes = [({}, eye), (others, np.where(eye == 1, eye.dtype.type(np.nan), eye))]
            given = [{**known, coming.id: row} for known, rows in probes for row in rows]
            sent = [sent_back(self.trace, event, made, one) for one in given]
            if any(one is None for one in sent):
                raise Missing(say("{name} cannot be computed again", name=made.name))
            slopes, reached = np.asarray(sent).reshape(2, size, made.stats.size)
            self.jacobians[key] = slopes, np.isnan(reached) | ((slopes != 0) & ~np.isnan(slopes))
        return self.jacobians[key]

    def sums(self, end: Element) -> tuple[dict[Element, int], dict[Element, float]]:
        """Return the number of paths to each element on the way to `end`, and their sum."""
        waiting, seen = [end], {end}
        while waiting:
            befores = {step.before for step in self.steps(waiting.pop()) if step.before is not None}
            waiting += befores - seen
            seen |= befores
        counts: dict[Element, int] = {}
        totals: dict[Element, float] = {}
        for one in sorted(seen):  # a gradient is numbered before those that are made of it
            steps = [(step.number, step.before) for step in self.steps(one)]
            counts[one] = sum(1 if before is None else counts[before] for _, before in steps)
            totals[one] = sum(slope if before is None else slope * totals[before] for slope, before in steps)
        return counts, totals

    def paths(self, end: Element, counts: dict[Element, int]) -> Iterator[Path]:
        """Yield the paths to an element; the first factor is that of the loss."""
        waiting: list[tuple[Element | None, Path]] = [(end, ())]
        while waiting:
            element, path = waiting.pop()
            if element is None:
                yield path if path[0].number != 1 or len(path) == 1 else path[1:]
            elif counts[element]:
                waiting += [(step.before, (step, *path)) for step in reversed(self.steps(element))]


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
