"""Small changes of a backward's results: each one undoes a common mistake.

Next: :mod:`minipaddle.tools.checks.gradient.repair.wrong_ways`, mistakes in how an operator of forward was
differentiated.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain
from math import prod
from typing import NamedTuple

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.tape import Numbers
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


class Ran(NamedTuple):
    """An operator that ran: its inputs, its outputs, and all numbers."""

    given: list[Array]
    made: list[Array]
    space: Numbers


Made = Callable[[Ran], "list[Array] | None"]
"""Returns the changed outputs of an operator; None where the change does not apply."""


class Edit(NamedTuple):
    """A change that might make a backward right, and the mistake that it undoes."""

    kind: str
    text: str
    make: Made
    line: Line | None = None
    """The line to change, if it is another one than the operator's."""


class Candidate(NamedTuple):
    """A value that may replace another one."""

    id: int
    name: str
    arrived: bool = False
    """Whether it is an incoming gradient of backward."""
    role: str = ""
    """What it is for forward: input, output or neither."""
    saved: bool = False
    """Whether forward saved it for backward."""
    change: Callable[[Array], Array] = np.asarray

    def numbers(self, space: Numbers) -> Array:
        """Return its numbers, changed."""
        return self.change(space[self.id])


def needs(mine: Candidate, other: Candidate) -> str:
    """Return the sentence about a value that backward reads where its rule needs another one."""
    needed = f"`{other.name}`"
    if other.role == "output":
        needed = say("the output `{name}`", name=other.name)
    elif other.role == "input":
        needed = say("the input `{name}`", name=other.name)
    if mine.saved:
        return say("saved `{name}` where the rule needs {needed}", name=mine.name, needed=needed)
    return say("reads `{name}` where the rule needs {needed}", name=mine.name, needed=needed)


_SMALL = 4
"""Up to this length, a number equal to an axis's length is probably unrelated to it."""


def factors(others: Sequence[Candidate]) -> Iterator[Edit]:
    """Yield the changes that multiply or divide by a function of a value."""
    for other in others:
        for form, function in FUNCTIONS[:1] if other.arrived else FUNCTIONS:
            factor = form.format(other.name)
            kind = "seed" if other.arrived else "mask" if form in _MASKS else "factor"
            missing = say("missing factor {factor}", factor=factor)
            if form == _CONJUGATED:
                kind, missing = "conjugate", say("{name} is to be conjugated", name=other.name)
            yield Edit(kind, missing, partial(_times, other, function, 1))
            if kind not in ("mask", "conjugate"):
                extra = say("factor {factor} too much", factor=factor)
                yield Edit(kind, extra, partial(_times, other, function, -1))


def sums_of(arrived: Candidate, ndim: int) -> Iterator[Candidate]:
    """Yield an incoming gradient with another axis of length 1, and its sums along each axis, kept at length 1."""
    for axis in range(ndim):
        wider: Callable[[Array], Array] = partial(np.expand_dims, axis=axis + 1)
        summed: Callable[[Array], Array] = partial(np.sum, axis=axis, keepdims=True)
        both = {f"unsqueeze({axis + 1})": wider, f"sum(axis={axis}, keepdim=True)": summed}
        for name, change in both.items():
            yield arrived._replace(name=f"{arrived.name}.{name}", change=change)


_CONJUGATED = "conj({0}) / {0}"
_MASKS = ("({} > 0)", "({} <= 0)")
FUNCTIONS: tuple[tuple[str, Callable[[Array], Array]], ...] = (
    ("{}", lambda x: x),
    ("conj({})", np.conj),
    (_CONJUGATED, lambda x: x.conj() / x),
    ("2 * {}", lambda x: 2 * x),
    ("{0} * {0}", lambda x: x * x),
    ("3 * {0} * {0}", lambda x: 3 * x * x),
    ("1 / {}", lambda x: 1 / x),
    ("1 / {0} ** 2", lambda x: 1 / (x * x)),
    ("exp({})", np.exp),
    ("log({})", np.log),
    ("cos({})", np.cos),
    ("sin({})", np.sin),
    ("(1 - {0} * {0})", lambda x: 1 - x * x),
    ("{0} * (1 - {0})", lambda x: x * (1 - x)),
    ("(1 - {})", lambda x: 1 - x),
    ("(1 + {})", lambda x: 1 + x),
    (_MASKS[0], lambda x: (x > 0).astype(np.float64)),
    (_MASKS[1], lambda x: (x <= 0).astype(np.float64)),
    ("sign({})", np.sign),
    ("sqrt({})", np.sqrt),
)


