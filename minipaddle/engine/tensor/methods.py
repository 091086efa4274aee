"""Methods of Tensor besides the functions of ``paddle``: copies, dtypes, memory, gradients, and ``grad_fn``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from minipaddle import ops
from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.mode.eager import Eager, current
from minipaddle.engine.tape.memory import ensure_writable, zeros
from minipaddle.engine.tape.node import AnyNode, Edge, Node
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Array
from minipaddle.engine.walk.backward import tensor_backward
from minipaddle.engine.walk.hooks import register_hook, retain_grads
from minipaddle.engine.walk.walk import node_of
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import fill
from minipaddle.ops.methods import InplaceMethods, Methods
from minipaddle.ops.optimizer_steps.sgd import overwrite

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor


M = TypeVar("M", bound=Methods)


def _as(name: str, dtype: str) -> Callable[[M], M]:
    """Return the method `name`, which casts a Tensor to `dtype`."""

    def method(self: M) -> M:
        cast_one: M = self.astype(dtype)
        return cast_one

    method.__doc__ = f"Return the Tensor as {dtype}; gradients are cast back."
    method.__name__, method.__qualname__ = name, f"TypeMethods.{name}"
    return method


class TypeMethods(Methods):
    """The Tensor as another dtype."""

    __slots__ = ()

    float, double, half = _as("float", "float32"), _as("double", "float64"), _as("half", "float16")
    int, long, bool = _as("int", "int32"), _as("long", "int64"), _as("bool", "bool")


def host(tensor: Any, how: str, given: Array | None = None) -> Array:
    """Return the array of a Tensor for Python to read; `how` is the name of the reading method.

    Observers are told, as numbers that Python reads leave the graph; they can follow only the array `given`.
    """
    for one in current.get().tell:
        one.read(tensor, how, given)
    array: Array = tensor.array
    return array


def _number(kind: type, name: str = "") -> Any:
    """Return the method by which Python converts a Tensor to a number, such as ``__float__`` for a float."""
    name = name or f"__{kind.__name__}__"

    def method(self: Any) -> Any:
        assert self.array.size == 1, (
            f"only one element variable can be converted to {kind.__name__}, not {list(self.shape)}: "
            f"try {'.all(), .any()' if kind is bool else '.mean(), .sum()'} or [i]"
        )
        return kind(host(self, name).item())

    return method


class TensorMethods(TypeMethods, InplaceMethods):
    """The methods of a Tensor that a Variable lacks."""

    __slots__ = ()

    array: Array
    edge: Edge | None
    grad: Tensor | None
    _history: Edge | None

    # -- gradients ------------------------------------------------------------------------------------------------

    backward = tensor_backward
    register_hook = register_hook
    retain_grads = retain_grads

    def gradient(self) -> Array | None:
        """Return ``.grad`` as a NumPy array, or None."""
        return None if self.grad is None else self.grad.numpy()

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set ``.grad`` to zeros, or to None; harmless before backward."""
        this: Any = self
        before = this._grad
        if before is not None:
            nothing = zeros(self.array.shape, self.array.dtype) if set_to_zero else None
            stopping = isinstance(before, Eager.tensor) and before.edge is None and set_to_zero
            this._grad = Eager.tensor(nothing) if stopping else nothing

    clear_gradient = clear_grad

    @property
    def grad_fn(self) -> GradNode | None:
        """The node that made it, or None."""
        return grad_fn(self.edge or self._history)

    def detach(self) -> Tensor:
        """Return a Tensor over the same memory that has no history."""
        ensure_writable(self)
        tensor: Tensor = Eager.tensor(self.array)
        for one in current.get().tell:
            one.shares(tensor, self)
        return tensor

    data = property(detach, doc="The result of :meth:`detach`.")

    # -- copies ---------------------------------------------------------------------------------------------------

    def astype(self, dtype: Any) -> Any:
        """Return a copy of another dtype, gradients are cast back; the Tensor itself if it has that dtype."""
        wanted = as_numpy(dtype)
        return self if wanted == self.array.dtype else cast(self, wanted)

    cast = ops.cast

    def clone(self) -> Any:
        """Return a copy that gradients flow through."""
        return assign_op(self)

    def to(self, *args: Any, dtype: Any = None, blocking: Any = None, device: Any = None) -> Any:
        """Return the Tensor as another dtype; there is only one device.

        Raises:
            ValueError: for a device that is not a CPU.
        """
        found = self
        for argument in (*args, device, dtype):
            if argument is None or isinstance(argument, bool):
                continue
            if isinstance(argument, TensorMethods):
                found = found.astype(argument.dtype)
            elif str(argument).lower().replace("place(cpu)", "cpu") != "cpu":
                try:
                    found = found.astype(argument)
                except TypeError as error:
                    raise invalid(f"{argument!r} is neither a dtype nor the CPU.", "leave it out") from error
        return found

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Return a recipe for any copy: a leaf with the numbers and the flag, without gradient, as in Paddle."""
        return restored, (self.array.copy(), self.stop_gradient)

    # -- its numbers ----------------------------------------------------------------------------------------------

    def numpy(self, blocking: Any = True) -> Array:
        """Return a copy as a NumPy array; `blocking` has no effect."""
        given = self.array.copy()
        host(self, "numpy", given)
        return given

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        return np.array(host(self, "__array__"), dtype=dtype)

    def item(self, *index: int) -> Any:
        """Return one element as a Python number.

        Raises:
            ValueError: **only one element**, if there are more and no index is given; or if there is no such element.
        """
        if len(index) == 1 and not 0 <= index[0] < self.array.size:
            size = self.array.size
            raise invalid(f"index {index[0]} is out of bounds for size {size}: expected offset < numel.")
        if not index and self.array.size != 1:
            raise invalid(
                f"only one element tensors can be converted to Python scalars, but shape is {list(self.shape)}: "
                "try .mean(), .sum() or [i] before it."
            )
        return host(self, "item").item(*index)

    def tolist(self) -> Any:
        """Return nested lists of Python numbers."""
        return host(self, "tolist").tolist()

    def __len__(self) -> int:
        assert self.array.ndim > 0, "len() of a 0-D tensor is wrong"
        return len(self.array)

    __bool__, __int__, __index__ = _number(bool), _number(int), _number(int, "__index__")
    __float__, __complex__ = _number(float), _number(complex)

    # -- new content ----------------------------------------------------------------------------------------------

    def fill_(self, value: Any) -> Any:
        """Set every element to one number."""
        return fill.bind_inplace(self, value=value)

    def zero_(self) -> Any:
        """Set every element to zero."""
        return self.fill_(0)

    def set_value(self, value: Any) -> None:
        """Replace the content, leaving history and version as they are.

        Raises:
            AssertionError: **Shape not match** or **dtype not match**.
        """
        source = value if isinstance(value, TensorMethods) else Eager.tensor(np.asarray(value))
        fresh = source.array
        assert fresh.shape == self.array.shape, (
            f"Variable Shape not match, Variable [ {self.name} ] need tensor with shape {list(self.shape)} "
            f"but load set tensor with shape {list(fresh.shape)}"
        )
        assert fresh.dtype == self.array.dtype, (
            f"Variable dtype not match, Variable [ {self.name} ] need tensor with dtype {self.dtype} "
            f"but load tensor with dtype {fresh.dtype}"
        )
        current.get().apply_inplace(overwrite, (self, source), {})

    def copy_(self, other: Any, blocking: bool = True) -> Self:
        """Replace the content, and the shape, by those of another Tensor.

        Raises:
            ValueError: **must be Tensor**, for anything else.
            RuntimeError: **different data type**.
        """
        if not isinstance(other, TensorMethods):
            what = type(other).__name__
            raise invalid(f"copy_(): argument 'other' (position 1) must be Tensor, but got {what}.")
        if other.array.dtype != self.array.dtype:
            raise failure(
                RuntimeError,
                f"Tensor {self.name} has different data type with Tensor {other.name}, Tensor Copy cannot be "
                "performed!",
                f"cast it: copy_(other.astype({self.array.dtype.name!r}))",
            )
        if other.array.shape != self.array.shape:
            target: Any = self
            target.array = np.zeros_like(other.array)
        self.set_value(other)
        return self

    # -- memory ---------------------------------------------------------------------------------------------------

    def _same(self, *args: Any, **kwargs: Any) -> Self:
        """Return the Tensor itself: all memory is the CPU's and contiguous."""
        return self

    cpu = contiguous = value = get_tensor = _same

    @property
    def type(self) -> Any:
        """The kind of variable: ``VarType.LOD_TENSOR``, which Paddle 3 calls DENSE_TENSOR."""
        from minipaddle.ops.definition.var_type import VarType

        return VarType.LOD_TENSOR


def restored(array: Array, stop_gradient: bool) -> Tensor:
    """Return a leaf over `array`: the result of copying or unpickling a Tensor."""
    tensor: Tensor = Eager.tensor(array)
    tensor.stop_gradient = stop_gradient
    return tensor


@dataclass(frozen=True, slots=True, repr=False)
class GradNode:
    """One node of the backward graph."""

    node: AnyNode

    def name(self) -> str:
        """``AddGradNode``, ``GradNodePyLayer_cus_tanh``, or ``GradNodeAccumulation`` at a leaf."""
        return self.node.op.title if isinstance(self.node, Node) else "GradNodeAccumulation"

    @property
    def next_functions(self) -> list[GradNode | None]:
        """The nodes that this one sends gradients to; None for an input that stops them, and after a leaf."""
        return [grad_fn(edge) for edge in self.node.edges] or [None]

    def __repr__(self) -> str:
        return f"<{self.name()}>"


def grad_fn(edge: Edge | None) -> GradNode | None:
    """Return the node that `edge` leads to; None for a tensor that stops gradients."""
    return None if edge is None else GradNode(node_of(edge))
