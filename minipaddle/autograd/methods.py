"""Methods of Tensor: which functions can be called as ``x.name(...)``, and their in-place twins."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from minipaddle import ops
from minipaddle.autograd.arithmetic import attach_arithmetic
from minipaddle.autograd.backward import clear_grad, gradient, tensor_backward
from minipaddle.autograd.hooks import register_hook, retain_grads
from minipaddle.autograd.inplace import inplace_twin
from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import node_of
from minipaddle.core.dtype import as_numpy
from minipaddle.core.eager import current
from minipaddle.core.errors import failure
from minipaddle.core.memory import ensure_writable
from minipaddle.core.meta import Array
from minipaddle.core.mode import TOLD
from minipaddle.core.node import AnyNode, Edge, Node
from minipaddle.core.operator import Operator
from minipaddle.ops.creation.assign import copy
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import fill
from minipaddle.ops.views.transpose import transpose

_FIRST = {"x", "input", "arr", "condition"}
"""A function whose first argument is a tensor, by one of these names, is a method too: Paddle's own habit."""

_INPLACE = frozenset(
    [
        "abs",
        "add",
        "cast",
        "ceil",
        "clip",
        "cos",
        "cosh",
        "divide",
        "erf",
        "exp",
        "expm1",
        "flatten",
        "floor",
        "floor_divide",
        "index_add",
        "lerp",
        "log",
        "log10",
        "log1p",
        "log2",
        "logical_and",
        "logical_not",
        "logical_or",
        "masked_fill",
        "multiply",
        "neg",
        "pow",
        "put_along_axis",
        "reciprocal",
        "remainder",
        "reshape",
        "round",
        "rsqrt",
        "scale",
        "scatter",
        "sigmoid",
        "sin",
        "sinh",
        "sqrt",
        "square",
        "squeeze",
        "subtract",
        "tan",
        "tanh",
        "tril",
        "triu",
        "trunc",
        "unsqueeze",
        "where",
    ]
)
"""Those that have an in-place twin."""


def attach_methods() -> None:
    """Give Tensor its methods."""
    attach_arithmetic()
    attach_functions(Tensor)
    functions = _functions()
    for name in sorted(_INPLACE & functions.keys()):
        setattr(Tensor, f"{name}_", inplace_twin(functions[name], f"{name}_"))
    for name, method in {**_GRADIENT, **CONVERSIONS}.items():
        setattr(Tensor, name, method)


def attach_functions(cls: type) -> None:
    """Give a class of values those functions as methods whose first argument is a tensor."""
    for name, function in _functions().items():
        if next(iter(inspect.signature(function).parameters), "") in _FIRST and not hasattr(cls, name):
            setattr(cls, name, function)


def _functions() -> dict[str, Callable[..., Any]]:
    return {name: _as_function(value) for name, value in vars(ops).items() if callable(value)}


def _as_function(function: Any) -> Callable[..., Any]:
    return function.public if isinstance(function, Operator) else function


_GRADIENT: dict[str, Any] = {
    "backward": tensor_backward,
    "gradient": gradient,
    "clear_grad": clear_grad,
    "clear_gradient": clear_grad,
    "register_hook": register_hook,
    "retain_grads": retain_grads,
    "grad_fn": property(
        lambda self: grad_fn(self.edge or self._history), doc="The node that made it, or None."
    ),
}


def astype(self: Tensor, dtype: Any) -> Any:
    """Return a copy of another dtype; gradients are cast back."""
    return cast(self, as_numpy(dtype))


def clone(self: Tensor) -> Any:
    """Return a copy that gradients flow through."""
    return copy(self)


def detach(self: Tensor) -> Tensor:
    """Return a Tensor over the same memory that has no history."""
    ensure_writable(self)
    twin = Tensor(self.array)
    if TOLD and (tell := current.get().tell) is not None:
        tell.shares(twin, self)
    return twin


def detach_(self: Tensor) -> Tensor:
    """Cut the Tensor off from its history, in place."""
    self.edge = self._history = None
    return self


def to(self: Tensor, *args: Any, dtype: Any = None, blocking: Any = None, device: Any = None) -> Any:
    """Return the Tensor as another dtype; there is only one device.

    Raises:
        ValueError: for a device that is not a CPU.
    """
    wishes: tuple[Any, ...] = (*args, device, dtype)
    for argument in wishes:
        if argument is None or isinstance(argument, bool):
            continue
        if isinstance(argument, Tensor):
            self = astype(self, argument.dtype)
        elif str(argument).lower().replace("place(cpu)", "cpu") != "cpu":
            try:
                self = astype(self, argument)
            except TypeError as error:
                raise failure(ValueError, f"{argument!r} is neither a dtype nor the CPU.") from error
    return self


