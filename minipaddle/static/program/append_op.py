"""Block.append_op: a call written by hand, with the slots and attributes that Paddle prints."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from minipaddle.core.dtype import DType, code_of
from minipaddle.core.errors import failure, user_line
from minipaddle.core.meta import Attrs
from minipaddle.core.operator import Operator as Definition
from minipaddle.core.operator import listed_operator, operators
from minipaddle.static.gradient.grad_operator import GradOperator
from minipaddle.static.program.block import Block
from minipaddle.static.program.operator import Operator, Slots
from minipaddle.static.program.table_operator import TableOperator, plain
from minipaddle.static.program.variable import Variable

Call = TypeVar("Call", bound=Operator)


def appended(block: Block, type: str, inputs: Any, outputs: Any, attrs: Attrs) -> Operator:
    """Append a call to `block`; see :meth:`minipaddle.static.block.Block.append_op`."""
    listed = {name: _as_code(value) for name, value in attrs.items()}
    ins, outs = _resolved(block, inputs), _resolved(block, outputs)
    definition = listed_operator(type, listed)
    if definition is not None:
        return _noted(block, _forward_call(block, definition, ins, outs, listed), listed)
    differentiated = next((one for one in operators() if one.grad_type == type and one.rules), None)
    if differentiated is not None:
        return _noted(block, _gradient_call(block, differentiated, ins, outs, listed), listed)
    raise failure(
        ValueError,
        f"Operator {type!r} has not been registered: there is no such operator.",
        "`minipaddle.core.operator.TABLE` lists them all; static.nn.static_pylayer, py_func, cond and while_loop "
        "append theirs",
    )


def _noted(block: Block, call: Call, listed: Attrs) -> Call:
    call.role = int(listed.get("op_role", call.role))
    call.role_var = list(listed.get("op_role_var", call.role_var))
    call.where = user_line()
    block.add_op(call)
    return call


def _as_code(value: Any) -> Any:
    """Return a data type as the code that Programs print; anything else as it is."""
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
        raise failure(ValueError, f"There is no variable {given!r} in the block or those around it.")
    return found


# -- an operator of the table -------------------------------------------------------------------------------------


def _forward_call(
    block: Block, definition: Definition, ins: Slots, outs: Slots, listed: Attrs
) -> TableOperator:
    variables = _flat_inputs(definition, ins)
    attrs = definition.listing.read(listed)
    metas = definition.infer_metas([None if one is None else one.meta for one in variables], plain(attrs))
    results = _results(block, definition, variables, outs)
    for variable, meta in zip(results, metas if definition.multiple else [metas], strict=False):
        variable.meta = meta
        variable.stop_gradient |= all(one is None or one.stop_gradient for one in variables)
    return TableOperator(block, definition, variables, results, attrs)


def _flat_inputs(definition: Definition, ins: Slots) -> list[Any]:
    """Return the flat inputs of the kernel.

    Raises:
        AssertionError: **Input X not found**.
    """
    found: list[Any] = []
    for slot, name in zip(definition.input_slots, definition.input_names, strict=True):
        given = ins.get(slot, [])
        assert given or name in definition.optional, f"Input {slot} not found"
        found += given if name == definition.list_slot else given[:1] or [None]
    return found


def _results(block: Block, definition: Definition, variables: list[Any], outs: Slots) -> list[Variable]:
    """Return the output Variables: those of an optimizer are its inputs, by-products may be left out.

    Raises:
        ValueError: naming the slot that is missing, or that must be the Variable of an input.
    """
    if definition.updates:
        updated = [variables[place] for place in definition.updates]
        for slot, variable in zip(definition.output_slots, updated, strict=False):
            if any(one is not variable for one in outs.get(slot, ())):
                raise failure(
                    ValueError, f"Output {slot} of {definition.type} must be {variable.name!r}, its input."
                )
        return updated
    found: list[Variable] = []
    for place, slot in enumerate(definition.output_slots):
        given = outs.get(slot, [])
        if not given and (not definition.multiple or place in definition.differentiable[:1]):
            raise failure(
                ValueError,
                f"Incorrect setting for output(s) of operator {definition.type!r}, should set: [{slot}].",
            )
        found += given if definition.list_output else given[:1] or [block.create_var()]
    if definition.shape_slot:
        (shape,) = outs.get(definition.shape_slot) or [block.create_var(stop_gradient=True)]
        shape.meta = variables[0].meta._replace(shape=(0, *variables[0].shape))
        found.append(shape)
    return found


# -- a gradient ---------------------------------------------------------------------------------------------------


def _gradient_call(
    block: Block, definition: Definition, ins: Slots, outs: Slots, listed: Attrs
) -> GradOperator:
    """Return ``TYPE_grad`` with what its rules need of the forward call; the rest of that is not known."""
    given: list[Any] = []
    results: list[Any] = []
    for slot, name in zip(definition.input_slots, definition.input_names, strict=True):
        grads, values = outs.get(f"{slot}@GRAD", []), ins.get(slot, [])
        count = max(len(grads), len(values)) if name == definition.list_slot else 1
        given += [*values, *[None] * (count - len(values))]
        results += [*grads, *[None] * (count - len(grads))]
    slots = definition.output_slots
    kept = [one for slot in slots for one in ins.get(slot, [] if definition.list_output else [None])]
    if definition.shape_slot:
        kept.append(ins.get(definition.shape_slot, [None])[0])
    flowing = slots if definition.list_output else [slots[place] for place in definition.differentiable]
    for slot in flowing:
        assert f"{slot}@GRAD" in ins, f"Input {slot}@GRAD not found"
    forward = TableOperator(block, definition, given, kept, definition.listing.read(listed))
    call = GradOperator(block, forward, [one for slot in flowing for one in ins[f"{slot}@GRAD"]], results)
    call.origin = None
    for slot, variables in call.inputs.items():
        assert variables and None not in variables, f"Input {slot} not found"
    if not any(one is not None for one in results):
        raise failure(
            ValueError, f"Incorrect setting for output(s) of operator {call.type!r}: all are missing."
        )
    for variable, result in zip(given, results, strict=True):
        if variable is not None and result is not None:
            result.meta = variable.meta
    return call
