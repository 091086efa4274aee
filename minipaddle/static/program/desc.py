"""Desc: what older scripts ask Programs, Blocks, Operators and Variables by ``.desc``, where Paddle keeps C++ objects.

There what is an attribute elsewhere is a method: ``op.desc.type()``, ``op.desc.input_arg_names()``. They only look; a
Program is changed by the methods of Block and Operator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minipaddle.core.extension import Point
from minipaddle.ops.common.var_type import AttrType, VarType

if TYPE_CHECKING:
    from minipaddle.static.program.block import Block
    from minipaddle.static.program.operator import Operator
    from minipaddle.static.program.program import Program
    from minipaddle.static.program.variable import Variable

write_program = Point("Program.desc.serialize_to_string")


class OpDesc:
    """The methods of ``op.desc``."""

    def __init__(self, op: Operator) -> None:
        self._op = op

    def type(self) -> str:
        """Return its type."""
        return self._op.type

    def id(self) -> int:
        """Return a number that no other has."""
        return id(self._op)

    def block(self) -> BlockDesc:
        """Return where it stands."""
        return BlockDesc(self._op.block)

    def input_names(self) -> list[str]:
        """Return the input slots."""
        return sorted(self._op.input_names)

    def output_names(self) -> list[str]:
        """Return the output slots."""
        return sorted(self._op.output_names)

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in an input slot."""
        return self._op.input(name)

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in an output slot."""
        return self._op.output(name)

    def inputs(self) -> dict[str, list[str]]:
        """Return the names in all input slots."""
        return {name: self.input(name) for name in self.input_names()}

    def outputs(self) -> dict[str, list[str]]:
        """Return the names in all output slots."""
        return {name: self.output(name) for name in self.output_names()}

    def input_arg_names(self) -> list[str]:
        """Return the names of all Variables that it reads, by slot."""
        return [one for names in self.inputs().values() for one in names]

    def output_arg_names(self) -> list[str]:
        """Return the names of all Variables that it writes, by slot."""
        return [one for names in self.outputs().values() for one in names]

    def attr_names(self) -> list[str]:
        """Return the names of all attributes."""
        return self._op.attr_names

    def has_attr(self, name: str) -> bool:
        """Return whether there is such an attribute."""
        return self._op.has_attr(name)

    def attr(self, name: str, with_type: bool = False) -> Any:
        """Return one attribute."""
        return self._op.attr(name)

    def attr_type(self, name: str) -> AttrType:
        """Return what kind of attribute one is."""
        return self._op.attr_type(name)

    def get_attr_map(self) -> dict[str, Any]:
        """Return all attributes."""
        return self._op.all_attrs()


class VarDesc:
    """The methods of ``variable.desc``."""

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def name(self) -> str:
        """Return its name."""
        return self._variable.name

    def id(self) -> int:
        """Return a number that no other has."""
        return id(self._variable)

    def shape(self) -> list[int]:
        """Return the sizes of its axes, -1 where unknown."""
        return list(self._variable.shape)

    get_shape = shape

    def dtype(self) -> Any:
        """Return its data type."""
        return self._variable.dtype

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self._variable.element_size()

    def type(self) -> VarType:
        """Return what kind of thing it is."""
        return self._variable.type

    def lod_level(self) -> int:
        """Return 0."""
        return self._variable.lod_level

    def persistable(self) -> bool:
        """Return whether its value stays after a run."""
        return self._variable.persistable

    def stop_gradient(self) -> bool:
        """Return whether gradients stop here."""
        return self._variable.stop_gradient

    def is_parameter(self) -> bool:
        """Return whether it is a parameter."""
        return self._variable.is_parameter

    def need_check_feed(self) -> bool:
        """Return what ``create_var`` was told."""
        return bool(self._variable.need_check_feed)


class BlockDesc:
    """The methods of ``block.desc``."""

    def __init__(self, block: Block) -> None:
        self._block = block

    @property
    def id(self) -> int:
        """Its number."""
        return self._block.idx

    @property
    def parent(self) -> int:
        """The number of the Block around it, or -1."""
        return self._block.parent_idx

    def get_forward_block_idx(self) -> int:
        """Return the number of the Block whose gradient it computes, or -1."""
        return self._block.forward_block_idx

    def op_size(self) -> int:
        """Return how many Operators there are."""
        return len(self._block.ops)

    def op(self, index: int) -> OpDesc:
        """Return one Operator.

        Raises:
            IndexError: if there is none of that number.
        """
        return OpDesc(self._block.ops[index])

    def all_vars(self) -> list[VarDesc]:
        """Return the Variables."""
        return [VarDesc(one) for one in self._block.vars.values()]

    def has_var(self, name: str | bytes) -> bool:
        """Return whether there is a Variable of that name."""
        return _text(name) in self._block.vars

    def find_var(self, name: str | bytes) -> VarDesc | None:
        """Return the Variable of that name, or None."""
        found = self._block.vars.get(_text(name))
        return None if found is None else VarDesc(found)


class ProgramDesc:
    """The methods of ``program.desc``."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def num_blocks(self) -> int:
        """Return how many Blocks there are."""
        return self._program.num_blocks

    def block(self, index: int) -> BlockDesc:
        """Return one Block.

        Raises:
            IndexError: if there is none of that number.
        """
        return BlockDesc(self._program.block(index))

    def serialize_to_string(self) -> bytes:
        """Return what ``Program.parse_from_string`` reads."""
        text: bytes = write_program(self._program)
        return text


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
