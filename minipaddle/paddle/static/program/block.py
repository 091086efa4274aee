"""Block: a list of Operators and the Variables that they write."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import invalid, user_line
from minipaddle.engine.extension_point import Point
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.program.listing import Listed
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.variable import Parameter, Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.program import Program


start_with = Point("what writes the first value of a Variable")
append_call = Point("what appends a call that is written by hand")


class Block(Listed):
    """One sequence of Operators; made by its Program.

    Attributes:
        program: the owner.
        idx: its number in the Program.
        parent_idx: number of the Block around it; -1 for the global one.
        forward_block_idx: for a gradient's Block: the number of its forward Block; else -1.
        backward_block_idx: for a forward Block: the number of its gradient's; else -1.
        vars: Variables by name, in the order of creation.
        ops: Operators in the order of running.
    """

    def __init__(self, program: Program, idx: int, parent_idx: int = -1) -> None:
        self.program = program
        self.idx = idx
        self.parent_idx = parent_idx
        self.forward_block_idx = -1
        self.backward_block_idx = -1
        self.vars: OrderedDict[str, Variable] = OrderedDict()
        self.ops: list[Operator] = []

    @property
    def parent(self) -> Block | None:
        """The Block around it."""
        return None if self.parent_idx < 0 else self.program.blocks[self.parent_idx]

    # -- Variables ------------------------------------------------------------------------------------------------

    def var(self, name: str) -> Variable:
        """Return the Variable `name` of this Block.

        Raises:
            ValueError: **not in this block**.
            TypeError: if `name` is no string.
        """
        if not isinstance(name, str):
            raise TypeError(f"var require string as parameter, but get {type(name)} instead.")
        if name not in self.vars:
            raise ValueError(f"var {name} not in this block")
        return self.vars[name]

    def has_var(self, name: str) -> bool:
        """Whether this Block, not an outer one, has a Variable `name`."""
        return name in self.vars

    def find_var(self, name: str) -> Variable | None:
        """Return the Variable `name` of this Block or of the nearest outer Block that has it, or None."""
        block: Block | None = self
        while block is not None:
            if name in block.vars:
                return block.vars[name]
            block = block.parent
        return None

    _find_var_recursive = find_var

    def create_var(
        self,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = "float32",
        persistable: bool = False,
        stop_gradient: bool = False,
        is_data: bool = False,
        type: Any = VarType.LOD_TENSOR,
        **options: Any,
    ) -> Variable:
        """Return a new Variable, or the existing one with the same name, shape and dtype.

        `options` have no effect, such as ``lod_level``.

        Raises:
            ValueError: **shape** or **data type**, if they differ from those of an existing Variable.
            TypeError: for a data type that does not exist.
        """
        meta = meta_from([] if shape is None else list(shape), "float32" if dtype is None else dtype)
        if name is None:
            name = self.program.generated_name()
        new = name not in self.vars
        variable = self.declared(name, meta, persistable, stop_gradient, is_data, type)
        variable.shapeless = shape is None if new else variable.shapeless
        return variable

    def declared(self, name: str, meta: Meta, *options: Any, **named: Any) -> Variable:
        """Return the Variable `name`, new or with this very Meta; `options` are those of :class:`Variable`."""
        if name in self.vars:
            known: Variable = _agreed(self.vars[name], meta)
            return known
        made: Variable = self.add(Variable(self, name, meta, *options, **named))
        return made

    def create_like(self, variable: Variable, stop_gradient: bool = False) -> Variable:
        """Return a new Variable with the shape and dtype of `variable`."""
        return self.create_var(None, variable.shape, variable.meta.dtype, stop_gradient=stop_gradient)

    def add(self, variable: Variable) -> Any:
        """Add `variable` under its name."""
        self.vars[variable.name] = variable
        return variable

    def create_parameter(
        self,
        shape: Any,
        dtype: Any,
        name: str | None = None,
        trainable: bool = True,
        optimize_attr: dict[str, Any] | None = None,
        regularizer: Any = None,
        need_clip: bool = True,
        initializer: Any = None,
        **options: Any,
    ) -> Parameter:
        """Return a new Parameter of the global Block; with an `initializer`, an Operator there writes it.

        Raises:
            ValueError: **shape** or **dtype** is None, or a size is not **greater than 0**.
        """
        if shape is None:
            raise ValueError("The shape of Parameter should not be None")
        if dtype is None:
            raise ValueError("The dtype of Parameter should not be None")
        for size in shape:
            if size <= 0:
                raise ValueError(
                    f"Each dimension of shape for Parameter must be greater than 0, but received {list(shape)}"
                )
        block = self.program.blocks[0]
        meta = meta_from(list(shape), dtype)
        name = self.program.generated_name() if name is None else name
        if name in block.vars:
            parameter: Parameter = _agreed(block.vars[name], meta)
        else:
            rate = (optimize_attr or {}).get("learning_rate", 1.0)
            parameter = block.add(Parameter(block, name, meta, trainable, rate, regularizer, need_clip))
        if initializer is not None and parameter.op is None:
            start_with(parameter, initializer)
        return parameter

    def iter_parameters(self) -> Iterator[Parameter]:
        """Yield the Parameters of this Block in creation order."""
        return (variable for variable in self.vars.values() if isinstance(variable, Parameter))

    def all_parameters(self) -> list[Parameter]:
        """Return the Parameters of this Block in creation order."""
        return list(self.iter_parameters())

    def rename(self, variable: Variable, name: str) -> None:
        """Rename `variable`, keeping its position in the Block."""
        self.vars = OrderedDict(
            (name if key == variable.name else key, value) for key, value in self.vars.items()
        )
        variable.name = name
        self.program.changed()

    # -- Operators ------------------------------------------------------------------------------------------------

    def add_op(self, op: Operator, position: int | None = None) -> Operator:
        """Insert `op` at the end, or at `position`; its line is the user's current line, unless it has one."""
        op.where = op.where or user_line()
        self.ops.insert(len(self.ops) if position is None else position, op)
        for variable in op.writes():
            variable.op = op
        self.program.prepared.clear()
        return op

    def append_op(
        self, type: str = "", inputs: Any = None, outputs: Any = None, attrs: Any = None, **options: Any
    ) -> Operator:
        """Append a call of an operator of the table, as Paddle's own layers do.

        Args:
            inputs: slot -> Variable, name, or list of them.
            outputs: the same; shape and dtype of these Variables are inferred.
            attrs: by the names that Paddle prints; missing ones get their default values.

        Raises:
            ValueError: for an unknown type, or a missing output, naming it.
            NotImplementedError: for an attribute that only PaddlePaddle supports, naming it.
            AssertionError: **Input X not found**.
        """
        call: Operator = append_call(self, type, inputs or {}, outputs or {}, attrs or {})
        return call

    def _remove_op(self, index: int, sync: bool = True) -> None:
        del self.ops[index]
        self.program.changed()

    def __repr__(self) -> str:
        links = f"forward_idx:{self.forward_block_idx}  backward_idx:{self.backward_block_idx}"
        head = f"{{ // block_idx:{self.idx}  parent_idx:{self.parent_idx}  {links}"
        variables, ops = ([f"    {one}" for one in listed] for listed in (self.vars.values(), self.ops))
        return "\n".join([head, *variables, "", *ops, "}"])


def meta_from(shape: Any, dtype: Any) -> Meta:
    """Return the Meta for a shape as users write it: None and -1 mean "known later"."""
    if not isinstance(shape, (list, tuple)):
        raise TypeError(f"The shape must be a list or tuple, but received {type(shape).__name__}.")
    sizes = [-1 if size is None else size for size in shape]
    for size in sizes:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool):
            raise TypeError(f"The sizes in a shape must be int or None, but received {size!r} in {shape!r}.")
    return Meta(tuple([-1 if size < 0 else int(size) for size in sizes]), as_numpy(dtype))


def _agreed(variable: Any, meta: Meta) -> Any:
    """Return `variable` if it matches the request."""
    for what, before, now in zip(("shape", "data type"), variable.meta, meta):
        if before != now:
            raise invalid(
                f"Variable {variable.name!r} has been created before. The previous {what} is {before}; the new {what} "
                f"is {now}. They are not matched.",
                "give it another name",
            )
    return variable
