"""Variable: a name and a Meta; the numbers come when the Program runs.

A Variable is to a Program what a Tensor is to eager execution: operators take and return them, arithmetic
works on them, gradients flow through them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import is_engine_file
from minipaddle.engine.extension_point import Point, written_out
from minipaddle.engine.value.dtype import DType, dtype_of
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.nn.parameter.parameter import Trainable
from minipaddle.paddle.static.program.listing import Listed
from minipaddle.paddle.static.program.numberless import Numberless
from minipaddle.paddle.static.program.sizes import Sizes
from minipaddle.paddle.static.scope import global_scope

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block
    from minipaddle.paddle.static.program.operator import Operator


register_hook = Point("a hook for the gradient of a Variable")


class Variable(Listed, Numberless):
    """A value of a Program. Made by :meth:`Block.create_var`, ``static.data`` and by every operator.

    Attributes:
        block: the Block that owns it.
        name: unique in its Block.
        shape: tuple of sizes; -1 where a size is known only when the Program runs.
        stop_gradient: whether gradients stop here.
        is_data: whether it is a placeholder (``static.data``).
        stays: whether its value stays in the Scope after a run; :attr:`persistable` sets it.
        op: the Operator that wrote it last, or None.
        shapeless: whether ``create_var`` got no shape.
        type: LOD_TENSOR, or STEP_SCOPES for the values that a sub-block saves for its gradient.
        gradient_of: the Variable whose gradient (or a part of it) it is; None: it is none.
    """

    gradient_of: Variable | None = None

    def __init__(
        self,
        block: Block,
        name: str,
        meta: Meta,
        persistable: bool = False,
        stop_gradient: bool = False,
        is_data: bool = False,
        type: VarType = VarType.LOD_TENSOR,
    ) -> None:
        self.block = block
        self.name = name
        self.meta = meta
        self.stays = persistable
        self.stop_gradient = stop_gradient
        self.is_data = is_data
        self.type = type
        self.op: Operator | None = None
        self.shapeless = False

    @property
    def persistable(self) -> bool:
        """Whether its value stays in the Scope after a run."""
        return self.stays

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self.stays = value
        self.block.program.changed()

    @property
    def shape(self) -> Sizes:
        """Sizes of the axes, -1 where unknown."""
        return Sizes(self.meta.shape)

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
        """The number of LoD levels: always 0."""
        return 0

    @property
    def grad_name(self) -> str:
        """The name of its gradient: ``x@GRAD``."""
        return f"{self.name}@GRAD"

    @property
    def is_parameter(self) -> bool:
        """Whether it is a :class:`Parameter`."""
        return isinstance(self, Parameter)

    def get_value(self, scope: Any = None) -> Any:
        """Return the tensor of this name in `scope` (None: the global one).

        Raises:
            ValueError: naming the Variable, if it has none.
        """
        return self._held(scope).get_tensor()

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Store a copy of `value` in `scope` (None: the global one).

        Raises:
            ValueError: naming the Variable, if the scope lacks it; **shape**, if its value has another one.
        """
        held, array = self._held(scope), np.array(value)
        if held.value is not None and held.value.shape != array.shape:
            raise ValueError(
                f"{self.name} expected a shape {list(held.value.shape)}, but the received shape is {list(array.shape)}."
            )
        held.value = np.asarray(array, self.meta.dtype)

    def _held(self, scope: Any) -> Any:
        found = (global_scope() if scope is None else scope).find_var(self.name)
        if found is None:
            raise ValueError(f"Can not find Variable '{self.name}' in the Scope.")
        return found

    def gradient_in(self, block: Block, name: str) -> Variable:
        """Return a Variable for its gradient, or a part of it; `block` does not list it yet."""
        made = Variable(block, name, self.meta, type=self.type)
        made.gradient_of = self
        return made

    def copied(self, block: Block) -> Any:
        """Return a Variable of another Block, equal in all but its `op`."""
        copy = object.__new__(type(self))
        copy.__dict__.update({**self.__dict__, "block": block, "op": None})
        return copy

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call `hook` on the gradient in every run; a result that is not None replaces it.

        It applies to Operators that are appended later. Returns a handle, whose ``remove()`` removes it.
        """
        return register_hook(self, hook)

    @property
    def _kind(self) -> str:
        return "var"

    def __repr__(self) -> str:
        names = written_out.get()
        if names is not None and not is_engine_file(sys._getframe(1).f_code.co_filename):
            names[self.name] = None
        text = f"{'persist ' if self.persistable else ''}{self._kind} {self.name} : {self.type.name}"
        if self.type is not VarType.LOD_TENSOR:
            return text
        return f"{text}.shape{self.shape}.dtype({self.dtype.name}).stop_gradient({self.stop_gradient})"


class Parameter(Trainable, Variable):
    """A trained Variable: persistable, in the global block, written first by the startup program."""

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
        self.optimize_attr = {"learning_rate": learning_rate}
        self.regularizer, self.need_clip = regularizer, need_clip

    @property
    def _kind(self) -> str:
        return "trainable param" if self.trainable else "param"
