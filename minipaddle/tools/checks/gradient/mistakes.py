"""Finds the mistake behind a wrong gradient: the small change that corrects it, and its line.

First the cases that need no search (None returned, gradients in the wrong order, a value of another call). Then one
operator of the user's backward at a time is changed until its result is right, at the numbers of the run and at
others, so that none fits by chance. Then one operator of forward is differentiated wrongly until it reproduces the
user's gradient. Last come rules that look at the numbers alone.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import Backward, Point, equal
from minipaddle.tools.checks.gradient.exact import Exact, Gradient, apart
from minipaddle.tools.checks.gradient.repair.edits import Ran, factors, rearrangements
from minipaddle.tools.checks.gradient.repair.edits import value as candidate_of
from minipaddle.tools.checks.gradient.repair.search import Search
from minipaddle.tools.checks.gradient.results import Call, Mistake, line_of_answer
from minipaddle.tools.checks.gradient.tape import ERRORS
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def mistake_of(exact: Exact, gradients: Sequence[Gradient], one: Gradient) -> Mistake:
    """Return the mistake in the gradient of one input."""
    line, backward = line_of_answer(exact.call, one.places[0]), _backward(exact)
    plain = next(_plain(exact, backward, gradients, one), None)
    if plain is not None:
        return Mistake(*plain, line)
    found = _by_changes(exact, backward, one)
    if found is None and not one.given.any():
        return Mistake("zero", say("no gradient arrives: it is zero or missing"), line)
    if found is None:
        sure = ~one.unsure
        pair = (one.given, one.right) if sure.all() else (one.given[sure], one.right[sure])
        found = by_numbers(exact.call, *pair, whole=bool(sure.all()))
        found = found._replace(line=line)
    known = exact.trace.known([*exact.forward.inputs, *exact.forward.outputs])
    values = [(value.name, exact.space.get(value.id, np.zeros(()))) for value in known]
    return found if found.kind else by_place(one.wrong, one.given, one.right, line, values)


def silent_mistake(exact: Exact, gradients: Sequence[Gradient]) -> tuple[int, Mistake] | None:
    """Return a mistake hidden by the particular incoming gradients, with its input; None if there is none.

    A backward that forgets to multiply by them is right where all of them are 1.
    """
    backward = _backward(exact)
    if backward is None or backward.branches:
        return None
    point = backward.seeded()
    for one in gradients:
        line = line_of_answer(exact.call, one.places[0])
        gives = backward.gives(point, one.places)
        right = point.right.get(one.id, np.zeros(one.value.shape))
        if gives is None or gives.shape != right.shape:
            continue
        other = Gradient(one.id, one.value, one.places, gives, right, np.zeros(right.shape))
        other.wrong = apart(gives, right, 10 * exact.tolerance) & np.isfinite(right)
        exact.excuse_kinks([other], point.seeds)
        if not other.wrong.any():
            continue
        here = backward.gives(backward.here, one.places)
        if here is not None and equal(gives, here):
            text = say("it is not multiplied by the gradient that came in: that it is right here is chance")
            return one.id, Mistake("seed", text, line)
        found = _changed(backward, other, point)
        text = say("right by chance, for the gradient that came in; for others it is wrong")
        if found is not None:
            return one.id, Mistake(found.kind, f"{text}: {found.text}", found.line or line)
        return one.id, Mistake("", text, line)
    return None


# -- without a search --------------------------------------------------------------------------------------------------


def _plain(
    exact: Exact, backward: Backward | None, gradients: Sequence[Gradient], one: Gradient
) -> Iterator[tuple[str, str]]:
    if not np.isfinite(one.given[one.wrong]).all():
        yield "not finite", say("what backward gives is not finite")
    if one.none:
        yield "none", say("backward returns None, and the gradient is not zero")
    yield from _exchanged(backward, gradients, one)
    if not one.right.any() and exact.is_flat(one.id):
        yield (
            "flat",
            say(
                "forward is flat, the true gradient is zero; if that is meant, say `# minipaddle: not the gradient`"
            ),
        )


def _exchanged(
    backward: Backward | None, gradients: Sequence[Gradient], one: Gradient
) -> Iterator[tuple[str, str]]:
    """Yield a wrong sign, or the gradient of another input, as causes, if confirmed at other numbers.

    If backward cannot run at other numbers, and those of the run allow several of these, none is yielded.
    """
    found = [(one.id, -1, "sign", say("wrong sign"))] if equal(one.given, -one.right, 1e-3) else []
    for other in gradients:
        differ = other is not one and not equal(other.right, one.right, 1e-3)
        if differ and equal(one.given, other.right, 1e-3):
            text = say("this is the gradient of {name}: two inputs are mixed up", name=other.value.name)
            found.append((other.id, 1, "swapped", text))
    point = None if backward is None or backward.branches else backward.generic()
    if backward is None or point is None:
        yield from ((kind, text) for _, _, kind, text in found[: len(found) == 1])
        return
    gives = backward.gives(point, one.places)
    for id_, sign, kind, text in found:
        right = point.right.get(id_)
        if right is not None and equal(gives, sign * right, 1e-3):
            yield kind, text


# -- by changing one operator ------------------------------------------------------------------------------------------


def _backward(exact: Exact) -> Backward | None:
    """Return the user's backward as a tape; None if a second run does not reproduce its results."""
    try:
        found = Backward(exact)
        return found if found.is_faithful else None
    except ERRORS:
        return None


