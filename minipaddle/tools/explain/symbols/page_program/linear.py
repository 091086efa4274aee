"""Operators without a formula that are linear in their changeable inputs (a convolution, a cumsum), as sums.

Their gradient rules prove it: the rule of an input that is only multiplied by constants, or by
other inputs, uses neither that input nor a result. Running the kernel on ones among zeros gives the factors.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.symbols.mode import Made
from minipaddle.tools.explain.symbols.tree import Tree

_MOST_RUNS = 4096
"""Most runs of a kernel to find the factors: some seconds."""
_NEAR = 1e-9  # relative: the kernel runs in double precision, and a few thousand terms round to less
Spots = tuple[int, ...]


class Term(NamedTuple):
    """Products of elements of one input, or of two, each with a constant factor."""

    places: tuple[int, ...]
    """The inputs: one or two."""
    products: Sequence[tuple[Spots, Array]]
    """For an element of each input, the factor of their product in each element of the result."""
    zeros: Sequence[tuple[Spots, Array]] = ()
    """For an element, the results where its factor is 0: a NaN or Inf there makes a NaN."""


class Sums(NamedTuple):
    """A result as constants plus products."""

    start: Array
    terms: list[Term]


def sums_of(made: Made) -> Sums | None:
    """Return the result of a call as sums of its changeable inputs; None if it is not linear, or too large."""
    change = [place for place, one in enumerate(made.inputs) if one is not None and one.open]
    looks = {place: _looked_at(made, place) for place in change}
    if any(found is None for found in looks.values()):
        return None
    met = {place: (found or set()) & set(change) for place, found in looks.items()}
    if any(len(found) > 1 for found in met.values()):
        return None  # a product of three
    run = _Kernel(made, change)
    pairs = [(one, other) for one, other in combinations(change, 2) if other in met[one] or one in met[other]]
    if sum(map(run.size, change)) + sum(run.size(one) * run.size(other) for one, other in pairs) > _MOST_RUNS:
        return None
    try:
        sums = run.sums(change, pairs)
        return run.with_zeros(sums) if run.gives(sums) else None
    except (ArithmeticError, LookupError, TypeError, ValueError):  # it refuses such numbers: it is not linear
        return None


def _looked_at(made: Made, place: int) -> set[int] | None:
    """Return the other inputs that one input's gradient rule reads; None if it also reads that input, or the result."""
    if made.place not in made.op.differentiable and not made.op.list_output:
        return set()  # a result that passes no gradient on
    where = [one == place for one in range(len(made.inputs))]
    rule = next((rule for rule in made.op.rules if any(rule.of(where))), None)
    if rule is None:
        return None
    found: set[int] = set()
    for source in rule.sources:
        if (source.kind, source.place) in (("output", made.place), ("input", place)) and not source.many:
            return None
        if source.kind == "input":
            found |= set(range(source.place, len(where))) - {place} if source.many else {source.place}
    return found


class _Kernel:
    """Runs an operator with its changeable inputs zero, except for single ones."""

    def __init__(self, made: Made, change: Sequence[int]) -> None:
        self.made = made
        self.inputs: dict[int, Any] = {
            place: None if one is None else np.zeros(one.shape) if place in change else _given(one)
            for place, one in enumerate(made.inputs)
        }

    def size(self, place: int) -> int:
        """Return the number of elements of an input."""
        return int(np.size(self.inputs[place]))

    def sums(self, change: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Sums:
        """Find the factors: of each input alone, then of each pair."""
        start = self.with_ones()
        alone = {
            place: [self.with_ones((place, k)) - start for k in range(self.size(place))] for place in change
        }
        terms = [Term((place,), [((k,), one) for k, one in enumerate(alone[place])]) for place in change]
        for one, other in pairs:
            products = [
                ((j, k), self.with_ones((one, j), (other, k)) - start - alone[one][j] - alone[other][k])
                for j in range(self.size(one))
                for k in range(self.size(other))
            ]
            terms.append(Term((one, other), products))
        return Sums(start, terms)

    def with_zeros(self, sums: Sums) -> Sums:
        """Add the places where elements are multiplied by 0 only: a NaN there reaches results without a product."""
        multiplied: dict[tuple[int, int], Array] = {}
        for places, products, _ in sums.terms:
            for spots, made in products:
                for key in zip(places, spots):
                    multiplied[key] = np.logical_or(multiplied.get(key, False), made)

        def with_own(term: Term) -> Term:
            found = []
            for spots, _ in term.products:
                key = term.places[0], spots[0]
                found.append((spots, np.isnan(self.with_ones(key, number=np.nan)) & ~multiplied[key]))
            return term._replace(zeros=found)

        return sums._replace(terms=[with_own(one) if len(one.places) == 1 else one for one in sums.terms])

    def with_ones(self, *ones: tuple[int, int], number: float = 1) -> Array:
        """Return the result where the inputs have a one, or another number, at these places."""
        given = dict(self.inputs)
        for place, spot in ones:
            array = np.zeros(self.size(place))
            array[spot] = number
            given[place] = array.reshape(np.shape(given[place]))
        return self.run(given)

    def run(self, given: Mapping[int, Any]) -> Array:
        """Return the result for these inputs."""
        made = self.made
        with within(EAGER.reading), np.errstate(all="ignore"):
            found = made.op.run(*given.values(), **made.attrs)
        return np.asarray(found[made.place] if made.op.multiple else found, np.float64)

    def gives(self, sums: Sums) -> bool:
        """Return whether sums give the kernel's result; they do not where a rule defines a gradient as zero."""
        rng = np.random.default_rng(0)
        change = {place for term in sums.terms for place in term.places}
        given = {
            place: rng.uniform(-2, 2, np.shape(one)) if place in change else one
            for place, one in self.inputs.items()
        }
        total = sums.start.copy()
        for places, products, _ in sums.terms:
            for spots, made in products:
                total = total + made * np.prod(
                    [given[place].flat[spot] for place, spot in zip(places, spots)]
                )
        return np.allclose(self.run(given), total, rtol=_NEAR, atol=_NEAR)


def _given(tree: Tree) -> Array:
    """Return the constant inputs as arrays; the kernel is to compute in double precision."""
    array = np.asarray(tree.value, tree.dtype)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
