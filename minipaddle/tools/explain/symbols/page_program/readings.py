"""Operators and NumPy functions as program instructions, where a formula would show them by name.

A reading defines the kernel's result for any numbers, by the program's functions. Mistakes in it
show at once: an event must reproduce its recording, and the tests run each operator in a browser on other numbers.

Below: operators that no reading defines and that are linear in their changeable inputs (a convolution, a cumsum), as
sums. Their gradient rules prove it: the rule of an input that is only multiplied by constants, or by other inputs,
uses neither that input nor a result. Running the kernel on ones among zeros gives the factors.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.mode import Call
from minipaddle.tools.explain.symbols.symbol import MORE, Symbol, take, tree_of
from minipaddle.tools.explain.symbols.tree import Tree, undecided
from minipaddle.tools.words.setting import setting


class Instruction(Tree):
    """A tree for one instruction: its `kind`, and its parts."""

    def __init__(
        self, kind: str, shape: Shape, dtype: Any, parts: Sequence[Tree], run: Callable[..., Any]
    ) -> None:
        super().__init__(shape, dtype, tuple(parts), run)
        self.kind = kind


def pick(part: Tree, places: Tree) -> Tree:
    """Return the elements of a part at changeable places, which count along memory."""
    return Instruction(
        "pick", places.shape, part.dtype, [part, places], lambda x, at: np.ravel(x)[np.asarray(at)]
    )


def put(part: Tree, places: Tree, shape: Shape) -> Tree:
    """Return zeros of a shape, to which the elements of a part are added at changeable places."""

    def run(x: Any, at: Any) -> Any:
        found = np.zeros(int(np.prod(shape)), part.dtype)
        np.add.at(found, np.ravel(at), np.ravel(x))
        return found.reshape(shape)

    return Instruction("put", shape, part.dtype, [part, places], run)


def join(parts: Sequence[Tree]) -> Tree:
    """Return all elements of several parts in a row."""

    def run(*values: Any) -> Any:
        return np.concatenate(
            [np.ravel(np.broadcast_to(one, part.shape)) for one, part in zip(values, parts)]
        )

    dtype = np.result_type(*[part.dtype for part in parts])
    return Instruction("join", (sum(part.size for part in parts),), dtype, parts, run)


@contextmanager
def for_any_numbers() -> Iterator[None]:
    """A ``with`` block in which readings hold for any numbers, and may use all instructions of a program."""
    with setting(MORE, READINGS), undecided():
        yield


def _flat_places(index: Any, axis: int, shape: Shape) -> Symbol:
    """Return the places in memory of the elements that `index` selects along an axis of an array of `shape`."""
    axis %= len(shape)
    sizes = [1 if one == axis else size for one, size in enumerate(index.shape)]
    firsts = np.ravel_multi_index(tuple(np.indices(sizes, sparse=True)), shape) if shape[axis] else 0
    within = Symbol(tree_of(index)) % shape[axis] if shape[axis] else Symbol(tree_of(index))
    found: Symbol = within * math.prod(shape[axis + 1 :]) + np.broadcast_to(firsts, index.shape)
    return found


def _along(x: Any, index: Any, axis: int) -> Symbol:
    return Symbol(pick(tree_of(x), _flat_places(index, axis, x.shape).tree))


def _add_along(x: Any, index: Any, axis: int, shape: Any, distinct: bool = False) -> Symbol:
    places = _flat_places(index, axis, tuple(shape))
    return Symbol(put(shape_rules.broadcast(tree_of(x), index.shape), places.tree, tuple(shape)))


def _concatenated(x: Sequence[Any], axis: int = 0) -> Symbol:
    """Read a concatenation: all elements in a row, then put in order."""
    trees = [tree_of(one) for one in x]
    starts = np.cumsum([0, *(tree.size for tree in trees)])
    own = [start + np.arange(tree.size).reshape(tree.shape) for start, tree in zip(starts, trees)]
    return Symbol(shape_rules.index(join(trees), (tree_of(np.concatenate(own, axis)),)))


def _stacked(x: Sequence[Any], axis: int = 0) -> Symbol:
    return _concatenated([np.expand_dims(one, axis) for one in x], axis)


def _bce(x: Any, label: Any) -> Any:
    """Read the loss without its check of probabilities: outside of 0 to 1 the logarithm is NaN."""
    return -(label * np.maximum(np.log(x), -100) + (1 - label) * np.maximum(np.log(1 - x), -100))


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Read an operator with a list input by a function of that list."""
    return lambda *x, axis=0: function(x, axis)


READINGS: dict[Any, Callable[..., Any]] = {
    np.take: lambda x, index, axis=0: take(x, np.asarray(index), axis),
    np.take_along_axis: _along,
    np.concatenate: _concatenated,
    np.stack: _stacked,
    "take_along_axis": _along,
    "add_along_axis": _add_along,
    "concat": _of_arrays(_concatenated),
    "stack": _of_arrays(_stacked),
    "bce_loss": _bce,
    "cast": lambda x, dtype: x.astype(as_numpy(dtype)),
}
"""Readings by NumPy function, or by operator type."""


# -- sums --------------------------------------------------------------------------------------------------------------

