"""Containers: layers made of layers, called in sequence or stored by number or name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from minipaddle.engine.value.value import Value
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.parameter.parameter import Parameter


def _place(index: int, size: int, kind: str) -> int:
    """Return an index counted from the front, for one that may be negative.

    Raises:
        IndexError: **is out of range**.
    """
    if not -size <= index < size:
        raise IndexError(
            f"index {index} is out of range, should be an integer in range [{-size}, {size}) of this {kind}"
        )
    return index % size


class _Numbered(Layer):
    """Base of the containers that store their layers by number."""

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._sub_layers.values())

    def _renumber(self, layers: Iterable[Layer]) -> None:
        self._sub_layers = OrderedDict((str(number), layer) for number, layer in enumerate(layers))

    def append(self, sublayer: Layer) -> Self:
        """Add a layer at the end."""
        self.add_sublayer(str(len(self)), sublayer)
        return self

    def extend(self, sublayers: Iterable[Layer]) -> Self:
        """Add several layers at the end."""
        for layer in sublayers:
            self.append(layer)
        return self


class Sequential(_Numbered):
    """Layers called one after the other.

    ``Sequential(a, b)``, ``Sequential(("first", a), ("second", b))``, or from a list or dict of layers.
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            layers = tuple(layers[0].items())
        elif len(layers) == 1 and isinstance(layers[0], list):
            layers = tuple(layers[0])
        for number, item in enumerate(layers):
            name, layer = item if isinstance(item, (tuple, list)) else (str(number), item)
            self.add_sublayer(name, layer)

    def forward(self, input: Value) -> Value:
        """Return the output of the last layer; each layer is called on the output of the one before."""
        for layer in self._sub_layers.values():
            input = layer(input)
        return input

    def __getitem__(self, key: int | slice | str) -> Any:
        if isinstance(key, slice):
            return type(self)(*list(self._sub_layers.items())[key])
        if isinstance(key, str):
            return self._sub_layers[key]
        return list(self._sub_layers.values())[_place(key, len(self), "Sequential")]

    def __setitem__(self, key: int | str, layer: Layer) -> None:
        if not isinstance(key, str):
            key = list(self._sub_layers)[_place(key, len(self), "Sequential")]
        self.add_sublayer(key, layer)

    def __delitem__(self, key: int | str) -> None:
        if not isinstance(key, str):
            key = list(self._sub_layers)[_place(key, len(self), "Sequential")]
        del self._sub_layers[key]

    def insert(self, index: int, module: Layer) -> Self:
        """Insert a layer before the one at `index`; the layers are numbered.

        Raises:
            AssertionError: **module should be of type** Layer.
            IndexError: **Index out of range**.
            KeyError: if layers have names.
        """
        assert isinstance(module, Layer), f"module should be of type: {Layer}"
        size = len(self)
        if not -size <= index <= size:
            raise IndexError(f"Index out of range: {index}")
        for number in range(size):
            if str(number) not in self._sub_layers:
                raise KeyError(str(number))
        layers = list(self)
        layers.insert(index, module)
        self._renumber(layers)
        return self


class LayerList(_Numbered):
    """A list of layers, whose parameters count as the owner's."""

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        self.extend(sublayers or [])

    def __getitem__(self, key: int | slice) -> Any:
        layers = list(self)
        if isinstance(key, slice):
            return type(self)(layers[key])
        return layers[_place(key, len(layers), "LayerList")]

    def __setitem__(self, key: int, layer: Layer) -> None:
        self.add_sublayer(str(_place(key, len(self), "LayerList")), layer)

    def __delitem__(self, key: int | slice) -> None:
        layers = list(self)
        del layers[key]
        self._renumber(layers)

    def insert(self, index: int, sublayer: Layer) -> None:
        """Insert a layer before the one at `index`; a negative one counts from the end.

        Raises:
            AssertionError: **index should be an integer in range**.
        """
        layers = list(self)
        size = len(layers)
        assert -size <= index <= size, f"index should be an integer in range [{-size}, {size}]"
        layers.insert(index, sublayer)
        self._renumber(layers)


class ParameterList(Layer):
    """A list of parameters, which count as the owner's."""

    def __init__(self, parameters: Iterable[Parameter] | None = None) -> None:
        super().__init__()
        for parameter in parameters or []:
            self.append(parameter)

    def __getitem__(self, key: int) -> Parameter | None:
        return self._parameters[str(_place(key, len(self), "ParameterList"))]

    def __setitem__(self, key: int, parameter: Parameter) -> None:
        assert isinstance(parameter, Parameter), (
            f"a Parameter is expected, but got {type(parameter).__name__}"
        )
        self._parameters[str(_place(key, len(self), "ParameterList"))] = parameter

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Parameter | None]:
        return iter(self._parameters.values())

    def append(self, parameter: Parameter) -> Self:
        """Add a parameter at the end."""
        self.add_parameter(str(len(self)), parameter)
        return self


class LayerDict(Layer):
    """Layers by name, whose parameters count as the owner's."""

    def __init__(self, sublayers: Any = None) -> None:
        super().__init__()
        self.update(sublayers or {})

    def __getitem__(self, key: str) -> Layer:
        return self._sub_layers[key]

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key: str) -> None:
        del self._sub_layers[key]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sub_layers)

    def __contains__(self, key: str) -> bool:
        return key in self._sub_layers

    def clear(self) -> None:
        """Remove all layers."""
        self._sub_layers.clear()

    def pop(self, key: str) -> Layer:
        """Remove a layer and return it."""
        return self._sub_layers.pop(key)

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._sub_layers.keys()

    def items(self) -> Iterable[tuple[str, Layer]]:
        """Return names and layers."""
        return self._sub_layers.items()

    def values(self) -> Iterable[Layer]:
        """Return the layers."""
        return self._sub_layers.values()

    def update(self, sublayers: Any) -> None:
        """Add or replace layers: a mapping or pairs."""
        for name, layer in sublayers.items() if hasattr(sublayers, "items") else sublayers:
            self.add_sublayer(name, layer)
