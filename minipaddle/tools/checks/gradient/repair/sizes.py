"""Mistakes of size, found without a list of changes: a wrong or missing number, and a missing summand."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, Made, Ran, factors, instead
from minipaddle.tools.checks.gradient.repair.trial import END, Edits, Trial
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

_FEW = 6
"""Most values that are tried in pairs: 6 give 36 terms for each axis."""

Term = Callable[[Numbers], Array]
"""A summand of a gradient, from all numbers of backward."""


def wrong_numbers(trial: Trial, others: Sequence[Candidate]) -> Iterator[Edits]:
    """Yield the changes of a wrong number, also to a function of a value, or of two exchanged ones."""
    numbers = {
        at: float(trial.steps[at].attrs.get("scale", 1))
        for at in trial.order()
        if trial.steps[at].op == "scale" and not trial.steps[at].attrs.get("bias")
    }
    for (one, mine), (other, its) in itertools.combinations(numbers.items(), 2):
        if mine and its and mine != its:
            text = say("{one} and {other} are mixed up", one=number(mine), other=number(its))
            yield {one: _scaled("swapped", text, its / mine), other: _scaled("swapped", text, mine / its)}
    for at, mine in numbers.items():
        without, given = trial.gives({at: _scaled("", "", 0.0)}, 0), trial.given[0]
        share = None if without is None or given is None else _share(trial, given - without)
        if share is not None and share != -1:
            text = say("{mine} where {other} should be", mine=number(mine), other=number((1 + share) * mine))
            yield {at: _scaled("factor", text, 1 + share)}
        for edit in factors([one for one in others if trial.floats(one)]):
            text = say("; ").join([say("factor {factor} too much", factor=number(mine)), edit.text])
            yield {at: edit._replace(text=text, make=partial(_unscaled, edit.make))}


def _unscaled(make: Made, ran: Ran) -> list[Array] | None:
    return make(ran._replace(made=ran.given))


def _scaled(kind: str, text: str, factor: float) -> Edit:
    return Edit(kind, text, instead(partial(np.multiply, factor)))


def missing_terms(trial: Trial, others: Sequence[Candidate]) -> Iterator[Edits]:
    """Yield the changes that add a missing constant factor, or a missing term: incoming gradient times a value."""
    share = None if trial.given[0] is None else _share(trial, trial.given[0])
    if share is not None and abs(1 + share) > 1e-3:
        yield {END: _scaled("factor", say("missing factor {factor}", factor=number(1 + share)), 1 + share)}
    for name, term in _terms(trial, others):
        try:
            share = _share(trial, term(trial.made[0]))
        except ERRORS:
            continue
        if share is not None:
            times = "" if abs(share - 1) < 1e-4 else "-" if abs(share + 1) < 1e-4 else f"{number(share)} * "
            text = say("the term {name} is missing", name=times + name)
            yield {END: Edit("term", text, partial(_with_term, term, share))}


def _terms(trial: Trial, others: Sequence[Candidate]) -> Iterator[tuple[str, Term]]:
    """Yield terms with their names; the last ones are those of a softmax or a norm."""
    values = [one for one in others if not one.arrived and trial.floats(one)]
    for came in (one for one in others if one.arrived):
        yield came.name, came.numbers
        for one in values:
            yield f"{came.name} * {one.name}", partial(_product, came, one)
        for one, other in itertools.product(values[:_FEW], repeat=2):
            for axis in range(one.numbers(trial.made[0]).ndim):
                name = f"{one.name} * ({came.name} * {other.name}).sum(axis={axis}, keepdim=True)"
                yield name, partial(_projection, came, one, other, axis)


def _share(trial: Trial, term: Array) -> float | None:
    """Return the multiple of a term that is missing at the first, random point; None if it cannot be told."""
    right, given = trial.points[0].right.get(trial.one.id), trial.given[0]
    if len(trial.points) < 2 or right is None or given is None:
        return None
    if not term.shape == given.shape == right.shape or not term.any():
        return None
    return float((np.vdot(term, right - given) / np.vdot(term, term)).real)


def _with_term(term: Term, share: float, ran: Ran) -> list[Array]:
    return [ran.made[0] + share * term(ran.space)]


def _projection(came: Candidate, one: Candidate, other: Candidate, axis: int, made: Numbers) -> Array:
    inner = (came.numbers(made) * other.numbers(made)).sum(axis=axis, keepdims=True)
    product: Array = one.numbers(made) * inner
    return product


def _product(came: Candidate, other: Candidate, made: Numbers) -> Array:
    product: Array = came.numbers(made) * other.numbers(made)
    return product
