"""Layers that call one function with fixed arguments: signature, checks and manual are the function's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import new_class
from typing import Any

from minipaddle.paddle.nn.arguments import bound
from minipaddle.paddle.nn.layer.layers import Layer


class FunctionLayer(Layer):
    """A function of `inputs` tensors. The layer takes the function's other arguments, and keeps them as attributes.

    ::

        class MaxPool3D(FunctionLayer, function=F.max_pool3d, shown="kernel_size stride padding"):
            "Reduces windows of volumes to their maximum."

    A class without a docstring has the function's. An argument `training` is the layer's own. `without`: names that the
    layer does not take; `order`: names that come first; `shown`: names in ``repr``, with a ``?`` if they are only shown
    with unusual values. Other options are defaults that differ from the function's.
    """

    name: str | None = None
    _function: Callable[..., Any]
    _shown: list[str]
    _options: list[str]
    _trains: bool
    _takes: inspect.Signature
    __signature__: inspect.Signature

    def __init_subclass__(
        cls,
        function: Callable[..., Any] | None = None,
        inputs: int = 1,
        shown: str = "",
        without: str = "",
        order: str = "",
        **defaults: Any,
    ) -> None:
        if function is None:  # a base of several layers, or a user's class
            if "__init__" in vars(cls):
                cls.__signature__ = inspect.signature(partial(vars(cls)["__init__"], None))
            return
        parameters = list(inspect.signature(function).parameters.values())
        kept = {
            one.name: one.replace(annotation=one.empty, default=defaults.get(one.name, one.default))
            for one in parameters[inputs:]
            if one.name not in ("training", *without.split()) and one.kind is not one.KEYWORD_ONLY
        }
        kept = {name: kept[name] for name in order.split()} | kept
        cls._function, cls._shown = staticmethod(function), shown.split()
        cls._options = [name for name in kept if name != "name"]
        cls._trains = any(one.name == "training" for one in parameters)
        cls.__signature__ = cls._takes = inspect.Signature(list(kept.values()))
        cls.__doc__ = cls.__doc__ or function.__doc__

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        for name, value in bound(self, self._takes, args, kwargs).items():
            setattr(self, name, value)

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """Return the function's result; its tensors may be passed by name."""
        if not (self._options or self._trains or self.name):  # ReLU and others, called in every step
            return self._function(*inputs, **named)
        options = {name: getattr(self, name) for name in self._options}
        if self._trains:
            options["training"] = self.training
        if self.name:  # in a Program it names the results
            options["name"] = self.name
        return self._function(*inputs, **named, **options)

    def extra_repr(self) -> str:
        """Return the arguments for ``repr``."""
        usual = {name: one.default for name, one in self._takes.parameters.items()}
        values = {name.rstrip("?"): getattr(self, name.rstrip("?")) for name in self._shown}
        hidden = {
            name[:-1] for name in self._shown if name[-1] == "?" and values[name[:-1]] == usual[name[:-1]]
        }
        return ", ".join(f"{name}={value}" for name, value in values.items() if name not in hidden)


def function_layer(
    module: str,
    name: str,
    function: Callable[..., Any],
    shown: str | None = None,
    base: type[FunctionLayer] = FunctionLayer,
    **how: Any,
) -> Any:
    """Return a :class:`FunctionLayer` of a function, without further settings.

    Its ``repr`` shows all arguments, and its name if given; or the arguments `shown`.
    """
    made: Any = new_class(
        name, (base,), {"function": function, **how}, lambda own: own.update(__module__=module)
    )
    named = ["name?"] if "name" in made._takes.parameters else []
    made._shown = [*made._options, *named] if shown is None else shown.split()
    return made