def _same(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Return the Tensor itself: all memory is the CPU's, and contiguity is NumPy's affair."""
    return self


def cpu(self: Tensor) -> Any:
    """Return a copy on the CPU, connected to the graph."""
    return copy(self)


def fill_(self: Tensor, value: float) -> Any:
    """Set every element to one number."""
    return fill.bind_inplace(self, value=value)


def zero_(self: Tensor) -> Any:
    """Set every element to zero."""
    return fill_(self, 0)


def copy_(self: Tensor, other: Any, blocking: bool = True) -> Any:
    """Take over the content of another Tensor."""
    self.set_value(other if isinstance(other, Tensor) else Tensor(other))
    return self


def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """Return a leaf with the same numbers and the same flag, and no gradient."""
    memo[id(self)] = twin = restored(self.array.copy(), self.stop_gradient)
    return twin


def restored(array: Array, stop_gradient: bool) -> Tensor:
    """Return a leaf over `array`: what copying and unpickling make of any Tensor."""
    tensor = Tensor(array)
    tensor.stop_gradient = stop_gradient
    return tensor


def reduced(self: Tensor, protocol: int = 0) -> tuple[Any, ...]:
    """Say how to make a copy: the numbers and the flag, without gradient and history, as in Paddle."""
    return restored, (self.array.copy(), self.stop_gradient)


def element_size(self: Tensor) -> int:
    """Return the bytes of one element."""
    return self.array.itemsize


def is_floating_point(self: Tensor) -> bool:
    """Return whether the elements are floats."""
    return self.array.dtype.kind == "f"


def dim(self: Tensor) -> int:
    """Return the number of axes."""
    return self.array.ndim


def reversed_axes(self: Any) -> Any:
    """Return the Tensor (or Variable) with its axes in reverse order, over the same memory."""
    return transpose(self, list(range(self.ndim))[::-1])


def last_two_swapped(self: Tensor) -> Any:
    """Return the Tensor with its last two axes swapped, over the same memory."""
    return transpose(self, [*range(self.ndim - 2), self.ndim - 1, self.ndim - 2])


def _converter(dtype: str) -> Callable[[Tensor], Any]:
    def convert(self: Tensor) -> Any:
        return astype(self, dtype)

    convert.__doc__ = f"Return a copy of dtype {dtype}."
    return convert


def _set_requires_grad(self: Tensor, value: bool) -> None:
    self.stop_gradient = not value


CONVERSIONS: dict[str, Any] = {
    **{one.__name__: one for one in (astype, clone, detach, detach_, to, cpu, fill_, zero_, copy_)},
    **{one.__name__: one for one in (element_size, is_floating_point, dim)},
    "__deepcopy__": deepcopy,
    "__reduce_ex__": reduced,
    "ndimension": dim,
    "contiguous": _same,
    "pin_memory": _same,
    "value": _same,
    "get_tensor": _same,
    "is_tensor": lambda self: True,
    "is_contiguous": lambda self: bool(self.array.flags.c_contiguous),
    "stride": lambda self: [step // self.array.itemsize for step in self.array.strides],
    "strides": property(lambda self: [step // self.array.itemsize for step in self.array.strides]),
    "data": property(lambda self: detach(self)),
    "requires_grad": property(lambda self: not self.stop_gradient, _set_requires_grad),
    "T": property(reversed_axes, doc="The Tensor with its axes in reverse order."),
    "mT": property(last_two_swapped, doc="The Tensor with its last two axes swapped."),
    "float": _converter("float32"),
    "double": _converter("float64"),
    "half": _converter("float16"),
    "int": _converter("int32"),
    "long": _converter("int64"),
    "bool": _converter("bool"),
}
"""By the name of the method."""


class GradNode:
    """One node of the backward graph."""

    __slots__ = ("_node",)

    def __init__(self, node: AnyNode) -> None:
        self._node = node

    def name(self) -> str:
        """``AddGradNode``, ``GradNodePyLayer_cus_tanh``, or ``GradNodeAccumulation`` at a leaf."""
        if not isinstance(self._node, Node):
            return "GradNodeAccumulation"
        title = self._node.op.title
        return f"GradNode{title}" if title.startswith("PyLayer_") else f"{title}GradNode"

    @property
    def next_functions(self) -> list[GradNode | None]:
        """The nodes that this one sends gradients to; None for an input that stops them, and after a leaf."""
        return [grad_fn(edge) for edge in self._node.edges] if isinstance(self._node, Node) else [None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradNode) and other._node is self._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<{self.name()}>"


def grad_fn(edge: Edge | None) -> GradNode | None:
    """Return the node that `edge` leads to; None for a tensor that stops gradients."""
    return None if edge is None else GradNode(node_of(edge))
