"""Block.append_op: a call written by hand, with the slots and attributes that Paddle prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.dtype import DType
from minipaddle.core.errors import failure
from minipaddle.core.meta import Attrs
from minipaddle.ops.common.dtype_code import code_of
from minipaddle.ops.common.listed import listed_operator, printed
from minipaddle.static.program.operator import Operator, Slots
from minipaddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.static.program.block import Block


_WITHOUT_EFFECT = {
    "in_dtype",
    "fix_seed",
    "is_test",
    "ring_id",
    "rank",
    "nranks",
    "trainer_id",
    "remote_prefetch",
}


def appended(block: Block, type: str, inputs: Any, outputs: Any, attrs: Attrs) -> Operator:
    """Append a call to `block`; see :meth:`minipaddle.static.program.block.Block.append_op`."""
    listed = {name: _as_code(value) for name, value in attrs.items()}
    ins, outs = _resolved(block, inputs), _resolved(block, outputs)
    as_given = _settled(type, ins, listed)
    for kind in Operator.kinds.values():
        call = kind.by_hand(block, type, ins, outs, listed)
        if call is not None:
            call.role = int(listed.get("op_role", call.role))
            call.role_var = list(listed.get("op_role_var", call.role_var))
            call.printed |= as_given
            return block.add_op(call)
    raise failure(
        ValueError,
        f"Operator {type!r} has not been registered: there is no such operator.",
        "`minipaddle.core.operator.TABLE` lists them all; static.nn.static_pylayer, py_func, cond and while_loop "
        "append theirs",
    )


def _settled(type: str, ins: Slots, listed: Attrs) -> Attrs:
    """Take out of `listed` what our operators say by other means, and do that; return it, to be printed."""
    definition = listed_operator(type, {})
    constants = {} if definition is None else printed(definition).listing.fields
    found = {}
    if constants.get("axis") == -1 and listed.get("axis", -1) != -1:  # where Y stands in X
        found["axis"] = listed.pop("axis")
        ins["Y"] = [_standing_at(found["axis"], ins["X"][0], ins["Y"][0])]
    if constants.get("reduce_all") is False and listed.get("reduce_all"):
        found |= {"reduce_all": listed.pop("reduce_all"), "dim": listed.get("dim", [0])}
        listed["dim"] = []
    if constants.get("flatten") is False and listed.get("flatten"):
        found |= {"flatten": listed.pop("flatten"), "axis": listed.get("axis", -1)}
        ins["X"], listed["axis"] = [_reshaped("reshape2", ins["X"][0], {"shape": [-1]})], 0
    for name in _WITHOUT_EFFECT & constants.keys() & listed.keys():
        found[name] = listed.pop(name)
    return found


def _standing_at(axis: int, x: Variable, y: Variable) -> Variable:
    """Return `y` with axes of size 1 behind, so that its first is number `axis` of `x`; append what makes them."""
    behind = x.ndim - axis - y.ndim
    if axis < 0 or behind < 0:
        raise failure(
            ValueError,
            f"Broadcast dimension mismatch: Y of {y.ndim} axes does not fit into X of {x.ndim} axes at axis {axis}.",
        )
    if not behind or x.ndim == y.ndim:
        return y
    return _reshaped("unsqueeze2", y, {"axes": list(range(y.ndim, y.ndim + behind))})


def _reshaped(type: str, x: Variable, attrs: Attrs) -> Variable:
    """Return what an Operator of `type`, which is appended, makes of `x`."""
    block = x.block.program.current_block()
    out: Variable = block.create_like(x, x.stop_gradient)
    shape = block.create_like(x, True)
    appended(block, type, {"X": x}, {"Out": out, "XShape": shape}, attrs)
    return out


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
