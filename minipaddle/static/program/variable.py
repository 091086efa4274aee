"""Variable: a name and a Meta; the numbers come when the Program runs.

What a Tensor is to eager execution, a Variable is to a Program: operators take them and return them, arithmetic
works on them, gradients flow through them (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/Variable_en.html).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.dtype import DType, as_numpy, dtype_of
from minipaddle.core.errors import locate
from minipaddle.core.extension import Point
from minipaddle.core.meta import Meta, Shape
from minipaddle.nn.parameter.parameter import Trainable
from minipaddle.ops.indexing.index import getitem
from minipaddle.ops.methods import Methods
from minipaddle.ops.views.attribute import shape
from minipaddle.static.program.listing import Listed
from minipaddle.static.scope import global_scope

if TYPE_CHECKING:
    from minipaddle.static.program.block import Block
    from minipaddle.static.program.operator import Operator


beside = Point("arithmetic of Variables")
read_at = Point("reading a Variable at an index")
astype = Point("casting a Variable")
clone = Point("copying a Variable")
detach = Point("a copy of a Variable that stops gradients")
size = Point("counting the elements of a Variable")
reversed_axes = Point("a Variable with its axes in reverse order")


class Variable(Listed, Methods):
    """A value of a Program. Made by :meth:`Block.create_var`, ``static.data`` and by every operator.

    Attributes:
        block: the Block that owns it.
        name: unique in its Block.
        shape: tuple of sizes; -1 where a size is known only when the Program runs.
        stop_gradient: whether gradients stop here.
        is_data: whether it is a placeholder (``static.data``).
        op: the Operator that wrote it last, or None.
        shapeless: whether ``create_var`` was given no shape.
        type: "LOD_TENSOR", or "STEP_SCOPES" for what a sub-block leaves for its gradient.
    """

    def __init__(
        self,
        block: Block,
        name: str,
        meta: Meta,
        persistable: bool = False,
        stop_gradient: bool = False,
        is_data: bool = False,
        type: str = "LOD_TENSOR",
    ) -> None:
        self.block = block
        self.name = name
        self.meta = meta
        self._persistable = persistable
        self.stop_gradient = stop_gradient
        self.is_data = is_data
        self.type = type
        self.op: Operator | None = None
        self.shapeless = False

    @property
    def persistable(self) -> bool:
        """Whether its value stays in the Scope after a run."""
        return self._persistable

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = value
        self.block.program.changed()

    @property
    def shape(self) -> Shape:
        """Sizes of the axes, -1 where unknown."""
        return self.meta.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.meta.shape)

    def dim(self) -> int:
        """Return the number of axes, as :attr:`ndim`."""
        return self.ndim

    ndimension = dim

    @property
    def dtype(self) -> DType:
        """Data type, such as ``paddle.float32``."""
        return dtype_of(self.meta)

    @property
    def lod_level(self) -> int:
        """0: sequences of different lengths in one tensor are not used."""
        return 0

    @property
    def grad_name(self) -> str:
        """What its gradient is called: ``x@GRAD``."""
        return f"{self.name}@GRAD"

    @property
    def is_parameter(self) -> bool:
        """Whether it is a :class:`Parameter`."""
        return isinstance(self, Parameter)

    def get_value(self, scope: Any = None) -> Any:
        """Return the tensor that `scope` (None: the global one) holds under this name.

        Raises:
            ValueError: naming the Variable, if it has none.
        """
        return self._held(scope).get_tensor()

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Put a copy of `value` into `scope` (None: the global one).

        Raises:
            ValueError: naming the Variable, if the scope lacks it; **shape**, if its value has another one.
        """
        held, array = self._held(scope), np.array(value)
        if held.value is not None and held.value.shape != array.shape:
            raise ValueError(
                f"{self.name} expected a shape {list(held.value.shape)}, but the received shape is {list(array.shape)}."
            )
        held.value = array.astype(self.meta.dtype, copy=False)

    def _held(self, scope: Any) -> Any:
        found = (global_scope() if scope is None else scope).find_var(self.name)
        if found is None:
            raise ValueError(f"Can not find Variable '{self.name}' in the Scope.")
        return found

    def copied(self, block: Block) -> Any:
        """Return a Variable of another Block that is the same in all but its `op`."""
        copy = object.__new__(type(self))
        copy.__dict__.update({**self.__dict__, "block": block, "op": None})
        return copy

    # -- what it is asked for, each told how to name what it appends (static/build/methods.py) ---------------------

    def beside(self, sign: str, other: Any, reflected: bool = False) -> Any:
        """Return ``self sign other``; `reflected`: ``other sign self``."""
        return beside(self, sign, other, reflected)

    def __getitem__(self, index: Any) -> Any:
        return read_at(self, index)

    def astype(self, dtype: Any) -> Any:
        """Return the Variable as another dtype; gradients are cast back."""
        return astype(self, dtype)

    cast = astype

    def clone(self) -> Any:
        """Return a copy; gradients pass."""
        return clone(self)

    def detach(self) -> Any:
        """Return a copy that stops gradients."""
        return detach(self)

    def size(self) -> Any:
        """Return the number of elements, which the Program counts when it runs."""
        return size(self)

    @property
    def T(self) -> Any:
        """The Variable with its axes in reverse order."""
        return reversed_axes(self)

    @property
    def _kind(self) -> str:
        return "var"

    def __repr__(self) -> str:
        text = f"{'persist ' if self.persistable else ''}{self._kind} {self.name} : {self.type}"
        if self.type != "LOD_TENSOR":
            return text
        return f"{text}.shape{self.shape}.dtype({self.dtype.name}).stop_gradient({self.stop_gradient})"

    def proto(self, with_details: bool) -> list[str]:
        """Return the lines of its protobuf text."""
        lines = [f'name: "{self.name}"', f"type: {self.type}", f"dtype: {self.dtype.name.upper()}"]
        lines += [f"dims: {size}" for size in self.shape]
        lines += [f"persistable: {str(self.persistable).lower()}"]
        return [*lines, f"stop_gradient: {self.stop_gradient}"] if with_details else lines

    # -- what only numbers can answer -----------------------------------------------------------------------------

    def __bool__(self) -> bool:
        raise locate(
            TypeError(
                f"The truth of the Variable {self.name!r} is known only when the Program runs: Python cannot branch on "
                "it. Choose with paddle.static.nn.cond, repeat with paddle.static.nn.while_loop."
            ),
            "bool",
        )

    def _no_number(self, *unused: Any) -> Any:
        raise TypeError(
            f"The Variable {self.name!r} has no numbers before the Program runs. "
            "Fetch it: exe.run(program, feed={...}, fetch_list=[variable])."
        )

    def as_size(self) -> Dim:
        """Return its one element as a size for a shape."""
        return Dim(self, 0, of_value=True)

    def as_shape(self) -> tuple[int, ...]:
        """Return its shape as gradient rules reckon with it."""
        return symbolic_shape(self)

    def as_sizes(self) -> tuple[Dim, ...]:
        """Return its elements as the sizes of a shape."""
        return tuple([Dim(self, index, of_value=True) for index in range(self.shape[0])])

    __float__ = __int__ = __index__ = __complex__ = __len__ = __iter__ = __array__ = _no_number

    def __setitem__(self, index: Any, value: Any) -> None:
        raise RuntimeError(
            "In static mode, the __setitem__ (looks like: x[indices] = values) should not be used. Please use "
            f"x = paddle.static.setitem(x, indices, values), with the Variable {self.name!r} as x."
        )

    def _dynamic_only(self, *unused: Any, **options: Any) -> Any:
        raise AssertionError(
            f"The Variable {self.name!r} of a Program has no such method: it works in dynamic mode only. "
            "Fetch values with exe.run(...), get gradients with paddle.static.gradients(...)."
        )

    numpy = item = tolist = backward = gradient = clear_gradient = register_hook = _dynamic_only