_MOST_RUNS = 4096
"""Most runs of a kernel to find the factors: some seconds."""
_NEAR = 1e-9  # relative: the kernel runs in double precision, and a few thousand terms round to less


class Term(NamedTuple):
    """Products of elements of one input, or of two, each with a constant factor."""

    places: tuple[int, ...]
    """The inputs: one or two."""
    factors: Array
    """An axis for the elements of each input, and one for those of the result."""
    zeros: Any = ()
    """Like `factors`, where one is 0: whether a NaN or Inf makes a NaN all the same."""


Sums = tuple[Array, list[Term]]
"""A result as constants plus products."""


def sums_of(made: Call) -> Sums | None:
    """Return the result of a call as sums of its changeable inputs; None if it is not linear, or too large."""
    change = [place for place, one in enumerate(made.inputs) if one is not None and one.open]
    met = {place: _looked_at(made, place) & set(change) for place in change}
    if any(place in found or len(found) > 1 for place, found in met.items()):
        return None  # a square, or a product of three
    run = _Kernel(made, change)
    pairs = [(one, other) for one, other in combinations(change, 2) if other in met[one] or one in met[other]]
    if sum(map(run.size, change)) + sum(run.size(one) * run.size(other) for one, other in pairs) > _MOST_RUNS:
        return None
    try:
        return run.sums(change, pairs)
    except (ArithmeticError, LookupError, TypeError, ValueError):  # it refuses such numbers: it is not linear
        return None


def _looked_at(made: Call, place: int) -> set[int]:
    """Return the inputs that one input's gradient rule reads: that input too if it reads the result, or is unknown."""
    if made.place not in made.op.differentiable and not made.op.list_output:
        return set()  # a result that passes no gradient on
    where = [one == place for one in range(len(made.inputs))]
    rule = next((rule for rule in made.op.rules if any(rule.of(where))), None)
    if rule is None:
        return {place}
    found: set[int] = set()
    for source in rule.sources:
        if (source.kind, source.place, source.many) == ("output", made.place, False):
            found.add(place)
        if source.kind == "input":
            found |= set(range(source.place, len(where))) - {place} if source.many else {source.place}
    return found


class _Kernel:
    """Runs an operator with its changeable inputs zero, except for single ones."""

    def __init__(self, made: Call, change: Sequence[int]) -> None:
        self.made = made
        self.inputs: dict[int, Any] = {
            place: None if one is None else np.zeros(one.shape) if place in change else _given(one)
            for place, one in enumerate(made.inputs)
        }

    def size(self, place: int) -> int:
        """Return the number of elements of an input."""
        return int(np.size(self.inputs[place]))

    def sums(self, change: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Sums | None:
        """Return the factors of each input alone, then of each pair; None if the results are no such sums."""
        start = self.with_ones()
        alone = {place: self.of_each(place) - start for place in change}
        both = [
            Term((one, other), self.of_each(one, other) - start - alone[one][:, None] - alone[other])
            for one, other in pairs
        ]
        if not self.gives(start, [*(Term((place,), alone[place]) for place in change), *both]):
            return None
        multiplied = {place: factors != 0 for place, factors in alone.items()}
        for (one, other), factors, _ in both:
            multiplied[one] |= factors.any(axis=1)
            multiplied[other] |= factors.any(axis=0)
        terms = [
            Term((place,), alone[place], np.isnan(self.of_each(place, number=np.nan)) & ~multiplied[place])
            for place in change
        ]
        return start, terms + both

    def of_each(self, *places: int, number: float = 1) -> Array:
        """Return the results for a one, or another number, in these inputs: an axis each, and that of the result."""
        sizes = [self.size(place) for place in places]
        found = [self.with_ones(*zip(places, spots), number=number) for spots in np.ndindex(*sizes)]
        return np.reshape(found, (*sizes, self.with_ones().size))

    def with_ones(self, *ones: tuple[int, int], number: float = 1) -> Array:
        """Return the result where the inputs have a one, or another number, at these places."""
        given = dict(self.inputs)
        for place, spot in ones:
            array = np.zeros(self.size(place))
            array[spot] = number
            given[place] = array.reshape(np.shape(given[place]))
        return self.run(given)

    def run(self, given: Mapping[int, Any]) -> Array:
        """Return the result for these inputs, flat."""
        made = self.made
        with within(EAGER.reading), np.errstate(all="ignore"):
            found = made.op.run(*given.values(), **made.attrs)
        return np.ravel(np.asarray(found[made.place] if made.op.multiple else found, np.float64))

    def gives(self, start: Array, terms: Sequence[Term]) -> bool:
        """Return whether sums give the kernel's result; they do not where a rule defines a gradient as zero."""
        rng = np.random.default_rng(0)
        change = {place for term in terms for place in term.places}
        given = {
            place: rng.uniform(-2, 2, np.shape(one)) if place in change else one
            for place, one in self.inputs.items()
        }
        total = start
        for places, found, _ in terms:
            for place in places:
                found = np.tensordot(np.ravel(given[place]), found, 1)
            total = total + found
        return np.allclose(self.run(given), total, rtol=_NEAR, atol=_NEAR)


def _given(tree: Tree) -> Array:
    """Return the constant inputs as arrays; the kernel is to compute in double precision."""
    array = np.asarray(tree.value, tree.dtype)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
