"""Block.append_op: a call written by hand, with the slots and attributes that Paddle prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.core.dtype import DType
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Attrs
from minipaddle.ops.common.dtype_code import code_of
from minipaddle.ops.common.listed import listed_operator, printed
from minipaddle.paddle.static.program.operator import Operator, Slots
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block


_ASKED = (
    "batch_norm", "conv2d_transpose", "conv3d_transpose", "one_hot_v2", "pad3d", "prelu", "put_along_axis", "unique",
)  # fmt: skip
"""Types of which also usual attributes may have to be said in other words."""


def appended(block: Block, type: str, inputs: Any, outputs: Any, attrs: Attrs) -> Operator:
    """Append a call to `block`; see :meth:`minipaddle.paddle.static.program.block.Block.append_op`."""
    listed = {name: _as_code(value) for name, value in attrs.items()}
    ins, outs = _resolved(block, inputs), _resolved(block, outputs)
    if listed.get("str_value"):
        listed["value"] = float(listed.pop("str_value"))
    definition = listed_operator(type, listed)
    if definition is not None and (type in _ASKED or not printed(definition).listing.fits(listed)):
        return _restated(block, type, ins, outs, listed)
    return _added(block, type, ins, outs, listed)


def _added(block: Block, type: str, ins: Slots, outs: Slots, listed: Attrs) -> Operator:
    for kind in Operator.kinds.values():
        call = kind.by_hand(block, type, ins, outs, listed)
        if call is not None:
            call.role = int(listed.get("op_role", call.role))
            call.role_var = list(listed.get("op_role_var", call.role_var))
            return block.add_op(call)
    raise failure(
        ValueError,
        f"Operator {type!r} has not been registered: there is no such operator.",
        "`TABLE of engine/core/operator.py` lists them all; static.nn.static_pylayer, py_func, cond and while_loop "
        "append theirs",
    )


def _restated(block: Block, type: str, ins: Slots, outs: Slots, listed: Attrs) -> Operator:
    """Append what `restated` makes of a call, and assign the results to the Variables that were given."""
    from minipaddle.paddle.static.program.by_hand.restated import Call, restate
    from minipaddle.paddle.static.program.program import program_guard

    call = Call(type, ins, dict(outs), listed)
    with program_guard(block.program):
        as_given = restate(call)
        made = {slot: [block.create_var()] for slot in call.after if slot in outs}
        op = _added(block, call.type, call.ins, {**outs, **made}, call.listed)
        op.printed |= as_given
        for slot, (value,) in made.items():
            _added(block, "assign", {"X": [call.after[slot](value)]}, {"Out": outs[slot]}, {})
    return op


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
