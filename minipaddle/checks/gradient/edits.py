"""Small changes of one operator of a backward: each is a mistake that people make, the other way round."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace
from minipaddle.words.language import say
from minipaddle.words.numbers import number

Edit = Callable[[list[Array]], "list[Array] | None"]


class Change(NamedTuple):
    """A change that might make a backward right, and the mistake that it undoes."""

    kind: str
    text: str
    edit: Edit
    """What an operator gives, from its inputs; None where the change makes no sense."""


class After(NamedTuple):
    """A change of what an operator gives, or of what backward returns."""

    kind: str
    text: str
    function: Callable[[Array], Array | None]


class Candidate(NamedTuple):
    """A value that could stand in the place of another one."""

    id: int
    name: str
    numbers: Callable[[], Array]
    """Its numbers at the point that is looked at."""
    arrived: bool
    """Whether it is a gradient that came in."""


_TWINS = {
    "elementwise_add": "elementwise_sub",
    "elementwise_sub": "elementwise_add",
    "elementwise_mul": "elementwise_div",
    "elementwise_div": "elementwise_mul",
    "elementwise_max": "elementwise_min",
    "elementwise_min": "elementwise_max",
    "sin": "cos",
    "cos": "sin",
    "sinh": "cosh",
    "cosh": "sinh",
    "sqrt": "rsqrt",
    "rsqrt": "sqrt",
    "tanh": "sigmoid",
    "sigmoid": "tanh",
}
_SMALL = 4
_COMPARISONS = {
    "greater_than": ">",
    "greater_equal": ">=",
    "less_than": "<",
    "less_equal": "<=",
    "equal": "==",
    "not_equal": "!=",
}


def changes(trace: Trace, step: Event, inputs: Sequence[Array], shape: tuple[int, ...]) -> Iterator[Change]:
    """Yield the changes of one operator that need no other value, the likeliest first; `shape` is of what it gives."""
    yield from _inside_scale(step)
    yield from _other_operator(step)
    yield from _matrices(step)
    yield from _axes(step, inputs, shape)
    yield from _terms(trace, step)


def replacements(trace: Trace, step: Event, others: Sequence[Candidate]) -> Iterator[Change]:
    """Yield the changes that put another value in the place of an input."""
    for place, id_ in enumerate(id_ for id_ in step.inputs if id_ is not None):
        mine = trace.values[id_].name
        for other in others:
            if other.id == id_:
                continue
            kind, text = "saved", say("{mine} where {other} should be", mine=mine, other=other.name)
            if other.arrived:
                kind = "seed"
                text = say(
                    "{mine} where the gradient that came in should be, {other}", mine=mine, other=other.name
                )
            elif trace.values[other.id].holder == trace.values[id_].holder:
                kind, text = "overwritten", say("{name} was overwritten in forward", name=other.name)
            yield Change(kind, text, _with_input(step, place, other.numbers))


def factors(others: Sequence[Candidate]) -> Iterator[After]:
    """Yield the changes that multiply or divide by a function of a value."""
    for other in others:
        for form, function in FUNCTIONS[:1] if other.arrived else FUNCTIONS:
            factor = form.format(other.name)
            kind = "seed" if other.arrived else "factor"
            yield After(kind, say("missing factor {factor}", factor=factor), _times(other.numbers, function))
            extra = say("factor {factor} too much", factor=factor)
            yield After(kind, extra, _times(other.numbers, _inverse(function)))


def rearrangements(ndim: int, lengths: Sequence[int], sizes: Collection[int]) -> Iterator[After]:
    """Yield what can be done to any array: its sign, a transposition, a factor.

    `lengths` are those of axes, and `sizes` of inputs as a whole: a 2 or 3 is more often just a number.
    """
    yield After("sign", say("wrong sign"), np.negative)
    if ndim >= 2:
        yield After("transposed", say("transposed"), _transposed)
    for axis in range(ndim):
        flipped = say("flipped along axis {axis}", axis=axis)
        yield After("flipped", flipped, partial(np.flip, axis=axis))
        for shift in (1, -1):
            shifted = say("shifted by one along axis {axis}", axis=axis)
            yield After("shifted", shifted, partial(np.roll, shift=shift, axis=axis))
    for length in (one for one in lengths if one > _SMALL or one in sizes):
        extra = say(
            "{factor} times too large, as many as an axis has elements: a division by the size is missing",
            factor=length,
        )
        yield After("mean", extra, partial(np.multiply, 1 / length))
    for factor in (2.0, 3.0, 4.0, 0.5, 1 / 3, 0.25):
        text = say("missing factor {factor}", factor=number(factor))
        yield After("factor", text, partial(np.multiply, factor))
    for length in lengths:
        missing = say(
            "missing factor {factor}, as many as an axis has elements: a sum over a broadcast axis is missing "
            "(un-broadcast), or a mean stands for a sum",
            factor=length,
        )
        yield After("mean", missing, partial(np.multiply, length))


def _transposed(out: Array) -> Array | None:
    square = out.ndim >= 2 and out.shape[-1] == out.shape[-2]
    return np.swapaxes(out, -1, -2) if square else None


FUNCTIONS: tuple[tuple[str, Callable[[Array], Array]], ...] = (
    ("{}", lambda x: x),
    ("2 * {}", lambda x: 2 * x),
    ("{0} * {0}", lambda x: x * x),
    ("3 * {0} * {0}", lambda x: 3 * x * x),
    ("1 / {}", lambda x: 1 / x),
    ("1 / {0} ** 2", lambda x: 1 / (x * x)),
    ("exp({})", np.exp),
    ("cos({})", np.cos),
    ("sin({})", np.sin),
    ("(1 - {0} * {0})", lambda x: 1 - x * x),
    ("{0} * (1 - {0})", lambda x: x * (1 - x)),
    ("(1 - {})", lambda x: 1 - x),
    ("(1 + {})", lambda x: 1 + x),
    ("({} > 0)", lambda x: (x > 0).astype(np.float64)),
    ("({} <= 0)", lambda x: (x <= 0).astype(np.float64)),
    ("sign({})", np.sign),
    ("sqrt({})", np.sqrt),
)


def _run(step: Event, inputs: Sequence[Array], op: str = "", **attrs: Any) -> list[Array]:
    """Return what an operator gives for these inputs, or another `op`, with other attributes."""
    given = iter(inputs)
    filled = [None if id_ is None else next(given) for id_ in step.inputs]
    other = TABLE[op or step.op]
    with within(EAGER.reading), np.errstate(all="ignore"):
        made = other.run(*filled, **({**step.attrs, **attrs} if not op else {}))
    return [np.asarray(one) for one in (made if other.multiple else [made])]


def _with_input(step: Event, place: int, numbers: Callable[[], Array]) -> Edit:
    def edit(inputs: list[Array]) -> list[Array] | None:
        other = numbers()
        if other.shape != inputs[place].shape or other.dtype.kind != inputs[place].dtype.kind:
            return None
        return _run(step, [*inputs[:place], other, *inputs[place + 1 :]])

    return edit


def _times(
    numbers: Callable[[], Array], function: Callable[[Array], Array]
) -> Callable[[Array], Array | None]:
    def times(out: Array) -> Array | None:
        with np.errstate(all="ignore"):
            factor = function(numbers())
            return out * factor if _goes_into(factor.shape, out.shape) else None

    return times


def _goes_into(part: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether an array of shape `part` is broadcast to `shape`, and no further."""
    pairs = zip(part[::-1], shape[::-1])
    return len(part) <= len(shape) and all(mine in (1, theirs) for mine, theirs in pairs)


