"""Layer: a piece of a network, with its parameters, buffers and sublayers."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any, Self

import numpy as np

from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import as_numpy, default_float, dtype_of
from minipaddle.engine.value.value import Value
from minipaddle.paddle.nn.initializer.initializer import Initializer
from minipaddle.paddle.nn.layer.state_dict import load_state, state_of
from minipaddle.paddle.nn.layer.tree import Tree
from minipaddle.paddle.nn.parameter.create import make_parameter
from minipaddle.paddle.nn.parameter.parameter import Trainable

_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])")


class HookRemoveHelper:
    """The handle of a registered hook, which removes it."""

    _numbers = count()

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self._hooks, self._number = hooks, next(self._numbers)
        hooks[self._number] = hook

    def remove(self) -> None:
        """Remove the hook, if not yet removed."""
        self._hooks.pop(self._number, None)


class Layer(Tree):
    """Base of all layers (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/Layer_en.html).

    A subclass calls ``super().__init__()``, sets its parameters and sublayers as attributes, and defines
    ``forward``.

    Args:
        name_scope: the prefix of the layer's name; by default the class name in lower case.
        dtype: the dtype of its parameters; by default the one set by ``paddle.set_default_dtype``.
    """

    training: bool

    def __init__(self, name_scope: str | None = None, dtype: Any = None) -> None:
        self.training = True
        self._full_name = unique_name(name_scope or _WORD.sub("_", type(self).__name__).lower())
        self._dtype = default_float() if dtype is None else as_numpy(dtype)
        self._dtype_name = as_numpy(self._dtype).name
        self._parameters = OrderedDict()
        self._sub_layers = OrderedDict()
        self._buffers = OrderedDict()
        self._non_persistable_buffer_names_set: set[str] = set()
        self._forward_pre_hooks: dict[int, Any] = OrderedDict()
        self._forward_post_hooks: dict[int, Any] = OrderedDict()

    # -- calling ---------------------------------------------------------------------------------------------

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Compute the output; defined by a subclass."""
        raise NotImplementedError(f"{type(self).__name__} defines no forward")

    def backward(self, *inputs: Any) -> None:
        """Refuse, as Paddle does: a layer that is asked for it stands where its result should."""
        raise ValueError("Layer shouldn't implement backward")

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the hooks and ``forward``."""
        if not self._forward_pre_hooks and not self._forward_post_hooks:
            return self.forward(*inputs, **kwargs)
        for hook in list(self._forward_pre_hooks.values()):
            changed = hook(self, inputs)
            if changed is not None:
                inputs = changed if isinstance(changed, tuple) else (changed,)
        outputs = self.forward(*inputs, **kwargs)
        for hook in list(self._forward_post_hooks.values()):
            changed = hook(self, inputs, outputs)
            if changed is not None:
                outputs = changed
        return outputs

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookRemoveHelper:
        """Call ``hook(layer, inputs)`` before forward; its result replaces the inputs."""
        return HookRemoveHelper(self._forward_pre_hooks, hook)

    def register_forward_post_hook(self, hook: Callable[..., Any]) -> HookRemoveHelper:
        """Call ``hook(layer, inputs, outputs)`` after forward; its result replaces the outputs."""
        return HookRemoveHelper(self._forward_post_hooks, hook)

    # -- attributes ------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Trainable):
            self._take(self._made("_parameters"), name, value)
        elif isinstance(value, Layer):
            self._take(self._made("_sub_layers"), name, value)
        elif name in self.__dict__.get("_parameters", ()):
            self._parameters[name] = self._only_none(name, value, "parameter", "Parameter")
        elif name in self.__dict__.get("_sub_layers", ()):
            self._only_none(name, value, "sublayer", "Layer")
            del self._sub_layers[name]
            object.__setattr__(self, name, None)
        elif name in self.__dict__.get("_buffers", ()):
            wrong = not _is_value(value)
            self._buffers[name] = self._only_none(name, value, "buffers", "core.Tensor") if wrong else value
        elif isinstance(value, Tensor) and "_buffers" in self.__dict__ and not hasattr(type(self), name):
            self._take(self._buffers, name, value)
            self._non_persistable_buffer_names_set.add(name)
        else:
            object.__setattr__(self, name, value)

    @staticmethod
    def _only_none(name: str, value: Any, what: str, wanted: str) -> None:
        if value is not None:
            kind = type(value).__name__
            hint = "\n  [Hint: its set_value(...) writes numbers into it]" if what == "parameter" else ""
            raise TypeError(
                f"assignment to {what} '{name}' should be of type {wanted} or None, but got '{kind}'{hint}"
            )

    def _made(self, room: str) -> dict[str, Any]:
        """Return one of the three dicts; if missing, raise that ``super().__init__()`` was not called."""
        if room not in self.__dict__:
            raise ValueError("super().__init__() should be called first")
        found: dict[str, Any] = self.__dict__[room]
        return found

    def _take(self, room: dict[str, Any], name: str, value: Any) -> None:
        """Set `value` under `name`, and remove the name from the other dicts."""
        for other in (self.__dict__, self._parameters, self._sub_layers, self._buffers):
            if other is not room:
                other.pop(name, None)
        room[name] = value

    def __getattr__(self, name: str) -> Any:
        for room in ("_parameters", "_sub_layers", "_buffers"):
            found = self.__dict__.get(room)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        for room in (self._parameters, self._sub_layers, self._buffers):
            if name in room:
                del room[name]
                self._non_persistable_buffer_names_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._parameters, *self._sub_layers, *self._buffers]

    # -- making parts ----------------------------------------------------------------------------------------

    def create_parameter(
        self,
        shape: Any,
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Initializer | None = None,
    ) -> Any:
        """Return a new parameter (None, if `attr` is False), for you to set as an attribute.

        The initializer is, in this order: the one of `attr`, the global one, `default_initializer`,
        Xavier-uniform for weights and 0 for biases.
        """
        chosen = self._dtype if dtype is None else as_numpy(dtype)
        return make_parameter(self.full_name, shape, attr, chosen, is_bias, default_initializer)

    def add_parameter(self, name: str, parameter: Value | None) -> Any:
        """Add `parameter` under `name`.

        Raises:
            KeyError: if the name has a dot, is empty or is taken.
            TypeError: if it is no Parameter.
        """
        self._check_name("parameter", name, self._parameters)
        if parameter is not None and not isinstance(parameter, Trainable):
            raise TypeError(
                f"The parameter to be added should be a Parameter, but received {type(parameter).__name__}."
            )
        if parameter is None:
            self._parameters[name] = None
        else:
            setattr(self, name, parameter)
        return parameter

    def add_sublayer(self, name: str, sublayer: Layer) -> Layer:
        """Add `sublayer` under `name`."""
        assert isinstance(sublayer, Layer) or sublayer is None, (
            f"a Layer is expected, but got {type(sublayer).__name__}"
        )
        self._made("_sub_layers")[str(name)] = sublayer
        return sublayer

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        """Add `tensor` as a buffer: state that is not trained. Not `persistable`: not in ``state_dict``.

        Raises:
            KeyError: if the name has a dot, is empty or is taken.
            TypeError: if it is no Tensor.
        """
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not _is_value(tensor):
            raise TypeError(
                f"The registered buffer should be a Paddle.Tensor, but received {type(tensor).__name__}."
            )
        self._buffers[name] = tensor
        if not persistable:
            self._non_persistable_buffer_names_set.add(name)

    def _check_name(self, what: str, name: str, room: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"The name of {what} should be a string, but received {type(name).__name__}.")
        if "." in name:
            raise KeyError(
                f"The name of {what} can not contain `.`, because `self.{name}` would not find it."
            )
        if name == "":
            raise KeyError(f"The name of {what} can not be empty.")
        if hasattr(self, name) and name not in room:
            raise KeyError(f"The {what} '{name}' already exists.")

    def full_name(self) -> str:
        """Return the layer's own name, such as ``linear_0``."""
        return self._full_name

    # -- state -----------------------------------------------------------------------------------------------

    def state_dict(
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
    ) -> dict[str, Any]:
        """Return parameters and persistent buffers by dotted name: the tensors themselves, not copies."""
        state: dict[str, Any] = OrderedDict() if destination is None else destination
        state_of(self, state, structured_name_prefix, include_sublayers)
        return state

    def set_state_dict(
        self, state_dict: dict[str, Any], use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Copy values from a state dict; see :func:`minipaddle.paddle.nn.layer.state_dict.load_state`."""
        return load_state(self, state_dict, use_structured_name)

    set_dict = load_dict = set_state_dict

    def train(self) -> Self:
        """Switch to training: Dropout drops, BatchNorm updates its averages."""
        return self._switch(True)

    def eval(self) -> Self:
        """Switch to evaluation."""
        return self._switch(False)

    def _switch(self, training: bool) -> Self:
        for layer in self.sublayers(include_self=True):
            layer.training = training
        return self

    def apply(self, fn: Callable[[Any], Any]) -> Self:
        """Call ``fn(layer)`` for every sublayer, children first, and then for this one."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zeros, or to None; frozen ones keep theirs."""
        for parameter in self.parameters():
            if parameter.edge:
                parameter.clear_grad(set_to_zero)

    def to(self, device: Any = None, dtype: Any = None, blocking: Any = None) -> Self:
        """Convert parameters and buffers of a float type to `dtype`, in place; `device` is ignored."""
        if dtype is not None:
            for layer in self.sublayers(include_self=True):
                layer._convert_own(dtype)
        return self

    def _convert_own(self, dtype: Any) -> None:
        """Convert the layer's own parameters and buffers, not those of its sublayers."""
        self._dtype, self._dtype_name = as_numpy(dtype), str(dtype)
        for tensor in (*self.parameters(False), *self.buffers(False)):
            if tensor.array.dtype.kind == "f":
                tensor.array = np.asarray(tensor.array, as_numpy(self._dtype))

    def astype(self, dtype: Any = None) -> Self:
        """Convert to `dtype`, in place."""
        return self.to(dtype=None if dtype is None else dtype_of(np.empty(0, as_numpy(dtype))))

    def float(self) -> Self:
        """Convert to float32, in place."""
        return self.astype("float32")

    def double(self) -> Self:
        """Convert to float64, in place."""
        return self.astype("float64")

    # -- printing --------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """Return the text between the brackets of ``repr``."""
        return ""

    def __repr__(self) -> str:
        def block(lines: list[str]) -> str:
            return "".join(f"\n  {line}" for line in lines) + "\n"

        extra = self.extra_repr().split("\n")
        parts = [
            f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in self._sub_layers.items()
        ]
        text = block(extra) if len(extra) > 1 else extra[0]
        return f"{type(self).__name__}({text}{block(parts) if parts else ''})"


def _is_value(value: Any) -> bool:
    """Whether a value is a Tensor or, in a Program, a Variable."""
    return isinstance(value, Tensor) or hasattr(value, "stop_gradient")
