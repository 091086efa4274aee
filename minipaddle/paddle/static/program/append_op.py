"""Block.append_op: a call written by hand, with the slots and attributes that Paddle prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.value.dtype import DType
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.dtype_code import code_of
from minipaddle.paddle.static.program.operator import Operator, Slots
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block


_FOLLOWING = {"batch_norm": "use_global_stats", "one_hot_v2": "dtype"}
"""Attributes that mean something of their own in Paddle, and follow from the rest of the call here."""
_NEEDED = {"conv2d_transpose": "output_size", "conv3d_transpose": "output_size", "unique": "is_sorted"}
"""Attributes for which Paddle has another default value than we do, or finds one."""


def appended(block: Block, type: str, inputs: Any, outputs: Any, attrs: Attrs) -> Operator:
    """Append a call to `block`; see :meth:`minipaddle.paddle.static.program.block.Block.append_op`."""
    listed = {name: _as_code(value) for name, value in attrs.items()}
    ins, outs = _resolved(block, inputs), _resolved(block, outputs)
    if listed.get("str_value"):
        listed["value"] = float(listed.pop("str_value"))
    for kind in Operator.kinds.values():
        call = kind.by_hand(block, type, ins, outs, listed)
        if call is not None:
            call.role = int(listed.get("op_role", call.role))
            call.role_var = list(listed.get("op_role_var", call.role_var))
            _check(call, listed)
            return block.add_op(call)
    raise failure(
        ValueError,
        f"Operator {type!r} has not been registered: there is no such operator.",
        "`TABLE of engine/operator/operator.py` lists them all; static.nn.static_pylayer, py_func, cond and while_loop "
        "append theirs",
    )


def _check(call: Operator, listed: Attrs) -> None:
    """Refuse what our operator would understand in another way.

    Raises:
        NotImplementedError: an attribute that follows from the rest is given another value.
        ValueError: **is not set correctly**, if one is left out.
    """
    name = _FOLLOWING.get(call.type, "")
    if listed.get(name) and call.listed()[name] != listed[name]:
        raise failure(
            NotImplementedError,
            f"Attr({name}) of {call.type} must be {call.listed()[name]!r} here, but received {listed[name]!r}.",
        )
    name = _NEEDED.get(call.type, "")
    if name and listed.get(name, []) == []:
        raise failure(ValueError, f"Attribute ({name}) of {call.type} is not set correctly.")


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
