"""Block.append_op: a call written by hand, with the slots and attributes that Paddle prints."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.value.dtype import DType
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.program_printing import code_of, listed_operator, printed
from minipaddle.paddle.static.program.block import Block, append_call
from minipaddle.paddle.static.program.listing import Slots
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.table_operator import TableOperator, held_by_input, plain
from minipaddle.paddle.static.program.variable import Variable

_FOLLOWING = {"batch_norm": "use_global_stats", "one_hot_v2": "dtype", "uniform_random": "diag_num"}
"""Attributes with another meaning in Paddle, which here follow from the rest of the call, or are not told."""
_NEEDED = {"conv2d_transpose": "output_size", "conv3d_transpose": "output_size", "unique": "is_sorted"}
"""Attributes whose default in Paddle differs, or is computed."""


@append_call.filled
def appended(block: Block, type: str, inputs: Any, outputs: Any, attrs: Attrs) -> Operator:
    """Append a call to `block`, whose outputs get their shapes and dtypes; see :meth:`Block.append_op`.

    Raises:
        AssertionError: **Input X not found**.
        ValueError: there is no such operator; or naming the output that is missing, or that must be an input's.
    """
    listed = {name: _as_code(value) for name, value in attrs.items()}
    ins, outs = _resolved(block, inputs), _resolved(block, outputs)
    if listed.get("str_value"):
        listed["value"] = float(listed.pop("str_value"))
    definition = listed_operator(type, listed)
    if definition is None:
        raise invalid(
            f"Operator {type!r} has not been registered: there is no such operator.",
            "`TABLE of engine/operator/operator.py` lists them all; static.nn.static_pylayer, py_func, cond and "
            "while_loop append theirs",
        )
    shown = printed(definition)
    for slot, name in zip(shown.input_slots, definition.input_names, strict=True):
        assert ins.get(slot) or name in definition.optional, f"Input {slot} not found"
    variables = [one for held in held_by_input(definition, shown, ins) for one in held]
    read = shown.listing.read(listed)
    metas = definition.infer_metas([None if one is None else one.meta for one in variables], plain(read))
    results = _results(block, definition, variables, outs)
    for variable, meta in zip(results, metas if definition.multiple else [metas], strict=False):
        variable.meta = meta
        variable.stop_gradient |= all(one is None or one.stop_gradient for one in variables)
    call = TableOperator(block, definition, variables, results, read)
    call.role = int(listed.get("op_role", call.role))
    call.role_var = list(listed.get("op_role_var", call.role_var))
    _check(call, listed)
    return block.add_op(call)


def _check(call: Operator, listed: Attrs) -> None:
    """Raise for attributes that the operator here interprets differently."""
    name = _FOLLOWING.get(call.type, "")
    if listed.get(name) and call.listed()[name] != listed[name]:
        raise failure(
            NotImplementedError,
            f"Attr({name}) of {call.type} must be {call.listed()[name]!r} here, but received {listed[name]!r}.",
        )
    name = _NEEDED.get(call.type, "")
    if name and listed.get(name, []) == []:
        raise invalid(f"Attribute ({name}) of {call.type} is not set correctly.")


def _as_code(value: Any) -> Any:
    """Return a data type as the code that Programs print; other values unchanged."""
    if isinstance(value, (DType, np.dtype)):
        return code_of(value.numpy if isinstance(value, DType) else value)
    return value


def _resolved(block: Block, slots: Any) -> Slots:
    """Return the Variables of each slot, given as Variable, name, or a list of them."""
    return {
        slot: [_variable(block, one) for one in (given if isinstance(given, (list, tuple)) else [given])]
        for slot, given in slots.items()
    }


def _variable(block: Block, given: Any) -> Variable:
    if isinstance(given, Variable):
        return given
    found = block.find_var(given) if isinstance(given, str) else None
    if found is None:
        raise invalid(f"There is no variable {given!r} in the block or those around it.")
    return found


def _results(block: Block, definition: Definition, variables: list[Any], outs: Slots) -> list[Variable]:
    """Return the output Variables: an optimizer's are its inputs; by-products may be left out."""
    if definition.updates:
        updated = [variables[place] for place in definition.updates]
        for slot, variable in zip(printed(definition).output_slots, updated, strict=False):
            if any(one is not variable for one in outs.get(slot, ())):
                raise invalid(f"Output {slot} of {definition.type} must be {variable.name!r}, its input.")
        return updated
    found: list[Variable] = []
    for place, slot in enumerate(printed(definition).output_slots):
        before = printed(definition).output_slots[:place].count(slot)
        given = outs.get(slot, [])[before:]
        if not given and (not definition.multiple or place in definition.differentiable[:1]):
            raise invalid(
                f"Incorrect setting for output(s) of operator {definition.type!r}, should set: [{slot}]."
            )
        found += given if definition.list_output else given[:1] or [block.create_var()]
    if printed(definition).shape_slot:
        (shape,) = outs.get(printed(definition).shape_slot) or [block.create_var(stop_gradient=True)]
        shape.meta = variables[0].meta._replace(shape=(0, *variables[0].shape))
        found.append(shape)
    return found
