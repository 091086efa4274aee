"""Mistakes of how much: a number that is another one, or is missing, and a product that was not added."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, instead
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

if TYPE_CHECKING:
    from minipaddle.tools.checks.gradient.repair.search import Search


def wrong_number(search: Search) -> Mistake | None:
    """Return the mistake of a wrong number, or of two that are mixed up: what backward gives goes straight with it."""
    factors = {
        at: float(search.steps[at].attrs.get("scale", 1))
        for at in search.order()
        if search.steps[at].op == "scale" and not search.steps[at].attrs.get("bias")
    }
    for (one, mine), (other, its) in itertools.combinations(factors.items(), 2):
        if mine and its and mine != its:
            text = say("{one} and {other} are mixed up", one=number(mine), other=number(its))
            if search.fits(
                {one: _scaled("swapped", text, its / mine), other: _scaled("swapped", text, mine / its)}
            ):
                return Mistake("swapped", text, search.line_at(one))
    for at, mine in factors.items() if len(search.points) > 1 else ():
        share = _right_share(search, at)
        text = say("{mine} where {other} should be", mine=number(mine), other=number(share * mine))
        if share and search.fits({at: _scaled("factor", text, share)}):
            return Mistake("factor", text, search.line_at(at))
    return None


def _scaled(kind: str, text: str, factor: float) -> Edit:
    return Edit(kind, text, instead(partial(np.multiply, factor)))


def _right_share(search: Search, at: int) -> float:
    """Return by how much an operator's output is to be multiplied for all to be right; 0 if it is of no use."""
    right, base = search.points[0].right.get(search.one.id), search.given[0]
    without = search.gives({at: _scaled("", "", 0.0)}, 0)
    if right is None or base is None or without is None or without.shape != right.shape:
        return 0.0
    part = base - without
    size = float(np.vdot(part, part).real)
    return float(np.vdot(part, right - without).real) / size if size else 0.0


def missing_term(search: Search, others: Sequence[Candidate]) -> Mistake | None:
    """Return the mistake of forgetting a number as a factor, or the product of what came in and a value."""
    share = _share(search, lambda made, given: given)
    if share is not None and abs(1 + share) > 1e-3:
        return Mistake("factor", say("missing factor {factor}", factor=number(1 + share)), search.line)
    ones = Candidate(-1, "", lambda space: np.ones(()))
    for came in (one for one in others if one.arrived):
        for other in [ones, *(one for one in others if not one.arrived and search.floats(one))]:
            share = _share(search, partial(_product, came, other))
            if share is not None:
                parts = (number(share) if abs(share - 1) > 1e-4 else "", came.name, other.name)
                text = say("the term {name} is missing", name=" * ".join(filter(None, parts)))
                return Mistake("term", text, search.line)
    return None


def _share(search: Search, term_of: Callable[[Numbers, Array], Array]) -> float | None:
    """Return how much of a term is missing, the same everywhere and at all points; None: something else is."""
    shares = []
    for which, (made, given, point) in enumerate(zip(search.made, search.given, search.points)):
        right = point.right.get(search.one.id)
        if given is None or right is None or given.dtype.kind != "f" or len(search.points) < 2:
            return None
        try:
            term = term_of(made, given)
        except ERRORS:
            return None
        if term.shape != given.shape or term.dtype.kind != "f" or not term.any():
            return None
        share = float(np.vdot(term, right - given) / np.vdot(term, term))
        if not search.is_right(given + share * term, which):
            return None
        shares.append(share)
    return shares[0] if np.allclose(shares, shares[0], rtol=1e-3) else None


def _product(came: Candidate, other: Candidate, made: Numbers, given: Array) -> Array:
    product: Array = came.numbers(made) * other.numbers(made)
    return product
