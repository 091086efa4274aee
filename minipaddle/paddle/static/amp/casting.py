"""Programs rewritten for mixed precision: ``cast`` Operators where the types of a call and its inputs differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.dtype.bfloat16 import in_dtype
from minipaddle.ops.common.var_type import VarType
from minipaddle.ops.creation.cast import cast
from minipaddle.paddle.static.amp.lists import AutoMixedPrecisionLists, black, checked_dtype
from minipaddle.paddle.static.program import Operator, Program, TableOperator, Variable
from minipaddle.paddle.static.program.copy import exchange_inside
from minipaddle.paddle.static.program.name_scope import name_scope
from minipaddle.paddle.static.scope import Scope, global_scope

GUARD = "__use_fp16__"
SINGLE = np.dtype("float32")
_FLOATS = ("float16", "float32", "float64", "bfloat16")
_KEPT = {"batch_norm": ("X", "Y"), "layer_norm": ("X", "Y"), "instance_norm": ("X", "")}
"""Operators of which only one input, and one output, is ever of 16 bits; without one: all outputs."""


@contextmanager
def fp16_guard() -> Iterator[None]:
    """Mark what is appended within: with ``use_fp16_guard`` only that computes in 16 bits."""
    with name_scope(GUARD):
        yield


def is_float(variable: Any) -> bool:
    """Whether `variable` holds floats."""
    return (
        variable is not None and variable.type is VarType.LOD_TENSOR and variable.meta.dtype.name in _FLOATS
    )


def inputs_of(op: Operator, low: bool = True) -> list[Variable]:
    """Return the float inputs by slot; with `low` only those that may be of 16 bits."""
    return [
        one
        for slot in sorted(op.inputs)
        for one in op.inputs[slot]
        if is_float(one) and not (low and op.type in _KEPT and slot != _KEPT[op.type][0])
    ]


def set_outputs(op: Operator, dtype: Any) -> None:
    """Let the float outputs be of `dtype`."""
    only = _KEPT.get(op.type, ("", ""))[1]
    for slot, variables in op.outputs.items():
        for one in variables:
            if is_float(one) and (not only or slot == only):
                one.meta = one.meta._replace(dtype=dtype)


def insert_casts(op: Operator, source: Any, target: Any, suffix: str) -> int:
    """Insert a cast of each input of `op` that is of the dtype `source`, and let `op` read it; return how many."""
    block, casts, replaced = op.block, 0, {}
    for one in inputs_of(op, low=source == SINGLE):
        name = f"{one.name}.cast_{suffix}"
        known = block.find_var(name)
        if one.meta.dtype == target or one in replaced:
            continue
        if known is not None and known.meta.dtype == target:
            replaced[one] = known
        elif one.meta.dtype == source:
            made = block.create_var(name, one.shape, target, stop_gradient=one.stop_gradient)
            call = TableOperator(block, cast, [one], [made], {**cast.defaults, "dtype": target})
            call.role, call.where, call.namescope = op.role, op.where, op.namescope
            block.add_op(call, block.ops.index(op) - casts)
            replaced[one], casts = made, casts + 1
    if replaced:
        exchange_inside(op, lambda variable: replaced.get(variable, variable))
    for name in ("dtype", "out_dtype"):
        value = op.attrs.get(name)
        if value is not None and getattr(as_numpy(value), "name", "") in _FLOATS:
            op.attrs = {**op.attrs, name: target}
    return casts


class Rewriting:
    """One rewriting of a Program: which Operators compute in 16 bits, and which in float32.

    Args:
        lists: which types do.
        guarded: whether only what stands within :func:`fp16_guard` computes in 16 bits.
        dtype: the type of 16 bits.
        level: ``O1``, ``OD`` or ``O2``.
        promote: whether a float32 input makes an Operator compute in float32.
    """

    def __init__(self, lists: Any, guarded: bool, dtype: Any, level: str, promote: bool) -> None:
        self.lists, self.guarded, self.dtype, self.level, self.promote = lists, guarded, dtype, level, promote
        self.low: set[Operator] = set()
        self.high: set[Operator] = set()
        self.names: dict[str, None] = {}
        """Of the inputs that are to be of 16 bits."""

    def rewrite(self, program: Program) -> set[str]:
        """Rewrite `program`; return the names of what is of 16 bits now."""
        kept = self._cast_parameters(program) if self.level == "O2" else set()
        parameters = set(program.all_parameters())
        for block in program.blocks:
            for op in block.ops:
                if not op.blocks() and self._concerns(op):
                    self._decide(op, parameters)
        for block in program.blocks:
            for op in list(block.ops):
                if op in self.low:
                    insert_casts(op, SINGLE, self.dtype, "fp16")
                elif op in self.high:
                    insert_casts(op, self.dtype, SINGLE, "fp32")
        program.changed()
        return set(self.names) - kept

    def _cast_parameters(self, program: Program) -> set[str]:
        """Let parameters be of 16 bits; return the names of those that stay."""
        kept: set[str] = set()
        for op in (op for block in program.blocks for op in block.ops):
            if op.type not in self.lists.black_list:
                low = [] if self._stays(op) else inputs_of(op)
                kept.update(one.name for one in inputs_of(op, low=False) if one not in set(low))
        for parameter in program.all_parameters():
            if parameter.name not in kept:
                parameter.meta = parameter.meta._replace(dtype=self.dtype)
        return kept

    @staticmethod
    def _concerns(op: Operator) -> bool:
        """Whether `op` computes with floats that it is given."""
        given = [one for slot in op.inputs.values() for one in slot if one is not None]
        if given and not any(is_float(one) and one.meta.dtype.name != "float64" for one in given):
            return False
        made = [op.attrs.get(name) for name in ("out_dtype", "dtype") if not op.has_attr("in_dtype")]
        if op.type == "fill_any_like":  # in Paddle it always says its type
            made = [one.meta.dtype for one in op.writes()]
        return not any(one is not None and as_numpy(one).name in _FLOATS for one in made)

    def _stays(self, op: Operator) -> bool:
        """Whether `op` computes in float32 for what it is, or for where it stands."""
        names = (*op.input_arg_names, *op.output_arg_names)
        if op.type in self.lists.unsupported_list or any("learning_rate" in name for name in names):
            return True
        return self.guarded and GUARD not in (op.namescope or "")

    def _decide(self, op: Operator, parameters: set[Any]) -> None:
        named = self.lists.black_varnames or ()
        black = op.type in self.lists.black_list
        if self._stays(op) or any(name in named for name in (*op.input_arg_names, *op.output_arg_names)):
            self._take(op, SINGLE)
        elif black:
            self.names.update((one.name, None) for one in inputs_of(op, low=False) if one in parameters)
            self._take(op, SINGLE)
        elif op.type in self.lists.white_list:
            self._take(op, self.dtype)
        elif op.type == "cast":
            (out,) = op.outputs["Out"]
            out.meta = out.meta._replace(dtype=as_numpy(op.attrs["dtype"]))
        else:
            self._take(op, self._promoted(op) if self.promote else self._as_before(op))

    def _take(self, op: Operator, dtype: Any) -> None:
        set_outputs(op, dtype)
        if dtype == SINGLE:
            self.high.add(op)
        else:
            self.low.add(op)
            self.names.update((one.name, None) for one in inputs_of(op))

    def _promoted(self, op: Operator) -> Any:
        return SINGLE if any(one.meta.dtype == SINGLE for one in inputs_of(op)) else self.dtype

    def _as_before(self, op: Operator) -> Any:
        """Return what an Operator in neither list computes in: as those before it, if it is gray; else in float32."""
        if self.level == "O2":
            return self.dtype
        if op.type not in self.lists.gray_list:
            return SINGLE
        found = self.dtype
        for slot in sorted(op.inputs):
            for one in op.inputs[slot]:
                before = _maker(one, op)
                if before is None:
                    continue
                if before in self.high or before.type in self.lists.black_list:
                    found = SINGLE
                elif before in self.low or before.type in self.lists.white_list:
                    found = self.dtype
        return found


def _maker(variable: Variable, op: Operator) -> Operator | None:
    """Return what has made an input of `op`."""
    if variable.op is not op:
        return variable.op
    earlier = [one for one in op.block.ops[: op.block.ops.index(op)] if variable in set(one.writes())]
    return earlier[-1] if earlier else None


def cast_model_to_fp16(
    program: Program,
    amp_lists: Any = None,
    use_fp16_guard: bool = True,
    dest_type: Any = "float16",
    level: str = "O2",
    use_promote: bool = False,
) -> set[str]:
    """Rewrite `program` for mixed precision.

    Args:
        program: without gradients so far.
        amp_lists: which operators compute in 16 bits; None: Paddle's.
        use_fp16_guard: whether only those within ``fp16_guard`` do.
        dest_type: ``float16`` or ``bfloat16``.
        level: ``O1``, ``OD`` (only the white list) or ``O2`` (nearly all, and the parameters).
        use_promote: whether a float32 input makes a call one of float32.

    Returns:
        the names of the Variables that are of 16 bits now, for :func:`cast_parameters_to_fp16`.
    """
    dtype = as_numpy(dest_type)
    name = checked_dtype(dtype.name)
    lists = AutoMixedPrecisionLists(dtype=name) if amp_lists is None or level == "OD" else amp_lists
    if level == "O2":
        lists.black_list = lists.black_list - (black("O1") - black("O2"))
    if level == "OD":
        lists.black_list = lists.all_list - lists.white_list
    return Rewriting(lists, use_fp16_guard, dtype, level, use_promote).rewrite(program)


def cast_parameters_to_fp16(
    place: Any,
    program: Program,
    scope: Scope | None = None,
    to_fp16_var_names: set[str] | None = None,
    dest_type: Any = "float16",
    rewrite_master_weight: bool = False,
    master_weights: Any = None,
) -> None:
    """Round the values that `scope` has of those parameters of `program` that are named.

    Args:
        place: accepted.
        program: whose parameters.
        scope: None: the global one.
        to_fp16_var_names: what :func:`cast_model_to_fp16` returned.
        dest_type: ``float16`` or ``bfloat16``.
        rewrite_master_weight: whether the float32 master weights are rounded, too.
        master_weights: they, by the names of parameters.
    """
    held = global_scope() if scope is None else scope
    for parameter in program.all_parameters():
        found = held.find_var(parameter.name) if parameter.name in (to_fp16_var_names or ()) else None
        if found is not None and found.value is not None:
            found.value = in_dtype(found.value, as_numpy(dest_type))
            master = (master_weights or {}).get(parameter.name) if rewrite_master_weight else None
            started = None if master is None else held.find_var(master.name)
            if started is not None:
                started.value = np.array(found.value, SINGLE)
