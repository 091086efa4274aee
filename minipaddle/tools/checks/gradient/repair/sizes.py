"""Mistakes of size, found without a list of changes: a wrong or missing number, and a missing summand."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, instead
from minipaddle.tools.checks.gradient.repair.search import Search
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

_FEW = 6
"""Most values that are tried in pairs: 6 give 36 terms for each axis."""


def wrong_number(search: Search, _: Sequence[Candidate]) -> Mistake | None:
    """Return the mistake of a wrong number, or of two exchanged ones: backward is linear in it."""
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
    """Return the factor on an operator's output that makes backward right; 0 if there is none."""
    right, base = search.points[0].right.get(search.one.id), search.given[0]
    without = search.gives({at: _scaled("", "", 0.0)}, 0)
    if right is None or base is None or without is None or without.shape != right.shape:
        return 0.0
    part = base - without
    size = float(np.vdot(part, part).real)
    return float(np.vdot(part, right - without).real) / size if size else 0.0


def missing_term(search: Search, others: Sequence[Candidate]) -> Mistake | None:
    """Return the mistake of a missing constant factor, or of a missing term: incoming gradient times a value."""
    share = _share(search, lambda made, given: given)
    if share is not None and abs(1 + share) > 1e-3:
        return Mistake("factor", say("missing factor {factor}", factor=number(1 + share)), search.line)
    ones = Candidate(-1, "", lambda space: np.ones(()))
    values = [one for one in others if not one.arrived and search.floats(one)]
    for came in (one for one in others if one.arrived):
        terms = [(f"{came.name} * {one.name}", partial(_product, came, one)) for one in values]
        terms.insert(0, (came.name, partial(_product, came, ones)))
        for one, other in itertools.product(values[:_FEW], repeat=2):
            for axis in range(one.numbers(search.made[0]).ndim):
                name = f"{one.name} * ({came.name} * {other.name}).sum(axis={axis}, keepdim=True)"
                terms.append((name, partial(_projection, came, one, other, axis)))
        for name, term in terms:
            share = _share(search, term)
            if share is not None:
                times = (
                    "" if abs(share - 1) < 1e-4 else "-" if abs(share + 1) < 1e-4 else f"{number(share)} * "
                )
                return Mistake("term", say("the term {name} is missing", name=times + name), search.line)
    return None


def _share(search: Search, term_of: Callable[[Numbers, Array], Array]) -> float | None:
    """Return the missing multiple of a term, equal at all elements and points; None if it does not fit."""
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


def _projection(
    came: Candidate, one: Candidate, other: Candidate, axis: int, made: Numbers, _: Array
) -> Array:
    """Return the term that a softmax or a norm has: a value times the sum of what came in times another one."""
    inner = (came.numbers(made) * other.numbers(made)).sum(axis=axis, keepdims=True)
    product: Array = one.numbers(made) * inner
    return product


def _product(came: Candidate, other: Candidate, made: Numbers, given: Array) -> Array:
    product: Array = came.numbers(made) * other.numbers(made)
    return product
