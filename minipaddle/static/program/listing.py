"""How Programs print: as Paddle's own listings do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minipaddle.static.program.variable import Parameter, Variable

if TYPE_CHECKING:
    from minipaddle.static.program.block import Block
    from minipaddle.static.program.operator import Operator
    from minipaddle.static.program.program import Program

_HIDDEN = frozenset({"op_callstack", "op_device"})


def variable_text(variable: Variable) -> str:
    """Return ``var x : LOD_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(True)``."""
    prefix = "persist " if variable.persistable else ""
    if isinstance(variable, Parameter):
        prefix += "trainable param" if variable.trainable else "param"
    else:
        prefix += "var"
    if variable.type != "LOD_TENSOR":
        return f"{prefix} {variable.name} : {variable.type}"
    return (
        f"{prefix} {variable.name} : {variable.type}.shape{variable.shape}.dtype({variable.dtype.name})"
        f".stop_gradient({variable.stop_gradient})"
    )


def operator_text(op: Operator) -> str:
    """Return ``{Out=['y']} = exp(inputs={X=['x']}, ...)``: slots and attributes alphabetically."""
    ins = ", ".join(f"{slot}={op.input(slot)}" for slot in sorted(op.inputs))
    outs = ", ".join(f"{slot}={op.output(slot)}" for slot in sorted(op.outputs))
    attrs = "".join(
        f", {name} = {_attr_text(value)}"
        for name, value in sorted(op.all_attrs().items())
        if name not in _HIDDEN
    )
    return f"{{{outs}}} = {op.type}(inputs={{{ins}}}{attrs})"


def _attr_text(value: Any) -> str:
    from minipaddle.static.program.block import Block

    if isinstance(value, Block):
        return f"block[{value.idx}]"
    if isinstance(value, list) and value and isinstance(value[0], Block):
        return f"blocks[{', '.join(str(block.idx) for block in value)}]"
    return str(value)


def block_text(block: Block) -> str:
    """Return a Block: its Variables, an empty line, its Operators."""
    lines = [
        f"{{ // block_idx:{block.idx}  parent_idx:{block.parent_idx}  forward_idx:{block.forward_block_idx}  "
        f"backward_idx:{block.backward_block_idx}"
    ]
    lines += [f"    {variable_text(variable)}" for variable in block.vars.values()]
    lines += [""]
    lines += [f"    {operator_text(op)}" for op in block.ops]
    return "\n".join([*lines, "}"])


def as_text(lines: list[str]) -> str:
    """Return lines as one text."""
    return "\n".join([*lines, ""])


def check_flags(**flags: Any) -> None:
    """Refuse what is no bool, by its name."""
    for name, value in flags.items():
        assert isinstance(value, bool), (
            f"The type of {name} parameter is wrong, expected bool, but received {type(value)}."
        )


def program_proto(program: Program, with_details: bool) -> list[str]:
    """Return the lines of a Program in the form of Paddle's protobuf text; details are what training needs."""
    return [line for block in program.blocks for line in _nested("blocks", block_proto(block, with_details))]


def block_proto(block: Block, with_details: bool) -> list[str]:
    """Return the lines of a Block; see :func:`program_proto`."""
    lines = [f"idx: {block.idx}", f"parent_idx: {block.parent_idx}"]
    for variable in block.vars.values():
        lines += _nested("vars", variable_proto(variable, with_details))
    for op in block.ops:
        lines += _nested("ops", operator_proto(op))
    return [*lines, f"forward_block_idx: {block.forward_block_idx}"]


def _nested(name: str, lines: list[str]) -> list[str]:
    return [f"{name} {{", *[f"  {line}" for line in lines], "}"]


def variable_proto(variable: Variable, with_details: bool) -> list[str]:
    """Return the lines of a Variable; see :func:`program_proto`."""
    lines = [f'name: "{variable.name}"', f"type: {variable.type}", f"dtype: {variable.dtype.name.upper()}"]
    lines += [f"dims: {size}" for size in variable.shape]
    lines += [f"persistable: {str(variable.persistable).lower()}"]
    if with_details:
        lines += [f"stop_gradient: {variable.stop_gradient}"]
        if isinstance(variable, Parameter):
            lines += [f"trainable: {variable.trainable}", f"optimize_attr: {variable.optimize_attr}"]
    return lines


def operator_proto(op: Operator) -> list[str]:
    """Return the lines of an Operator; see :func:`program_proto`."""
    lines = [f'type: "{op.type}"']
    for kind, slots in (("inputs", op.inputs), ("outputs", op.outputs)):
        names = op.input if kind == "inputs" else op.output
        for slot in sorted(slots):
            lines += [
                f'{kind} {{ parameter: "{slot}"',
                *[f'  arguments: "{one}"' for one in names(slot)],
                "}",
            ]
    lines += [
        f'attrs {{ name: "{name}"  value: {_attr_text(value)} }}'
        for name, value in sorted(op.all_attrs().items())
    ]
    return lines
