"""What a teacher would add to an operator's gradient: said beside the operator, in English, for tools to translate.

::

    @lesson(reduce_sum)
    def _(dy: Seen, x: Seen) -> Iterator[Phrase]:
        yield phrase("each element of {name} gets {gradient}", name=x.name, gradient=dy.name)

A lesson names what it needs by its parameters: first the gradient that comes in, then inputs, outputs (by their slots
in small letters) and attributes of the call that is spoken of. What depends on numbers is counted in NumPy's words and
handed over as it is, also whether it is so: a page computes it again for other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from minipaddle.engine.names.translatable import Phrase
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Array, Shape


class Claim(NamedTuple):
    """A sentence, and whether it is true."""

    words: Phrase
    when: Any = np.True_


F = TypeVar("F", bound=Callable[..., Iterator[Phrase | Claim]])


class Seen(Protocol):
    """A tensor that is spoken of."""

    name: str
    shape: Shape

    @property
    def array(self) -> Array | None:
        """Its numbers; None where they are not known."""


def lesson(*operators: Operator) -> Callable[[F], F]:
    """Register what is worth saying of the gradients of some operators."""

    def register(function: F) -> F:
        for op in operators:
            op.lesson = function
        return function

    return register
