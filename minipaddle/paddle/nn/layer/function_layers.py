"""Layers that are a function with its arguments kept: for those, the class line says it all."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from minipaddle.paddle.nn.layer.layers import Layer


class Kept(Layer):
    """A function of `inputs` tensors. The layer takes the function's other arguments, and keeps them as attributes.

    ::

        class MaxPool3D(Kept, function=F.max_pool3d, shown="kernel_size stride padding"):
            "Reduces windows of volumes to their maximum."

    An argument `training` is the layer's own; the layer has none of the name `without`; `shown` names what ``repr``
    shows, with a ``?`` what it shows only if it is not as usual; the others are other defaults than the function's.
    """

    _function: Callable[..., Any]
    _shown: list[str]
    _trains: bool
    __signature__: inspect.Signature

    def __init_subclass__(
        cls,
        function: Callable[..., Any] | None = None,
        inputs: int = 1,
        shown: str = "",
        without: str = "",
        **defaults: Any,
    ) -> None:
        if function is None:  # a base of several layers, or a class of the user's
            return
        parameters = list(inspect.signature(function).parameters.values())
        kept = [
            one.replace(annotation=one.empty)
            for one in parameters[inputs:]
            if one.name not in ("training", without) and one.kind is not one.KEYWORD_ONLY
        ]
        kept = [one.replace(default=defaults.get(one.name, one.default)) for one in kept]
        cls._function, cls._shown = staticmethod(function), shown.split()
        cls._trains = any(one.name == "training" for one in parameters)
        cls.__signature__ = inspect.Signature(kept)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        try:
            given = type(self).__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None
        given.apply_defaults()
        for name, value in given.arguments.items():
            setattr(self, name, value)

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """Call the function; its tensors may go by their names."""
        options = {
            name: getattr(self, name) for name in type(self).__signature__.parameters if name != "name"
        }
        if self._trains:
            options["training"] = self.training
        return self._function(*inputs, **named, **options)

    def extra_repr(self) -> str:
        """Return the arguments that are shown."""
        usual = {name: one.default for name, one in type(self).__signature__.parameters.items()}
        values = {name.rstrip("?"): getattr(self, name.rstrip("?")) for name in self._shown}
        hidden = {
            name[:-1] for name in self._shown if name[-1] == "?" and values[name[:-1]] == usual[name[:-1]]
        }
        return ", ".join(f"{name}={value}" for name, value in values.items() if name not in hidden)