def _inverse(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda x: 1 / function(x)


def _running(step: Event, op: str = "", **attrs: Any) -> Edit:
    """Return the change that has other attributes, or is another operator."""
    return lambda inputs: _run(step, inputs, op, **attrs)


def _inside_scale(step: Event) -> Iterator[Change]:
    bias = float(step.attrs.get("bias", 0)) if step.op == "scale" else 0.0
    if bias:
        text = say("wrong sign inside")
        yield Change("sign", text, _running(step, scale=-float(step.attrs.get("scale", 1))))
        yield Change("sign", text, _running(step, bias=-bias))
        text = say("{offset} is too much", offset=number(bias))
        yield Change("term", text, _running(step, bias=0.0))


def _other_operator(step: Event) -> Iterator[Change]:
    if step.op in _TWINS:
        other = _TWINS[step.op]
        kind = "sign" if step.op in ("elementwise_add", "elementwise_sub") else "operator"
        text = say("{mine} where {other} should be", mine=step.title, other=TABLE[other].name)
        yield Change(kind, text, _running(step, other))
    for other, sign in _COMPARISONS.items() if step.op in _COMPARISONS else ():
        if other != step.op:
            text = say("wrong mask: {mine} where {other} should be", mine=_COMPARISONS[step.op], other=sign)
            yield Change("mask", text, _running(step, other))
    if step.op == "where":
        text = say("wrong mask: the two sides of where are mixed up")
        yield Change("mask", text, lambda inputs: _run(step, [inputs[0], *inputs[:0:-1]]))


def _matrices(step: Event) -> Iterator[Change]:
    if step.op != "matmul_v2":
        return
    flags = [bool(step.attrs.get(name)) for name in ("transpose_x", "transpose_y")]
    one = say("transposed: one of the two matrices that are multiplied")
    both = say("transposed: the two matrices are multiplied in the wrong order")
    yield Change("transposed", both, lambda given: _run(step, given[::-1]))
    for x, y in ((True, False), (False, True), (True, True)):
        attrs = {"transpose_x": x ^ flags[0], "transpose_y": y ^ flags[1]}
        yield Change("transposed", one, _running(step, "", **attrs))
        yield Change("transposed", both, _backwards(step, attrs))


def _backwards(step: Event, attrs: dict[str, Any]) -> Edit:
    return lambda given: _run(step, given[::-1], **attrs)


def _axes(step: Event, inputs: Sequence[Array], shape: tuple[int, ...]) -> Iterator[Change]:
    if not inputs:
        return
    ndim, now = inputs[0].ndim, step.attrs.get("axis")
    if step.op in ("reduce_sum", "reduce_mean", "reduce_max", "softmax", "cumsum"):
        for axis in range(ndim):
            if now not in (axis, axis - ndim, [axis], (axis,)):
                text = say("wrong axis: {axis} would be right", axis=axis)
                yield Change("axis", text, _running(step, axis=axis))
    if step.op == "cumsum":
        axis = ndim - 1 if now is None else int(now)
        text = say("flipped along axis {axis}", axis=axis)
        yield Change("flipped", text, lambda given: _from_the_end(given[0], axis))
    attrs = {name: step.attrs[name] for name in ("axis", "keepdim") if name in step.attrs}
    for mine, other in (("mean", "sum"), ("max", "sum"), ("min", "sum"), ("sum", "mean")):
        if step.op == f"reduce_{mine}":
            text = say("{mine} where {other} should be", mine=mine, other=other)
            kind = "mean" if "mean" in (mine, other) else "operator"
            yield Change(kind, text, _reducing(getattr(np, other), **attrs))
    if step.op == "slice":
        text = say("a sum over a broadcast axis is missing (un-broadcast): one slice of it was taken")
        for axis in range(ndim):
            yield Change("broadcast", text, _reducing(np.sum, axis=axis))
    if step.op == "slice" and shape != inputs[0].shape and len(shape) == ndim:
        for begin in itertools.product(
            *(range(whole - part + 1) for whole, part in zip(inputs[0].shape, shape))
        ):
            text = say("the slice begins at the wrong place: {begin} would be right", begin=list(begin))
            yield Change("shifted", text, _window(begin, shape))
    if "overwrite" in step.attrs or "overwrite" in TABLE[step.op].defaults:
        overwrites = bool({**TABLE[step.op].defaults, **step.attrs}["overwrite"])
        text = say("what meets at one place is overwritten, and should be added up")
        if overwrites:
            yield Change("accumulate", text, _running(step, overwrite=False))
    if step.op.startswith("conv"):
        text = say("flipped: the kernel")
        yield Change(
            "flipped", text, lambda given: _run(step, [given[0], given[1][..., ::-1, ::-1], *given[2:]])
        )


def _from_the_end(array: Array, axis: int) -> list[Array]:
    return [np.flip(np.cumsum(np.flip(array, axis), axis), axis)]


def _window(begin: tuple[int, ...], shape: tuple[int, ...]) -> Edit:
    return lambda given: [given[0][tuple(slice(at, at + size) for at, size in zip(begin, shape))]]


def _reducing(reduce: Any, axis: Any = None, keepdim: bool = False) -> Edit:
    axes = tuple(axis) if isinstance(axis, list) else axis
    return lambda given: [np.asarray(reduce(given[0], axis=axes, keepdims=keepdim))]


def _terms(trace: Trace, step: Event) -> Iterator[Change]:
    if step.op in ("elementwise_add", "elementwise_sub"):
        for place, id_ in enumerate(step.inputs):
            name = "" if id_ is None else trace.values[id_].name
            yield Change("term", say("the term {name} is too much", name=name), _without(step, place))


def _without(step: Event, place: int) -> Edit:
    """Return the change that leaves one summand out."""

    def edit(inputs: list[Array]) -> list[Array]:
        (out,) = _run(step, inputs)
        rest = inputs[1 - place] if place or step.op == "elementwise_add" else -inputs[1]
        return [np.broadcast_to(rest, out.shape)]

    return edit
