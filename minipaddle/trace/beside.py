"""What a recording is told beside its events: what Python read, and what was put into the graph or taken out of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from minipaddle.core.errors import Line


class Read(NamedTuple):
    """A tensor's numbers went to Python, where nobody can follow them."""

    before_event: int
    """How many events there were."""
    value: int
    """Id of what was read."""
    how: str
    """The method: ``item``, ``numpy``, ``bool``."""
    where: Line | None
    """The user's line."""
    parent: int | None
    """Index of the ``enter`` event of the innermost open body."""


CutKind = Literal["detach", "detach_", "stop_gradient=True", "stop_gradient=False", "to_tensor", "numpy"]
"""What decided whether a tensor is in the graph. numpy: to_tensor, of an array that ``numpy()`` had given."""


class Cut(NamedTuple):
    """Whether a tensor wants a gradient was decided, by no operator."""

    before_event: int
    """How many events there were."""
    how: CutKind
    value: int | None
    """Id of what the numbers come from; None: the user wrote them."""
    made: int | None
    """Id of what it was decided of; None: nothing was done with it."""
    where: Line | None
    """The user's line."""
