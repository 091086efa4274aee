"""The likely cause of a wrong gradient, by its numbers alone: which mistake turns what is right into what was given."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.repair.edits import factors, rearrangements, value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

Cause = tuple[str, str]
"""The kind of mistake, and what to say of it."""


def cause_of(given: Array, right: Array, named: Mapping[str, Array], whole: bool = True) -> Cause:
    """Return the likely cause; of no kind, and no words, if none fits. Of several that fit, all are named.

    `named` are inputs, outputs and incoming gradients. Without `whole` only some elements are known, in a row.
    """
    if not given.any():
        return "zero", say("no gradient arrives: it is zero or missing")
    found = _of_whole(given, right, named) if whole else iter(())
    causes: dict[str, str] = {}
    for kind, text in itertools.chain(found, _constant_factor(given, right)):
        causes.setdefault(kind, text)
    kind, text = next(iter(causes.items()), ("", ""))
    if len(causes) > 1:
        text = say("one of these, by the numbers: {causes}", causes="; ".join(causes.values()))
    return kind, text


def _alike(one: Array | None, other: Array) -> bool:
    if one is None or one.shape != other.shape or not np.isfinite(one).all():
        return False
    scale = max(float(np.abs(one).max(initial=0)), float(np.abs(other).max(initial=0)))
    return bool(np.allclose(one, other, rtol=1e-2, atol=2e-3 * scale)) and scale > 0


def _of_whole(given: Array, right: Array, named: Mapping[str, Array]) -> Iterator[Cause]:
    lengths = {length for array in named.values() for length in (*array.shape, array.size)} - {0, 1}
    yield from _one_slice(given, right, named)
    yield from _product(given, right, named)
    changes = rearrangements(given.ndim, sorted(lengths), (given.size,), given.dtype.kind == "c")
    space = dict(enumerate(named.values()))
    candidates = [value(id_, name) for id_, name in enumerate(named)]
    for change in itertools.chain(changes, factors(candidates)):
        with np.errstate(all="ignore"):
            made = change.make([], [given], space)
        if made is not None and _alike(made[0], right):
            yield change.kind, change.text
    yield from _moved(given, right)
    yield from _offset(right - given, float(np.abs(right).max(initial=0)), named)


def _product(given: Array, right: Array, named: Mapping[str, Array]) -> Iterator[Cause]:
    """Yield the cause if both are products of two matrices, of which one is transposed."""
    matrices = [array for array in named.values() if array.ndim == 2]
    for one, other in itertools.permutations(matrices, 2):
        pairs = itertools.product((one, one.T), (other, other.T))
        products = [left @ last for left, last in pairs if left.shape[1] == last.shape[0]]
        if any(_alike(made, given) for made in products) and any(_alike(made, right) for made in products):
            yield "transposed", say("transposed: one of the two matrices that are multiplied")


def _moved(given: Array, right: Array) -> Iterator[Cause]:
    """Yield the cause if each number is there, at another place along an axis."""
    for axis in range(given.ndim):
        if not _alike(given, right) and _alike(np.sort(given, axis), np.sort(right, axis)):
            yield "moved", say("the right numbers, at other places along axis {axis}", axis=axis)
    if not _alike(given, right) and _alike(np.sort(given, None), np.sort(right, None)):
        yield "moved", say("the right numbers, at other places")


def _one_slice(given: Array, right: Array, named: Mapping[str, Array]) -> Iterator[Cause]:
    """Yield the cause if one slice was taken where leading axes were to be summed."""
    for array in named.values():
        extra = array.ndim - given.ndim
        if extra < 1 or array.shape[extra:] != given.shape:
            continue
        slices = array.reshape(-1, *given.shape)
        if _alike(slices.sum(0), right) and any(_alike(one, given) for one in slices):
            text = say("a sum over a broadcast axis is missing (un-broadcast): one slice of it was taken")
            yield "broadcast", text


def _constant_factor(given: Array, right: Array) -> Iterator[Cause]:
    size = float(np.vdot(given, given).real)
    factor = complex(np.vdot(given, right)) / size if size else 0.0
    if factor and abs(factor - 1) > 0.02 and _alike(given * factor, right):
        if abs(factor + 1) < 0.02:
            yield "sign", say("wrong sign")
        elif given.size > 1:  # of a single number, anything is a multiple
            yield "factor", say("missing factor {factor}", factor=number(factor))


def _offset(gap: Array, scale: float, named: Mapping[str, Array]) -> Iterator[Cause]:
    if gap.size > 1 and np.abs(gap - gap.mean()).max() <= 1e-3 * scale:
        yield "term", say("{offset} is missing everywhere", offset=number(gap.mean()))
    for name, array in named.items():
        if _alike(array, gap):
            yield "term", say("the term {name} is missing", name=name)
        if _alike(-array, gap):
            yield "term", say("the term {name} is too much", name=name)
