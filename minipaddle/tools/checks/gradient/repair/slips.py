"""Changes of one operator of a backward that undo common slips: a wrong axis, operand or value."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.program_printing import printed
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, Made, Ran, needs
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

_TWINS = {
    "elementwise_add": "elementwise_sub",
    "elementwise_mul": "elementwise_div",
    "elementwise_max": "elementwise_min",
    "sin": "cos",
    "sinh": "cosh",
    "sqrt": "rsqrt",
    "tanh": "sigmoid",
    "logical_and": "logical_or",
    "bitwise_and": "bitwise_or",
    "arg_max": "arg_min",
}
_TWINS |= {other: one for one, other in _TWINS.items()}
_COMPARISONS = {
    "greater_than": ">",
    "greater_equal": ">=",
    "less_than": "<",
    "less_equal": "<=",
    "equal": "==",
    "not_equal": "!=",
}
_AXES = 4
"""Most axes that are tried in every order: 4 have 24 orders."""
_FEW = 3
"""Most parts that are tried in every order: 3 have 6 orders, 4 have 24."""


# -- of one operator, without another value ----------------------------------------------------------------------------


def changes(trace: Trace, step: Event, inputs: Sequence[Array]) -> Iterator[Edit]:
    """Yield the changes of one operator that need no other value, the likeliest first."""
    shape = trace.known(step.outputs)[0].shape
    yield from _inside_scale(step)
    yield from _other_operator(step)
    yield from _matrices(step)
    yield from _axes(step, inputs, shape) if inputs else ()
    yield from _places(step, inputs, shape)
    yield from _parts(trace, step, inputs)


def _run(step: Event, inputs: Sequence[Array], op: str = "", **attrs: Any) -> list[Array]:
    """Return the outputs of an operator (or of `op` instead) for these inputs, with changed attributes."""
    given = iter(inputs)
    filled = [None if id_ is None else next(given) for id_ in step.inputs]
    other = TABLE[op or step.op]
    with within(EAGER.reading), np.errstate(all="ignore"):
        made = other.run(*filled, **({**step.attrs, **attrs} if not op else {}))
    return [np.asarray(one) for one in (made if other.multiple else [made])]


def _running(step: Event, op: str = "", order: slice | Sequence[int] = slice(None), **attrs: Any) -> Made:
    """Return the change to other attributes, another operator, or another order of inputs."""

    def make(ran: Ran) -> list[Array]:
        taken = ran.given[order] if isinstance(order, slice) else [ran.given[place] for place in order]
        return _run(step, taken, op, **attrs)

    return make


def _doing(function: Callable[..., Array]) -> Made:
    """Return the change that replaces the output by a function of the inputs."""
    return lambda ran: [function(*ran.given)]


def _inside_scale(step: Event) -> Iterator[Edit]:
    bias = float(step.attrs.get("bias", 0)) if step.op == "scale" else 0.0
    if bias:
        text = say("wrong sign inside")
        yield Edit("sign", text, _running(step, scale=-float(step.attrs.get("scale", 1))))
        yield Edit("sign", text, _running(step, bias=-bias))
        text = say("{offset} is too much", offset=number(bias))
        yield Edit("term", text, _running(step, bias=0.0))


def _other_operator(step: Event) -> Iterator[Edit]:
    if step.op in _TWINS:
        other = _TWINS[step.op]
        kind = "sign" if step.op in ("elementwise_add", "elementwise_sub") else "operator"
        text = say("{mine} where {other} should be", mine=step.title, other=TABLE[other].name)
        yield Edit(kind, text, _running(step, other))
    for other, sign in _COMPARISONS.items() if step.op in _COMPARISONS else ():
        if other != step.op:
            text = say("wrong mask: {mine} where {other} should be", mine=_COMPARISONS[step.op], other=sign)
            yield Edit("mask", text, _running(step, other))
    if step.op == "where":
        text = say("wrong mask: the two sides of where are mixed up")
        yield Edit("mask", text, _running(step, order=(0, 2, 1)))


def _matrices(step: Event) -> Iterator[Edit]:
    if step.op != "matmul_v2":
        return
    flags = [bool(step.attrs.get(name)) for name in ("transpose_x", "transpose_y")]
    one = say("transposed: one of the two matrices that are multiplied")
    both = say("transposed: the two matrices are multiplied in the wrong order")
    yield Edit("transposed", both, _running(step, order=(1, 0)))
    for x, y in ((True, False), (False, True), (True, True)):
        attrs: dict[str, Any] = {"transpose_x": x ^ flags[0], "transpose_y": y ^ flags[1]}
        yield Edit("transposed", one, _running(step, **attrs))
        yield Edit("transposed", both, _running(step, order=(1, 0), **attrs))


def _axes(step: Event, inputs: Sequence[Array], shape: tuple[int, ...]) -> Iterator[Edit]:
    ndim, now = inputs[0].ndim, step.attrs.get("axis")
    yield from _other_axes(step, ndim + (step.op in ("unsqueeze2", "stack")))
    if step.op == "cumsum":
        axis = ndim - 1 if now is None else int(now)
        text = say("flipped along axis {axis}", axis=axis)
        yield Edit("flipped", text, _doing(lambda x: np.flip(np.cumsum(np.flip(x, axis), axis), axis)))
    attrs = {name: step.attrs[name] for name in ("axis", "keepdim") if name in step.attrs}
    for mine, other in (("mean", "sum"), ("max", "sum"), ("min", "sum"), ("sum", "mean")):
        if step.op == f"reduce_{mine}":
            text = say("{mine} where {other} should be", mine=mine, other=other)
            kind = "mean" if "mean" in (mine, other) else "operator"
            yield Edit(kind, text, _reducing(getattr(np, other), **attrs))
    if step.op == "slice":
        text = say("a sum over a broadcast axis is missing (un-broadcast): one slice of it was taken")
        for axis in range(ndim):
            yield Edit("broadcast", text, _reducing(np.sum, axis=axis))


def _other_axes(step: Event, ndim: int) -> Iterator[Edit]:
    """Yield the same operator along other axes, with or without ``keepdim``, and the other orders of the axes."""
    attrs = {**TABLE[step.op].defaults, **step.attrs}
    if "perm" in attrs and ndim <= _AXES:
        for perm in itertools.permutations(range(ndim)):
            if perm != tuple(attrs["perm"]):
                text = say("wrong perm: {perm} would be right", perm=list(perm))
                yield Edit("axis", text, _running(step, perm=perm))
    if "axis" not in attrs or ndim > _AXES:
        return
    axes = attrs["axis"] if isinstance(attrs["axis"], (tuple, list)) else [attrs["axis"]]
    now = [one % ndim for one in axes if one is not None]
    keeps = (bool(attrs.get("keepdim")), True, False)[: 3 if "keepdim" in attrs else 1]
    for keep in dict.fromkeys(keeps):
        for those in itertools.combinations(range(ndim), len(now) or 1):
            right = those if isinstance(attrs["axis"], (tuple, list)) else those[0]
            kept: dict[str, Any] = {} if keep == keeps[0] else {"keepdim": keep}
            text = say("wrong axis: {axis} would be right", axis=those[0] if len(those) == 1 else list(those))
            if kept and list(those) == now:
                text = say("keepdim={keep} would be right", keep=keep)
            elif kept:
                text = say("wrong axis: {axis} with keepdim={keep} would be right", axis=right, keep=keep)
            if list(those) != now or kept:
                yield Edit("axis", text, _running(step, axis=right, **kept))


def _places(step: Event, inputs: Sequence[Array], shape: tuple[int, ...]) -> Iterator[Edit]:
    """Yield the changes that gather elements from other places, or scatter them there."""
    if step.op == "slice" and shape != inputs[0].shape and len(shape) == inputs[0].ndim:
        starts = (range(whole - part + 1) for whole, part in zip(inputs[0].shape, shape))
        for begin in itertools.product(*starts):
            text = say("the slice begins at the wrong place: {begin} would be right", begin=list(begin))
            window = tuple(slice(at, at + size) for at, size in zip(begin, shape))
            yield Edit("shifted", text, _doing(lambda x, *, window=window: x[window]))
    text = say("what meets at one place is overwritten, and should be added up")
    attrs = {**TABLE[step.op].defaults, **step.attrs}
    if attrs.get("overwrite"):
        yield Edit("accumulate", text, _running(step, overwrite=False))
    if attrs.get("reduce") == "assign":
        yield Edit("accumulate", text, _running(step, reduce="add"))
    if step.op == "set_value" and len(inputs) > 1:
        yield Edit("accumulate", text, _doing(lambda x, *put: x + _run(step, [np.zeros_like(x), *put])[0]))
    if step.op == "reshape2":
        text = say("the axes are in another order than in forward: a transposition is missing")
        for order in list(itertools.permutations(range(len(shape))))[1:] if len(shape) <= _FEW else ():
            size, inverse = [shape[axis] for axis in order], np.argsort(order)
            ordered = _doing(lambda x, *_, size=size, axes=inverse: x.reshape(size).transpose(axes))
            yield Edit("transposed", text, ordered)
    if step.op == "roll":
        back = [-one for one in np.atleast_1d(step.attrs["shifts"]).tolist()]
        yield Edit("shifted", say("shifted the wrong way"), _running(step, shifts=back))
    if step.op in ("gather", "index_select", "take_along_axis"):
        axis = int(step.attrs.get("axis") or step.attrs.get("dim") or 0)
        text = say("{name} takes from the places that it should put back to", name=step.title)
        yield Edit("moved", text, _doing(partial(_put_back, axis=axis)))
    if "Filter" in printed(TABLE[step.op]).input_slots:
        turned = partial(np.flip, axis=tuple(range(2, inputs[1].ndim)))
        yield Edit("flipped", say("flipped: the kernel"), partial(_of_input, step, 1, turned))


def _put_back(array: Array, index: Array, axis: int) -> Array:
    made = np.zeros_like(array)
    if index.ndim < array.ndim:
        index = np.expand_dims(index, [other for other in range(array.ndim) if other != axis])
    np.put_along_axis(made, np.broadcast_to(index, array.shape), array, axis)
    return made


def _reducing(reduce: Any, axis: Any = None, keepdim: bool = False) -> Made:
    axes = tuple(axis) if isinstance(axis, list) else axis
    return lambda ran: [np.asarray(reduce(ran.given[0], axis=axes, keepdims=keepdim))]


def _parts(trace: Trace, step: Event, inputs: Sequence[Array]) -> Iterator[Edit]:
    """Yield the changes that leave out a part (a summand, a factor, a conjugate, the operator), or mix its parts."""
    names = [value.name for value in trace.known(step.inputs)]
    holders = [trace.values[id_].holder for id_ in (*step.inputs[:1], *step.outputs) if id_ is not None]
    if len(holders) > 1 and holders[0] == holders[1]:
        text = say("{name} is written over in backward", name=names[0])
        yield Edit("overwritten", text, lambda ran: [ran.given[0]])
    for place, name in enumerate(names):
        without = partial(_without, place, step.op)
        if step.op in ("elementwise_add", "elementwise_sub"):
            yield Edit("term", say("the term {name} is too much", name=name), without)
        if step.op == "elementwise_mul":
            yield Edit("factor", say("factor {factor} too much", factor=name), without)
        if inputs[place].dtype.kind == "c":
            text = say("{name} is to be conjugated", name=name)
            yield Edit("conjugate", text, partial(_of_input, step, place, np.conj))
    if step.op in ("concat", "stack") and 1 < len(names) <= _FEW:
        text = say("the parts of {name} are in the wrong order", name=step.title)
        for order in list(itertools.permutations(range(len(names))))[1:]:
            yield Edit("swapped", text, _running(step, order=order))
    if inputs and step.op not in ("share_data", "assign"):
        kind = "conjugate" if step.op == "conj" else "operator"
        text = say("{name} is too much", name=step.title)
        if step.op == "scale" and not step.attrs.get("bias"):
            kind, text = "factor", say("factor {factor} too much", factor=number(step.attrs.get("scale", 1)))
        elif step.op == "scale":
            mine = f"{number(step.attrs.get('scale', 1))} * {names[0]} + {number(step.attrs['bias'])}"
            text = say("{mine} where {other} should be", mine=mine, other=names[0])
        yield Edit(kind, text, lambda ran: [ran.given[0]])


def _without(place: int, op: str, ran: Ran) -> list[Array] | None:
    """Return the result of a sum without one summand, or of a product without one factor."""
    if len(ran.given) < 2:
        return None
    rest = -ran.given[1] if op == "elementwise_sub" and not place else ran.given[1 - place]
    return [np.broadcast_to(rest, ran.made[0].shape)]


def _of_input(step: Event, place: int, function: Callable[[Array], Array], ran: Ran) -> list[Array]:
    """Return the operator's outputs with `function` applied to one of its inputs."""
    return _run(step, [*ran.given[:place], function(ran.given[place]), *ran.given[place + 1 :]])