def _times(other: Candidate, function: Callable[[Array], Array], power: int, ran: Ran) -> list[Array] | None:
    first, *rest = ran.made
    with np.errstate(all="ignore"):
        factor = function(other.numbers(ran.space)) ** power
        return [first * factor, *rest] if goes_into(factor.shape, first.shape) else None


def goes_into(part: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether broadcasting an array of shape `part` with one of `shape` gives `shape`."""
    pairs = zip(part[::-1], shape[::-1])
    return len(part) <= len(shape) and all(mine in (1, theirs) for mine, theirs in pairs)


def rearrangements(
    ndim: int, shapes: Collection[tuple[int, ...]], size: int, is_complex: bool = False
) -> Iterator[Edit]:
    """Yield the changes that apply to any array: sign, transposition, factor.

    `shapes` are those of values nearby, `size` the input's; another 2 or 3 is probably unrelated to them.
    """
    axes, lengths = {*chain(*shapes)} - {0, 1}, {*map(prod, shapes)} - {0, 1}
    many = dict.fromkeys(sorted(lengths), say("as many as a tensor has elements"))
    many |= dict.fromkeys(sorted(axes), say("as many as an axis has elements"))
    yield Edit("sign", say("wrong sign"), instead(np.negative))
    if is_complex:
        yield Edit("conjugate", say("the conjugate of what is right"), instead(np.conj))
        yield Edit("factor", say("missing factor {factor}", factor="1j"), instead(partial(np.multiply, 1j)))
        yield Edit("factor", say("missing factor {factor}", factor="-1j"), instead(partial(np.multiply, -1j)))
    if ndim >= 2:
        turned = instead(lambda out: out.swapaxes(-1, -2) if out.shape[-1:] == out.shape[-2:-1] else None)
        yield Edit("transposed", say("transposed"), turned)
    for axis in range(ndim):
        flipped = say("flipped along axis {axis}", axis=axis)
        yield Edit("flipped", flipped, instead(partial(np.flip, axis=axis)))
        for shift in (1, -1):
            shifted = say("shifted by one along axis {axis}", axis=axis)
            yield Edit("shifted", shifted, instead(partial(np.roll, shift=shift, axis=axis)))
    for length in (one for one in many if one > _SMALL or one == size):
        extra = say(
            "{factor} times too large, {many}: a division by the size is missing",
            factor=length,
            many=many[length],
        )
        yield Edit("mean", extra, instead(partial(np.multiply, 1 / length)))
    for factor in (2.0, 3.0, 4.0, 0.5, 1 / 3, 0.25):
        text = say("missing factor {factor}", factor=number(factor))
        yield Edit("factor", text, instead(partial(np.multiply, factor)))
    for length in (one for one in many if one > _SMALL):
        missing = say(
            "missing factor {factor}, {many}: a sum over a broadcast axis is missing (un-broadcast), or a mean "
            "stands for a sum",
            factor=length,
            many=many[length],
        )
        yield Edit("mean", missing, instead(partial(np.multiply, length)))


def reading(other: Candidate) -> Made:
    """Return the change that reads another value instead."""
    return lambda ran: [other.numbers(ran.space)]


def instead(function: Callable[[Array], Array | None]) -> Made:
    """Return the change that applies `function` to an operator's first output."""

    def make(ran: Ran) -> list[Array] | None:
        first = function(ran.made[0])
        return None if first is None else [first, *ran.made[1:]]

    return make
