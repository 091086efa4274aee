"""The likely cause of a wrong gradient, by its numbers alone: for code that cannot be run again operator by operator.

Below: mistakes at the border of a ``py_func``'s backward function, its arguments and the order of what it returns.

Read first: :mod:`minipaddle.tools.checks.gradient.mistakes`, which looks for the operator to change.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, Ran, factors, rearrangements
from minipaddle.tools.checks.gradient.results import Call, Mistake
from minipaddle.tools.checks.gradient.slopes import Slopes, function_of
from minipaddle.tools.checks.gradient.source import line_of_answer, line_of_head
from minipaddle.tools.checks.gradient.tape import Numbers, in_double, is_users, recorded
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def causes_of(call: Call, given: Array, right: Array, which: Any = ()) -> Iterator[Mistake]:
    """Yield the mistakes that explain these numbers, the likeliest first; `which` elements are known, if not all."""
    named: dict[str, Array] = {}
    for value in call.trace.known([*call.forward.inputs, *call.forward.outputs, *call.event.inputs]):
        if value.array is not None and value.array.dtype.kind in "biufc":
            array = value.array.astype(np.result_type(value.array.dtype, np.float64))
            if not len(which) or array[which].shape == given.shape:
                named[value.name] = array[which]
    found: dict[str, str] = {}
    for kind, text in causes(given, right, named, not len(which)):
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
    some, others = given[wrong], right[wrong]
    small = 1e-6 * float(np.abs(right[np.isfinite(right)]).max(initial=0))
    kept, passed = int((some == 0).sum()), int((np.abs(others) <= small).sum())
    if kept + passed == len(some):
        text = say(
            "wrong mask: it holds back {kept} elements and lets {passed} pass that it should not",
            kept=kept, passed=passed,
        )  # fmt: skip
        return Mistake("mask", text, line)
    if wrong.all():
        return Mistake("", "", line)
    for axis in range(wrong.ndim):
        rows = np.flatnonzero(wrong.any(axis=tuple(i for i in range(wrong.ndim) if i != axis)))
        if len(rows) == 1 and wrong.shape[axis] > 1:
            text = say("wrong only at index {index} of axis {axis}", index=int(rows[0]), axis=axis)
            return Mistake("elements", text, line)
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
    yield from (_of_whole if whole else _changed)(given, right, named)
    yield from _constant_factor(given, right)


def _alike(one: Array | None, other: Array) -> bool:
    if one is None or one.shape != other.shape or not np.isfinite(one).all():
        return False
    scale = max(float(np.abs(one).max(initial=0)), float(np.abs(other).max(initial=0)))
    return bool(np.allclose(one, other, rtol=1e-2, atol=2e-3 * scale)) and scale > 0


def _of_whole(given: Array, right: Array, named: Mapping[str, Array]) -> Iterator[Cause]:
    shapes = [array.shape for array in named.values()]
    yield from _one_slice(given, right, named)
    yield from _product(given, right, named)
    changes = rearrangements(given.ndim, shapes, given.size, given.dtype.kind == "c")
    yield from _changed(given, right, named, changes)
    yield from _moved(given, right)
    yield from _offset(right - given, float(np.abs(right).max(initial=0)), named)


def _changed(
    given: Array, right: Array, named: Mapping[str, Array], changes: Iterable[Edit] = ()
) -> Iterator[Cause]:
    """Yield the changes, and the factors out of values with a name, that make the gradient right."""
    space = dict(enumerate(named.values()))
    candidates = [Candidate(id_, name) for id_, name in enumerate(named)]
    for change in itertools.chain(changes, factors(candidates)):
        with np.errstate(all="ignore"):
            made = change.make(Ran([], [given], space))
        if made is not None and _alike(made[0], right):
            yield change.kind, change.text


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


# -- arguments of a py_func's backward ---------------------------------------------------------------------------------

_MOST = 4096
"""Most elements of all inputs: each is moved alone, at two points, which takes a second or two."""


def wrong_arguments(call: Call, place: int) -> Mistake | None:
    """Return the mistake if another order or choice of arguments makes every gradient right, at two points."""
    if call.forward.op != "py_func" or call.event.index not in call.trace.calls:
        return None
    function, taken = call.trace.calls[call.event.index]
    known = call.trace.known([*call.forward.inputs, *call.forward.outputs, *call.event.inputs])
    if sum(value.stats.size for _, value in call.floating) > _MOST:
        return None
    points = [*_points(call)]
    wanted = [at for at, id_ in enumerate(call.event.outputs) if id_ is not None]

    def answers(those: Sequence[Value], order: Sequence[int]) -> bool:
        """Return whether the function's results for these arguments are right, taken in this order."""
        made = [function(*[space[one.id] for one in those]) for space, _ in points]
        pairs = itertools.product(zip(made, points), zip(order, wanted))
        return all(equal(_answer(one, nth), right[at], 1e-3) for (one, (_, right)), (nth, at) in pairs)

    for order in [*itertools.permutations(range(len(wanted)))][1:]:
        if answers(taken, order):
            (mine,) = call.trace.known([call.forward.inputs[wanted[order.index(wanted.index(place))]]])
            text = say("this is the gradient of {name}: two inputs are mixed up", name=mine.name)
            return Mistake("swapped", text, line_of_answer(call, place))
    for chosen in itertools.permutations(known, len(taken)):
        if [one.shape for one in chosen] != [one.shape for one in taken] or list(chosen) == taken:
            continue
        try:
            is_right = answers(chosen, range(len(wanted)))
        except Exception as error:  # user code, for arguments that it does not expect
            if not is_users(error):
                raise
            continue
        if is_right:
            given, other = (", ".join(one.name for one in those) for those in (taken, chosen))
            text = say("it gets ({given}), and would be right for ({other})", given=given, other=other)
            skipped = {one.id for one in chosen} - {one.id for one in taken}
            if skipped:
                text = say("{text}: see skip_vars_in_backward_input", text=text)
            return Mistake("swapped", text, call.forward.where if skipped else line_of_head(call))
    return None


