"""What the networks share: round numbers of channels, and a network that gives what is in between."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from minipaddle.paddle.nn import Layer, LayerDict, Linear


def _make_divisible(v: float, divisor: int = 8, min_value: int | None = None) -> int:
    """Return the multiple of `divisor` that is nearest to `v`, and not more than a tenth below it.

    >>> _make_divisible(18), _make_divisible(4), _make_divisible(90)
    (24, 8, 88)
    """
    rounded = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * v else rounded


class IntermediateLayerGetter(LayerDict):
    """A network up to the last layer that is asked for; it gives what these layers give, by name.

    Args:
        model: its own sublayers are called in the order in which they were made.
        return_layers: which of them are wanted, and the name that each gets in the result.

    Raises:
        ValueError: **not present in model**.
    """

    def __init__(self, model: Layer, return_layers: dict[str, str]) -> None:
        children = dict(model.named_children())
        if not set(return_layers) <= set(children):
            raise ValueError("return_layers are not present in model")
        last = max((list(children).index(name) for name in return_layers), default=0)
        super().__init__(OrderedDict(list(children.items())[: last + 1]))
        self.return_layers = return_layers

    def forward(self, x: Any) -> Any:
        """Return an OrderedDict of what the layers give."""
        found = OrderedDict()
        for name, layer in self.items():
            first = layer if isinstance(layer, Linear) else next(iter(layer.sublayers()), None)
            if isinstance(first, Linear) and x.ndim == 4:
                x = x.flatten(1)
            x = layer(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found
