"""The likely cause of a wrong gradient: which mistake turns the right numbers into these."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from minipaddle.checks.gradient.edits import FUNCTIONS
from minipaddle.core.meta import Array
from minipaddle.words.language import say
from minipaddle.words.numbers import number


@dataclass
class Evidence:
    """The arrays that are known of a gradient that is wrong."""

    analytic: Array
    """What the rule gave."""
    numeric: Array | None
    """What it should be; None if only some elements are known."""
    pairs: Sequence[tuple[Array, Array]]
    """(given, right) at the elements that are known."""
    named: Mapping[str, Array] = field(default_factory=dict)
    """Inputs, outputs and incoming gradients, by name."""


Cause = tuple[str, str]
"""The kind of mistake, and what to say of it."""


def cause_of(evidence: Evidence) -> Cause:
    """Return the likely cause; of no kind, and no words, if none fits."""
    return next(_causes(evidence), ("", ""))


def _causes(evidence: Evidence) -> Iterator[Cause]:
    given = np.concatenate([pair[0].ravel() for pair in evidence.pairs])
    right = np.concatenate([pair[1].ravel() for pair in evidence.pairs])
    if not given.any():
        yield "zero", say("no gradient arrives: it is zero or missing")
    if _alike(given, -right):
        yield "sign", say("wrong sign")
    yield from _transposed(evidence)
    yield from _one_slice(evidence)
    yield from _constant_factor(evidence, given, right)
    yield from _array_factor(evidence)
    yield from _offset(evidence, given, right)


def _alike(one: Array, other: Array) -> bool:
    scale = max(float(np.abs(one).max(initial=0)), float(np.abs(other).max(initial=0)))
    return (
        one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-2, atol=2e-3 * scale)) and scale > 0
    )


def _transposed(evidence: Evidence) -> Iterator[Cause]:
    right = evidence.numeric
    if right is None:
        return
    if right.ndim >= 2 and _alike(evidence.analytic, np.swapaxes(right, -1, -2)):
        yield "transposed", say("transposed")
    matrices = [array for array in evidence.named.values() if array.ndim == 2]
    for one, other in itertools.permutations(matrices, 2):
        products = list(_products(one, other))
        for p, q in itertools.permutations(range(len(products)), 2):
            if _alike(evidence.analytic, products[p]) and _alike(right, products[q]):
                yield "transposed", say("transposed: one of the two matrices that are multiplied")


def _products(one: Array, other: Array) -> Iterator[Array]:
    """Yield what the product of two matrices is, of each as it is and transposed, where their sides fit."""
    for left, right in itertools.product((one, one.T), (other, other.T)):
        if left.shape[1] == right.shape[0]:
            yield left @ right


def _one_slice(evidence: Evidence) -> Iterator[Cause]:
    """Yield the cause if one slice was taken where leading axes were to be summed."""
    right, given = evidence.numeric, evidence.analytic
    for array in evidence.named.values():
        extra = array.ndim - given.ndim
        if right is None or extra < 1 or array.shape[extra:] != given.shape:
            continue
        slices = array.reshape(-1, *given.shape)
        if _alike(right, slices.sum(0)) and any(_alike(given, one) for one in slices):
            yield (
                "broadcast",
                say("a sum over a broadcast axis is missing (un-broadcast): one slice of it was taken"),
            )


def _constant_factor(evidence: Evidence, given: Array, right: Array) -> Iterator[Cause]:
    size = float(np.vdot(given, given))
    factor = float(np.vdot(given, right)) / size if size else 0.0
    if not factor or abs(factor - 1) < 0.02 or not _alike(given * factor, right):
        return
    lengths = {length for array in evidence.named.values() for length in (*array.shape, array.size)} - {1}
    for length in sorted(lengths):
        if np.isclose(factor, length, rtol=1e-2) and length > 4:
            yield (
                "mean",
                say(
                    "missing factor {factor}, as many as an axis has elements: a sum over a broadcast axis is missing "
                    "(un-broadcast), or a mean stands for a sum",
                    factor=length,
                ),
            )
        if np.isclose(factor, 1 / length, rtol=1e-2) and (length > 4 or length == given.size):
            yield (
                "mean",
                say(
                    "{factor} times too large, as many as an axis has elements: a division by the size is missing",
                    factor=length,
                ),
            )
    if given.size > 1 or _is_simple(factor):  # of a single number, anything is a multiple
        yield "factor", say("missing factor {factor}", factor=number(factor))


def _is_simple(factor: float) -> bool:
    """Return whether a factor is a small whole number, a half, a third and so on."""
    return any(
        abs(size - round(size)) < 1e-3 * size and round(size) < 10 for size in (abs(factor), 1 / abs(factor))
    )


def _array_factor(evidence: Evidence) -> Iterator[Cause]:
    """Yield the arrays at hand, and simple functions of them, that are missing as a factor or one too much."""
    right = evidence.numeric
    if right is None:
        return
    for name, array in evidence.named.items():
        for text, function in FUNCTIONS:
            with np.errstate(all="ignore"):
                factor = function(array)
                if not np.isfinite(factor).all():
                    continue
                try:
                    missing, extra = evidence.analytic * factor, right * factor
                except ValueError:
                    continue
            if missing.shape == right.shape and _alike(missing, right):
                yield "factor", say("missing factor {factor}", factor=text.format(name))
            if extra.shape == right.shape and _alike(extra, evidence.analytic):
                yield "factor", say("factor {factor} too much", factor=text.format(name))


def _offset(evidence: Evidence, given: Array, right: Array) -> Iterator[Cause]:
    gap = right - given
    if gap.size > 1 and np.ptp(gap) <= 1e-3 * float(np.abs(right).max(initial=0)):
        yield "term", say("{offset} is missing everywhere", offset=number(float(gap.mean())))
    for name, array in evidence.named.items():
        if evidence.numeric is not None and array.shape == evidence.analytic.shape:
            term = evidence.numeric - evidence.analytic
            if _alike(term, array):
                yield "term", say("the term {name} is missing", name=name)
            if _alike(term, -array):
                yield "term", say("the term {name} is too much", name=name)
