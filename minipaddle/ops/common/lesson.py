"""What a teacher would add to an operator's gradient: said beside the operator, in English, for tools to translate.

::

    @lesson(reduce_sum)
    def _(dy: Seen, x: Seen) -> Iterator[Sentence]:
        yield sentence("each element of {name} gets {gradient}", name=x.name, gradient=dy.name)

A lesson names what it needs by its parameters: first the gradient that comes in, then inputs, outputs (by their slots
in small letters) and attributes of the call that is spoken of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

from minipaddle.core.meta import Array, Shape
from minipaddle.core.operator import Operator

F = TypeVar("F", bound=Callable[..., Iterator["Sentence"]])


class Seen(Protocol):
    """A tensor that is spoken of."""

    name: str
    shape: Shape

    @property
    def array(self) -> Array | None:
        """Its numbers; None where they are not known."""


class Sentence(NamedTuple):
    """A sentence, and what stands in its braces."""

    text: str
    parts: dict[str, Any]


def sentence(text: str, **parts: Any) -> Sentence:
    """Return a sentence with its parts; it is in English until somebody says it."""
    return Sentence(text, parts)


def lesson(*operators: Operator) -> Callable[[F], F]:
    """Register what is worth saying of the gradients of some operators."""

    def register(function: F) -> F:
        for op in operators:
            op.lesson = function
        return function

    return register
