"""A teacher's remarks on an operator's gradient: next to the operator, in English, for tools to translate.

::

    @lesson(reduce_sum)
    def _(dy: Seen, x: Seen) -> Iterator[Claim]:
        yield Claim("each element of {name} gets {gradient}", name=x.name, gradient=dy.name)

A lesson names its needs by its parameters: first the incoming gradient, then inputs, outputs (by their slots
in small letters) and attributes of the call. Facts that depend on numbers are computed by NumPy's functions and passed
on unevaluated, including whether they hold: a page computes them again for other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.ops.definition.traits import is_flat


class Claim:
    """A sentence with the values of its braces, and whether it is true."""

    def __init__(self, sentence: str, when: Any = np.True_, **parts: Any) -> None:
        self.sentence, self.when, self.parts = sentence, when, parts


F = TypeVar("F", bound=Callable[..., Iterator[Claim]])
_LESSONS: dict[Operator, Callable[..., Iterator[Claim]]] = {}


class Seen(Protocol):
    """A tensor that a lesson is about."""

    name: str
    shape: Shape

    @property
    def array(self) -> Array | None:
        """The numbers; None if unknown."""


def lesson(*operators: Operator) -> Callable[[F], F]:
    """Return a decorator that registers a function as the lesson on the gradients of some operators."""

    def register(function: F) -> F:
        _LESSONS.update(dict.fromkeys(operators, function))
        return function

    return register


def lesson_of(op: Operator) -> Callable[..., Iterator[Claim]] | None:
    """Return the remarks on the gradients of `op`, or None."""
    return _LESSONS.get(op)


_FLAT = 0.05
"""Share of the steepest slope below which a squashing function is called saturated."""


def saturates(op: Operator, slope: Callable[[Array], Array], steepest: float) -> None:
    """Register where a squashing function is nearly flat, and a lesson about this.

    `slope` computes its slope from its result; `steepest` is its largest slope.
    """

    def flat_at(out: Any) -> Any:
        return slope(out) < _FLAT * steepest

    is_flat(op, flat_at)

    @lesson(op)
    def _(dy: Seen, out: Seen) -> Iterator[Claim]:
        if out.array is None:
            return
        flat = np.sum(flat_at(out.array), dtype=np.int64)
        yield Claim(
            "{op} saturated {count} of {size} elements: it is nearly flat there, and lets little gradient pass",
            flat > 0,
            count=flat,
            size=out.array.size,
            op=op.name,
        )
