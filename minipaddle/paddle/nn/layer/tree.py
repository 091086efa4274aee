"""Tree: finds the parts of a layer and of all layers below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.nn.parameter.parameter import Parameter

if TYPE_CHECKING:
    from minipaddle.paddle.nn.layer.layers import Layer

T = TypeVar("T")


class Tree:
    """The half of :class:`minipaddle.paddle.nn.Layer` that finds its parts by their dotted names."""

    _parameters: dict[str, Parameter | None]
    _sub_layers: dict[str, Layer]
    _buffers: dict[str, Tensor | None]

    def named_children(self) -> Iterator[tuple[str, Layer]]:
        """Yield the sublayers one level down, with their names."""
        yield from _once(self._sub_layers.items())

    def children(self) -> Iterator[Layer]:
        """Yield the sublayers one level down."""
        for _, layer in self.named_children():
            yield layer

    def named_sublayers(
        self,
        prefix: str = "",
        include_self: bool = False,
        layers_set: set[Any] | None = None,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """Yield all sublayers with their dotted names, parents first, each once if `remove_duplicate` is set."""
        seen = set() if layers_set is None else layers_set
        if include_self and self not in seen:
            if remove_duplicate:
                seen.add(self)
            yield prefix, self
        for name, child in self.named_children() if remove_duplicate else self._sub_layers.items():
            if child is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from child.named_sublayers(path, True, seen, remove_duplicate)

    def sublayers(self, include_self: bool = False) -> list[Layer]:
        """Return all sublayers, parents first."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def _named(
        self, room: str, prefix: str, include_sublayers: bool, once: bool
    ) -> Iterator[tuple[str, Any]]:
        below = self.named_sublayers(prefix, True, remove_duplicate=once)
        layers = below if include_sublayers else iter([(prefix, self)])
        named = (
            (f"{path}.{name}" if path else name, value)
            for path, layer in layers
            for name, value in layer.__dict__[room].items()
            if value is not None
        )
        yield from _once(named) if once else named

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield the parameters with their dotted names, each once if `remove_duplicate` is set."""
        return self._named("_parameters", prefix, include_sublayers, remove_duplicate)

    def parameters(self, include_sublayers: bool = True) -> list[Parameter]:
        """Return the parameters, including those of sublayers."""
        return [parameter for _, parameter in self.named_parameters(include_sublayers=include_sublayers)]

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the buffers with their dotted names, each once if `remove_duplicate` is set."""
        return self._named("_buffers", prefix, include_sublayers, remove_duplicate)

    def buffers(self, include_sublayers: bool = True) -> list[Tensor]:
        """Return the buffers, including those of sublayers."""
        return [buffer for _, buffer in self.named_buffers(include_sublayers=include_sublayers)]


def _once(named: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Yield each value once, under its first name."""
    seen: set[int] = set()
    for name, value in named:
        if id(value) not in seen:
            seen.add(id(value))
            yield name, value
