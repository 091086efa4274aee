"""Desc: what older scripts ask Programs, Blocks, Operators and Variables by ``.desc``, where Paddle keeps C++ objects.

There what is an attribute elsewhere is a method: ``op.desc.type()``, ``op.desc.input_arg_names()``. They only look; a
Program is changed by the methods of Block and Operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.extension import Point

write_program = Point("Program.desc.serialize_to_string")


class Desc:
    """The methods of ``thing.desc``."""

    def __init__(self, of: Any) -> None:
        self.of = of


def _told(text: str, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method that returns what `answer` makes of the thing itself, and of the arguments."""

    def method(desc: Desc, *arguments: Any, **options: Any) -> Any:
        return answer(desc.of, *arguments, **options)

    method.__doc__ = f"Return {text}."
    return method


class OpDesc(Desc):
    """The methods of ``op.desc``."""

    type = _told("its type", lambda op: op.type)
    id = _told("a number that no other has", id)
    block = _told("where it stands", lambda op: BlockDesc(op.block))
    input_names = _told("the input slots", lambda op: sorted(op.input_names))
    output_names = _told("the output slots", lambda op: sorted(op.output_names))
    input = _told("the names of the Variables in an input slot", lambda op, name: op.input(name))
    output = _told("the names of the Variables in an output slot", lambda op, name: op.output(name))
    attr_names = _told("the names of all attributes", lambda op: op.attr_names)
    has_attr = _told("whether there is such an attribute", lambda op, name: op.has_attr(name))
    attr = _told("one attribute", lambda op, name, with_type=False: op.attr(name))
    attr_type = _told("what kind of attribute one is", lambda op, name: op.attr_type(name))
    get_attr_map = _told("all attributes", lambda op: op.all_attrs())

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


class VarDesc(Desc):
    """The methods of ``variable.desc``."""

    name = _told("its name", lambda variable: variable.name)
    id = _told("a number that no other has", id)
    shape = get_shape = _told(
        "the sizes of its axes, -1 where unknown", lambda variable: list(variable.shape)
    )
    dtype = _told("its data type", lambda variable: variable.dtype)
    element_size = _told("the bytes of one element", lambda variable: variable.element_size())
    type = _told("what kind of thing it is", lambda variable: variable.type)
    lod_level = _told("how many levels of sequences it has", lambda variable: variable.lod_level)
    persistable = _told("whether its value stays after a run", lambda variable: variable.persistable)
    stop_gradient = _told("whether gradients stop here", lambda variable: variable.stop_gradient)
    is_parameter = _told("whether it is a parameter", lambda variable: variable.is_parameter)
    need_check_feed = _told("what ``create_var`` was told", lambda variable: bool(variable.need_check_feed))


class BlockDesc(Desc):
    """The methods of ``block.desc``."""

    id = property(lambda self: self.of.idx, doc="Its number.")
    parent = property(lambda self: self.of.parent_idx, doc="The number of the Block around it, or -1.")
    get_forward_block_idx = _told(
        "the number of the Block whose gradient it computes, or -1", lambda block: block.forward_block_idx
    )
    op_size = _told("how many Operators there are", lambda block: len(block.ops))
    op = _told("the Operator of a number", lambda block, index: OpDesc(block.ops[index]))
    all_vars = _told("the Variables", lambda block: [VarDesc(one) for one in block.vars.values()])
    has_var = _told("whether there is a Variable of that name", lambda block, name: _text(name) in block.vars)

    def find_var(self, name: str | bytes) -> VarDesc | None:
        """Return the Variable of that name, or None."""
        found = self.of.vars.get(_text(name))
        return None if found is None else VarDesc(found)


class ProgramDesc(Desc):
    """The methods of ``program.desc``."""

    num_blocks = _told("how many Blocks there are", lambda program: program.num_blocks)
    block = _told("the Block of a number", lambda program, index: BlockDesc(program.block(index)))
    serialize_to_string = _told("what ``Program.parse_from_string`` reads", write_program)


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