# -- with another value ------------------------------------------------------------------------------------------------


def replacements(
    trace: Trace, step: Event, own: Sequence[Candidate], others: Sequence[Candidate]
) -> Iterator[Edit]:
    """Yield the changes that replace an input, one of `own`, by another value."""
    for (place, one), other in itertools.product(enumerate(own), others):
        if other.id != one.id:
            yield read_instead(trace, one, other, partial(_with_input, step, place, other))


def read_instead(trace: Trace, one: Candidate, other: Candidate, make: Made) -> Edit:
    """Return the change that reads another value, with the mistake that it undoes."""
    if other.arrived:
        text = say(
            "{mine} where the gradient that came in should be, {other}", mine=one.name, other=other.name
        )
        return Edit("seed", text, make)
    if trace.values[other.id].holder == trace.values[one.id].holder:
        text = say("{name} was overwritten in forward", name=other.name)
        return Edit("overwritten", text, make, _written(trace, one.id))
    is_alike = one.name == other.name
    text = say("another {name} than that of forward", name=one.name) if is_alike else needs(one, other)
    return Edit("saved", text, make)


def _written(trace: Trace, id_: int) -> Line | None:
    """Return the line that made a value: for the output of a call of user code, in its body."""
    maker = trace.maker(trace.values[id_])
    while maker is not None and id_ in maker.outputs[: len(maker.parts)]:
        terms = maker.parts[maker.outputs.index(id_)]
        inner = trace.maker(trace.values[terms[0]]) if terms else None
        if inner is None or terms is None:
            break
        maker, id_ = inner, terms[0]
    return maker.where if maker is not None else None


def _with_input(step: Event, place: int, other: Candidate, ran: Ran) -> list[Array] | None:
    array, mine = other.numbers(ran.space), ran.given[place]
    if step.op == "slice" and array.dtype.kind in "iu" and array.shape == ran.made[0].shape[:1]:
        return [mine[array]]
    if array.shape != mine.shape or array.dtype.kind != mine.dtype.kind:
        return None
    return _of_input(step, place, lambda mine: array, ran)