def _by_changes(exact: Exact, backward: Backward | None, one: Gradient) -> Mistake | None:
    """Return the mistake found by changing backward; None if it cannot be run again, or no change fits."""
    if backward is None:
        return _by_diagonal(exact, one, Point(exact.space, exact.seeds, {}))
    if (found := _by_stale(backward, one)) is not None:
        return found
    if (np.abs(one.right) > one.noise).any() and one.given.any():
        return _changed(backward, one, backward.here)
    point = backward.seeded()
    gives, right = backward.gives(point, one.places), point.right.get(one.id)
    if gives is None or right is None or not gives.any():
        return None
    return _changed(backward, Gradient(one.id, one.value, one.places, gives, right, one.noise), point)


def _changed(backward: Backward, one: Gradient, point: Point) -> Mistake | None:
    """Return the mistake whose correction makes backward right at `point`, and at a random one if possible."""
    if _mixed_up(backward, one, point):
        text = say("the gradients of two outputs are mixed up")
        return Mistake("swapped", text, line_of_answer(backward.exact.call, one.places[0]))
    generic = backward.generic()
    search = Search(backward, one, [point] if generic is None else [generic, point])
    return search.found() or _by_diagonal(backward.exact, one, point)


def _mixed_up(backward: Backward, one: Gradient, point: Point) -> bool:
    """Return whether backward is right with the incoming gradients of two outputs exchanged."""
    start, right = backward.start(point), point.right.get(one.id)
    arrived = [id_ for id_ in backward.event.inputs if id_ is not None and id_ in start]
    for first, second in itertools.combinations(arrived, 2):
        if start[first].shape == start[second].shape:
            swapped = {first: start[second], second: start[first]}
            if equal(backward.gives(point, one.places, swapped), right, 1e-3):
                return True
    return False


def _by_stale(backward: Backward, one: Gradient) -> Mistake | None:
    """Return the mistake if backward reads a value of another call, or one that was overwritten since."""
    start = backward.start(backward.here)
    every = {id_: start[stale.right] for id_, stale in backward.stale.items()}
    for id_, stale in backward.stale.items():
        gives = (backward.gives(backward.here, one.places, put) for put in ({id_: start[stale.right]}, every))
        if not any(equal(given, one.right, 1e-3) for given in gives):
            continue
        name = backward.trace.values[stale.right].name
        line = stale.maker.where if stale.maker is not None else None
        if stale.why == "call":
            text = say(
                "backward reads {name} of another call: keep it in ctx, each call has its own", name=name
            )
            return Mistake("call", text, line_of_answer(backward.exact.call, one.places[0]))
        return Mistake("overwritten", say("{name} was overwritten after forward", name=name), line)
    return None


# -- by the numbers ----------------------------------------------------------------------------------------------------


def _by_diagonal(exact: Exact, one: Gradient, point: Point) -> Mistake | None:
    """Return the mistake of using only the diagonal of the Jacobian, if that explains the gradient."""
    outs = list(point.seeds.items())
    if len(outs) != 1 or outs[0][1].shape != one.given.shape or not 1 < one.given.size <= 256:
        return None
    id_, seed = outs[0]
    diagonal = np.zeros_like(seed)
    for spot in np.ndindex(seed.shape):
        alone = np.zeros_like(seed)
        alone[spot] = seed[spot]
        pulled = exact.tape.pull(point.space, {id_: alone}).get(one.id)
        diagonal[spot] = 0.0 if pulled is None else pulled[spot]
    if not equal(one.given, diagonal, 1e-3) or equal(diagonal, one.right, 1e-3):
        return None
    return Mistake("diagonal", only_the_diagonal(), line_of_answer(exact.call, one.places[0]))


def only_the_diagonal() -> str:
    """Return the sentence about a gradient from the diagonal of the Jacobian only."""
    return say("only the diagonal of the Jacobian: an output depends on other elements of the input, too")


def by_numbers(call: Call, given: Array, right: Array, whole: bool = True) -> Mistake:
    """Return the mistake that explains these numbers; `whole`: all elements are known."""
    named: dict[str, Array] = {}
    for value in call.trace.known([*call.forward.inputs, *call.forward.outputs, *call.event.inputs]):
        if value.array is not None and value.array.dtype.kind in "biufc":
            named[value.name] = value.array.astype(np.result_type(value.array.dtype, np.float64))
    kind, text = cause_of(given, right, named, whole)
    return Mistake(kind, text, None)


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


def cause_of(given: Array, right: Array, named: Mapping[str, Array], whole: bool = True) -> Cause:
    """Return the likely cause, naming all that fit; two empty texts if none does.

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