def _answer(made: object, nth: int) -> Array | None:
    several = list(made) if isinstance(made, (list, tuple)) else [made]
    return np.asarray(several[nth], np.float64) if nth < len(several) and several[nth] is not None else None


def _points(call: Call) -> Iterator[tuple[Numbers, dict[int, Array]]]:
    """Yield the numbers of the run and others, by value, each with the right gradients, by the places of the inputs."""
    function, rng = function_of(call), np.random.default_rng(8)
    seeds = {id_: in_double(recorded(call.trace, id_)) for id_ in call.incoming if id_ is not None}
    for spread in (0.0, 0.2):
        arrays = [
            in_double(recorded(call.trace, value.id)) * rng.uniform(1 - spread, 1 + spread, value.shape)
            for _, value in call.floating
        ]
        came = {id_: seed + spread * rng.uniform(0.5, 1, seed.shape) for id_, seed in seeds.items()}
        outs = function(arrays)
        weights = [np.zeros(out.shape) if id_ is None else came[id_] for id_, out in zip(call.incoming, outs)]
        right = {}
        for which, (place, _) in enumerate(call.floating):
            slopes = Slopes(function, weights, arrays, which, None)
            slots = np.ndindex(arrays[which].shape)
            right[place] = np.array([slopes.spot(spot).total for spot in slots]).reshape(arrays[which].shape)
        space = {id_: recorded(call.trace, id_) for id_ in call.forward.inputs if id_ is not None}
        space.update((value.id, array) for (_, value), array in zip(call.floating, arrays))
        space.update((id_, out) for id_, out in zip(call.forward.outputs, outs) if id_ is not None)
        yield {**space, **came}, right
