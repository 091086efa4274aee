"""The likely cause of a wrong gradient, by its numbers alone: for code that cannot be run again operator by operator.

Read first: :mod:`minipaddle.tools.checks.gradient.mistakes`, which looks for the operator to change.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.repair.edits import Ran, factors, rearrangements
from minipaddle.tools.checks.gradient.repair.edits import value as candidate_of
from minipaddle.tools.checks.gradient.results import Call, Mistake
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def causes_of(call: Call, given: Array, right: Array, whole: bool = True) -> Iterator[Mistake]:
    """Yield the mistakes that explain these numbers, the likeliest first; `whole`: all elements are known."""
    named: dict[str, Array] = {}
    for value in call.trace.known([*call.forward.inputs, *call.forward.outputs, *call.event.inputs]):
        if value.array is not None and value.array.dtype.kind in "biufc":
            named[value.name] = value.array.astype(np.result_type(value.array.dtype, np.float64))
    found: dict[str, str] = {}
    for kind, text in causes(given, right, named, whole):
        found.setdefault(kind, text)
    yield from (Mistake(kind, text, None) for kind, text in found.items())


def one_of(causes: Sequence[Mistake]) -> Mistake:
    """Return the likely mistake, naming all that fit; without kind and text if there is none."""
    if len(causes) < 2:
        return causes[0] if causes else Mistake("", "", None)
    texts = "; ".join(one.text for one in causes)
    return causes[0]._replace(text=say("one of these, by the numbers: {causes}", causes=texts))


def by_place(
    wrong: Array, given: Array, right: Array, line: Line | None, values: Sequence[tuple[str, Array]] = ()
) -> Mistake:
    """Return the mistake by wrong elements: at one index of an axis, by a mask, or by the sign of a value."""
    for axis in range(wrong.ndim):
        rows = np.flatnonzero(wrong.any(axis=tuple(i for i in range(wrong.ndim) if i != axis)))
        if len(rows) == 1 and wrong.shape[axis] > 1 and not wrong.all():
            text = say("wrong only at index {index} of axis {axis}", index=int(rows[0]), axis=axis)
            return Mistake("elements", text, line)
    some, others = given[wrong], right[wrong]
    small = 1e-6 * float(np.abs(right[np.isfinite(right)]).max(initial=0))
    kept, passed = int((some == 0).sum()), int((np.abs(others) <= small).sum())
    if kept + passed == len(some):
        text = say(
            "wrong mask: it holds back {kept} elements and lets {passed} pass that it should not",
            kept=kept,
            passed=passed,
        )
        return Mistake("mask", text, line)
    if wrong.all():
        return Mistake("", "", line)
    for name, array in values:
        for sign, mask in (("> 0", array > 0), ("< 0", array < 0), ("== 0", array == 0)):
            if np.array_equal(wrong, mask):
                return Mistake("mask", say("wrong just where {what}", what=f"{name} {sign}"), line)
    return Mistake("elements", "", line)


Cause = tuple[str, str]
"""The kind of a mistake, and the sentence about it."""


def causes(given: Array, right: Array, named: Mapping[str, Array], whole: bool = True) -> Iterator[Cause]:
    """Yield the causes that fit.

    `named` are inputs, outputs and incoming gradients. Without `whole` only some elements are known, in a row.
    """
    if not given.any():
        yield "zero", say("no gradient arrives: it is zero or missing")
        return
    yield from _of_whole(given, right, named) if whole else ()
    yield from _constant_factor(given, right)


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
    candidates = [candidate_of(id_, name) for id_, name in enumerate(named)]
    for change in itertools.chain(changes, factors(candidates)):
        with np.errstate(all="ignore"):
            made = change.make(Ran([], [given], space))
        if made is not None and _alike(made[0], right):
            yield change.kind, change.text
    yield from _moved(given, right)
    yield from _offset(right - given, float(np.abs(right).max(initial=0)), named)


def _product(given: Array, right: Array, named: Mapping[str, Array]) -> Iterator[Cause]:
    """Yield the cause if the gradient is the right product but for a transposed matrix."""
    matrices = [array for array in named.values() if array.ndim == 2]
    for one, other in itertools.permutations(matrices, 2):
        pairs = itertools.product((one, one.T), (other, other.T))
        products = [left @ last for left, last in pairs if left.shape[1] == last.shape[0]]
        if any(_alike(made, given) for made in products) and any(_alike(made, right) for made in products):
            yield "transposed", say("transposed: one of the two matrices that are multiplied")


def _moved(given: Array, right: Array) -> Iterator[Cause]:
    """Yield the cause if the gradient has the right numbers in another order."""
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
