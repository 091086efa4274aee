"""Operators on sequences, appended by hand: who writes the call gives the tensors, and where sequences end is found."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Attrs
from minipaddle.engine.core.operator import Operator as Definition
from minipaddle.ops.manipulation.concat import stack
from minipaddle.paddle.static.program.lods import give, innermost, levels_of
from minipaddle.paddle.static.program.operator import Slots
from minipaddle.paddle.static.program.program import program_guard


def with_offsets(definition: Definition, ins: Slots, listed: Attrs) -> Slots:
    """Return the inputs of a call with the offsets of their sequences.

    Raises:
        ValueError: **LoD**, for a Variable that cannot have sequences.
    """
    found = dict(ins)
    for slot, name in zip(definition.input_slots, definition.input_names, strict=True):
        if not slot.startswith("LoD") or slot in ins:
            continue
        sources = ins.get(slot[3:] or ("Ids" if "Ids" in ins else "X"), [])
        if name in definition.optional:
            levels = list(levels_of(sources[0])[-1:])
        elif slot == "LoDY" and levels_of(sources[0]):
            levels = [levels_of(sources[0])[listed.get("ref_level", -1)]]
        else:
            levels = [_sure(one, definition.name) for one in sources]
        if definition.list_slot and levels:
            with program_guard(sources[0].block.program):
                levels = [stack(levels)]
        if levels:
            found[slot] = levels
    return found


def _sure(variable: Any, function: str) -> Any:
    level = innermost(variable)
    if level is None:
        raise failure(ValueError, f"Input({variable.name}) of {function} does not contain LoD information.")
    return level


def name_offsets(op: Any) -> None:
    """Let the result of a call have the sequences that it made."""
    if "LoDX" in op.inputs or "LoDX" not in op.definition.input_slots:
        give(op.outputs["Out"][0], op.outputs["LoDOut"])
