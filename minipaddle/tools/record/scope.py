"""A call of a layer, in which events happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Scope(NamedTuple):
    """One call of a layer, in which operators run."""

    number: int
    """Calls are numbered from 1 in the order in which they began."""
    path: str
    """The name of the layer: ``blocks.0.fc`` within the outermost one, which goes by its variable."""
    kind: str
    """Its class."""
    outer: Scope | None
    """The call around it."""
    training: bool = True
    """Whether the layer was in training mode."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the layer is called: its path, and also that with the name of the network in front: ``net.0``."""
        *_, network = self.around()
        return (self.path,) if network is self else (self.path, f"{network.path}.{self.path}")

    def around(self) -> Iterator[Scope]:
        """Yield it and the calls around it, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer
