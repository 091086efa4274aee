"""Tensor: numbers with a history.

Next: :mod:`minipaddle.engine.custom.py_layer`, an operator whose forward and backward the user writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle.engine.errors import invalid
from minipaddle.engine.extension_point import Point
from minipaddle.engine.fast import put_in_place
from minipaddle.engine.mode.eager import Eager, current, mode_now
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.tape import memory
from minipaddle.engine.tape.node import AccumulateGrad, Edge
from minipaddle.engine.tensor.methods import TensorMethods, host
from minipaddle.engine.value.dtype import DType, dtype_of
from minipaddle.engine.value.meta import Array, CPUPlace
from minipaddle.engine.value.size import Size, TensorSize
from minipaddle.ops import signs as arithmetic
from minipaddle.ops.creation.convert import content
from minipaddle.ops.indexing.index import getitem, setitem_inplace

ndarray = np.ndarray

text_of_tensor = Point("repr(Tensor)")


class Tensor(TensorMethods):
    """A multi-dimensional array that remembers how it was computed.

    Made by ``paddle.to_tensor`` and by every operator
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Tensor_en.html). Functions whose first argument
    is a tensor are methods, too.
    """

    __slots__ = ("__dict__", "__weakref__", "array", "edge")
    __module__ = "minipaddle.paddle"  # where a pickle finds it

    # Rare properties live in the instance dict; results of operators carry none of them.
    persistable: bool = False
    _grad: Tensor | Array | None = None  # an array as backward stored it; a Tensor once ``.grad`` is read
    _history: Edge | None = None  # the edge before stop_gradient was set
    _name: str | None = None

    array: Array
    edge: Edge | None

    def __init__(
        self, array: Any = (), place: Any = None, persistable: bool = False, zero_copy: bool = False,
        name: str | None = None, stop_gradient: bool = True, value: Any = None, data: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if type(array) is not ndarray or array.dtype.kind not in "biufc":
            array = content(array, place, value if data is None else data)
        self.array = array
        self.edge = None
        if persistable or name or not stop_gradient:
            self.persistable, self._name, self.stop_gradient = persistable, name, stop_gradient

    # -- shape, dtype, device -------------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """Sizes of the axes: a new list each time, which compares equal to a tuple."""
        return Size(self.array.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.array.ndim

    def dim(self) -> int:
        """Return the number of axes."""
        return self.array.ndim

    ndimension = dim

    @property
    def size(self) -> TensorSize:
        """Number of elements; ``x.size(0)`` is the size of the first axis."""
        return TensorSize(self.array.shape)

    @property
    def dtype(self) -> DType:
        """Data type, such as ``paddle.float32``."""
        return dtype_of(self.array)

    @property
    def place(self) -> CPUPlace:
        """The device: ``Place(cpu)``."""
        return CPUPlace()

    @property
    def name(self) -> str:
        """The Tensor's name; ``generated_tensor_N`` unless given."""
        if self._name is None:
            self._name = unique_name("generated_tensor")
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = value

    # -- arithmetic -----------------------------------------------------------------------------------------------

    def beside(self, sign: str, other: Any, reflected: bool = False) -> Any:
        """Return ``self sign other``; `reflected`: ``other sign self``."""
        op = arithmetic.OPERATORS.get(sign)
        if op is not None and isinstance(other, Tensor) and other.array.dtype is self.array.dtype:
            return mode_now().apply(op, (other, self) if reflected else (self, other), op.defaults)
        function = arithmetic.SIGNS[sign]
        return function(other, self) if reflected else function(self, other)

    def __pos__(self) -> Tensor:
        return self

    def __getitem__(self, index: Any) -> Any:
        return getitem(self, index)

    __setitem__ = setitem_inplace

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):  # rows stay connected to the graph
            yield getitem(self, index)

    # -- its place in the graph -----------------------------------------------------------------------------------

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here; True for tensors made by the user. Set it to False to get a gradient."""
        return self.edge is None

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"stop_gradient must be bool, but received {type(value).__name__}.")
        if value and self.edge is not None:
            self._history, self.edge = self.edge, None
        elif not value and self.edge is None:
            self.edge = self._history or AccumulateGrad(self)
        else:
            return
        for one in current.get().tell:
            one.switched(self, "stop_gradient=True" if value else "stop_gradient=False")

    @property
    def requires_grad(self) -> bool:
        """The opposite of ``stop_gradient``."""
        return not self.stop_gradient

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.stop_gradient = not value

    def detach_(self) -> Tensor:
        """Cut the Tensor off from its history, in place."""
        self.edge = self._history = None
        for one in current.get().tell:
            one.switched(self, "detach_")
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the user made it (or the tape has no node for it)."""
        return isinstance(self.edge or self._history, AccumulateGrad | None)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward left here, or None; as in Paddle it does not stop gradients."""
        grad = self._grad
        if grad is None or isinstance(grad, Tensor):
            return grad
        self._grad = made = Tensor(grad)
        made.edge = AccumulateGrad(made)
        return made

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None and not isinstance(value, Tensor):
            what = type(value).__name__
            raise invalid(f"The grad of a Tensor must be Tensor or None, but received {what}.")
        self._grad = value
        for one in current.get().tell if value is not None else ():
            one.stored(None, self, None, value)

    @property
    def inplace_version(self) -> int:
        """The number of in-place writes to its memory."""
        return memory.version(self.array)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return str(text_of_tensor(self))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self.array.ndim:
            return object.__format__(self, spec)
        return format(host(self, "__format__").item(), spec)


Eager.tensor = Tensor
put_in_place("signs", Tensor, arithmetic)
