"""Operators that no formula says but that are linear in what may change, such as a convolution or a cumsum, as sums.

That they are is a fact of their gradient rules: the rule of an input that is only multiplied with numbers, or with
other inputs, has no use for that input, nor for a result. The numbers are what the kernel gives for ones among zeros.
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
"""Times that a kernel is run to find the numbers."""
_NEAR = 1e-9
Spots = tuple[int, ...]


class Term(NamedTuple):
    """What the elements of some inputs give, multiplied with each other and with numbers."""

    places: tuple[int, ...]
    """The inputs: one, or two."""
    products: Sequence[tuple[Spots, Array]]
    """For an element of each of these inputs, what their product is multiplied with for each element of the result."""
    zeros: Sequence[tuple[Spots, Array]] = ()
    """For an element, where it is multiplied with 0: that makes a NaN of what is not finite."""


class Sums(NamedTuple):
    """A result as numbers to which products are added."""

    start: Array
    terms: list[Term]


def sums_of(made: Made) -> Sums | None:
    """Return the result of a call as sums of what may change; None if it is no such operator, or too large."""
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
    """Return the other inputs that the gradient rule of one input looks at; None if also at that, or the result."""
    if made.place not in made.op.differentiable and not made.op.list_output:
        return set()  # a result that no gradient goes through
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
    """Runs an operator on zeros, with ones here and there, in the place of what may change."""

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
        """Find the numbers: of each input alone, then of each pair what neither alone gives."""
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
        """Add where elements are multiplied with 0 only: a NaN there reaches what no product has."""
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
        """Return the result where the inputs at these places have a one there, or another number."""
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
        """Say whether sums give what the kernel does: a rule may say less, as where a gradient is zero by decree."""
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
    """Return the numbers of what does not change; the kernel is to compute in double precision."""
    array = np.asarray(tree.value, tree.dtype)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