class Parameter(Trainable, Variable):
    """A Variable that is learned: persistable, in the global block, written first by the startup program.

    Args:
        block: the global block.
        name: such as ``fc_0.w_0``.
        meta: shape and dtype.
        trainable: whether it wants a gradient.
        learning_rate: factor for the optimizer's learning rate.
        regularizer: a decay of its own.
        need_clip: whether gradient clipping applies to it.
    """

    def __init__(
        self,
        block: Block,
        name: str,
        meta: Meta,
        trainable: bool = True,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        need_clip: bool = True,
    ) -> None:
        Variable.__init__(self, block, name, meta, persistable=True, stop_gradient=not trainable)
        self.set_training(learning_rate, regularizer, need_clip)

    @property
    def _kind(self) -> str:
        return "trainable param" if self.trainable else "param"

    def proto(self, with_details: bool) -> list[str]:
        """Return the lines of its protobuf text."""
        details = [f"trainable: {self.trainable}", f"optimize_attr: {self.optimize_attr}"]
        return [*super().proto(with_details), *(details if with_details else [])]


class Dim(int):
    """A size that only a run will tell: -1, but it remembers where it will be found.

    That is the size of an axis of `variable`, or (``of_value=True``) an element of it, when the user wrote a Variable
    into a shape. As part of a shape it means what it will be then; in arithmetic it becomes a Variable.
    """

    variable: Variable
    index: int
    of_value: bool

    def __new__(cls, variable: Variable, index: int, of_value: bool = False) -> Dim:
        """Make a size of -1 that remembers."""
        self = super().__new__(cls, -1)
        self.variable, self.index, self.of_value = variable, index, of_value
        return self

    def of(self, array: Any) -> int:
        """Return the size, given the value of `variable`."""
        return int(array.reshape(-1)[self.index] if self.of_value else array.shape[self.index])

    def as_size(self) -> Dim:
        """Return itself: what :func:`minipaddle.ops.common.arguments.integer` asks of a value that is no plain int."""
        return self

    def as_variable(self) -> Any:
        """Return the size as a 0-D int64 Variable."""
        return getitem(self.variable if self.of_value else shape(self.variable), self.index)

    def __mul__(self, other: Any) -> Any:
        return self.as_variable() * other

    __rmul__ = __mul__

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.as_variable()


def symbolic_shape(variable: Variable) -> tuple[int, ...]:
    """Return the shape of `variable` with a :class:`Dim` for each size that is not known yet."""
    return tuple([Dim(variable, axis) if size == -1 else size for axis, size in enumerate(variable.shape)])


def meta_from(shape: Any, dtype: Any) -> Meta:
    """Return the Meta for a shape as users write it: None and -1 mean "known later".

    Raises:
        TypeError: if `shape` is no list or tuple of ints, or `dtype` is no data type.
    """
    if not isinstance(shape, (list, tuple)):
        raise TypeError(f"The shape must be a list or tuple, but received {type(shape).__name__}.")
    sizes = [-1 if size is None else size for size in shape]
    for size in sizes:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool):
            raise TypeError(f"The sizes in a shape must be int or None, but received {size!r} in {shape!r}.")
    return Meta(tuple([-1 if size < 0 else int(size) for size in sizes]), as_numpy(dtype))
