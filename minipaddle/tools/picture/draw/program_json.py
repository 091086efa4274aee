"""Programs as data for other programs (schema: docs/programs.md)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import DType
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.variable import Parameter, Variable
from minipaddle.tools.record.sources.program.registry import Found, added, role_words

SCHEMA = "minipaddle-programs"
VERSION = 1
"""Increases when a reader of the previous version could be misled; new keys alone do not change it."""
_ELSEWHERE = frozenset({"op_callstack", "op_device", "op_namescope", "op_role", "op_role_var"})


def programs_object(
    script: str, programs: Sequence[Found], block: int | None = None, elsewhere: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return Programs as JSON data; of one Block only, if its number is given.

    `elsewhere` has the names of Variables that training added to any Program (:func:`added_names`).
    """
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "script": script,
        "programs": [
            {
                "name": found.name,
                "runs": found.runs,
                "blocks": [
                    _block(one, added(found.program, elsewhere))
                    for one in found.program.blocks
                    if block in (None, one.idx)
                ],
            }
            for found in programs
        ],
    }


def _block(block: Block, new: frozenset[Operator]) -> dict[str, Any]:
    return {
        "index": block.idx,
        "parent": block.parent_idx,
        "forward": block.forward_block_idx,
        "backward": block.backward_block_idx,
        "variables": [_variable(one) for one in block.vars.values()],
        "operators": [_operator(number, op, op in new) for number, op in enumerate(block.ops)],
    }


def _variable(variable: Variable) -> dict[str, Any]:
    return {
        "name": variable.name,
        "type": variable.type.name,
        "shape": list(variable.shape),
        "dtype": variable.dtype.name,
        "stop_gradient": variable.stop_gradient,
        "persistable": variable.persistable,
        "parameter": isinstance(variable, Parameter),
        "placeholder": variable.is_data,
    }


def _operator(number: int, op: Operator, new: bool) -> dict[str, Any]:
    return {
        "index": number,
        "type": op.type,
        "inputs": {slot: op.input(slot) for slot in op.inputs},
        "outputs": {slot: op.output(slot) for slot in op.outputs},
        "attrs": {name: _plain(value) for name, value in op.all_attrs().items() if name not in _ELSEWHERE},
        "role": list(role_words(op)),
        "added": new,
        "blocks": [block.idx for block in op.blocks()],
        "file": op.where.file if op.where else None,
        "line": op.where.number if op.where else None,
    }


def _plain(value: Any) -> Any:
    """Return an attribute as JSON has it; a Block as its number."""
    if isinstance(value, Block):
        return value.idx
    if isinstance(value, Variable):
        return value.name
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, DType):
        return value.name
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
