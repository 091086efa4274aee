"""Where the sequences in a Variable begin and end: in Variables beside it, ``x@LOD0`` and so on, found by their names.

A placeholder has them by its declaration, the result of an operator that makes new sequences from that. Most operators
only hand them on, so nothing is noted there: who asks walks back to where they come from (:func:`levels_of`). A
Program without sequences has none of this.
"""

from __future__ import annotations

from typing import Any

from minipaddle.static.program.variable import Variable

MARK = "@LOD"
_WITHOUT = {
    "abs", "arg_max", "arg_min", "bicubic_interp_v2", "bilinear_interp_v2", "conv2d", "conv2d_transpose", "conv3d",
    "diag_embed", "diagonal", "dot", "einsum", "expand_as_v2", "fill_constant", "flatten_contiguous_range",
    "getitem", "isclose", "isfinite_v2", "isinf_v2", "isnan_v2", "kldiv_loss", "kron", "linear_interp_v2",
    "logsumexp", "masked_select", "matmul_v2", "maxout", "multinomial", "nearest_interp_v2", "nll_loss", "norm",
    "p_norm", "pixel_shuffle", "reduce_all", "reduce_amax", "reduce_amin", "reduce_any", "reduce_max",
    "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "reduce_var", "sequence_mask", "sequence_pad",
    "shape", "share_data", "size", "take_along_axis", "transpose2", "trilinear_interp_v2", "unfold", "unique",
    "where_index",
}  # fmt: skip
"""Operators whose results have no sequences, found by asking 2.6.2; others hand on those of their first input."""
_OF = {"lookup_table_v2": "Ids", "sequence_expand_as": "Y"}
"""The slot whose sequences the result has, where it is not the first."""


def level_name(name: str, level: int) -> str:
    """Return what the offsets of a Variable are called."""
    return f"{name}{MARK}{level}"


def levels_of(variable: Any) -> list[Variable]:
    """Return the Variables of the offsets of `variable`, from the outermost level on; [] if it has no sequences."""
    source, dropped = source_of(variable)
    found: list[Variable] = []
    while source is not None and (name := level_name(source.name, len(found))) in source.block.vars:
        found.append(source.block.vars[name])
    return found[: len(found) - dropped] if dropped else found


def source_of(variable: Any) -> tuple[Any, int]:
    """Return the Variable whose sequences `variable` has (None: it has none), and how many inner levels are gone."""
    dropped, seen = 0, set()
    while (
        variable is not None
        and variable not in seen
        and level_name(variable.name, 0) not in variable.block.vars
    ):
        seen.add(variable)
        op = variable.op
        if "@GRAD" in variable.name:
            variable = variable.block.find_var(variable.name.partition("@GRAD")[0])
        elif variable.is_data or op is None:
            break
        elif op.type in _WITHOUT or (op.type == "slice" and 0 in op.listed().get("axes", [0])):
            return None, 0
        else:
            dropped += op.type == "sequence_pool"
            before = next(
                iter(
                    op.inputs.get(_OF.get(op.type, ""), ()) or [one for one in op.reads() if one is not None]
                ),
                None,
            )
            same = op.type.startswith("sequence_") or (
                before is not None and _rows(before) == _rows(variable)
            )
            variable = before if same else None
    return variable, dropped


def _rows(variable: Variable) -> int | None:
    return variable.shape[0] if variable.shape else None


def declare(variable: Variable, count: int) -> None:
    """Give a placeholder as many levels of sequences."""
    for level in range(count):
        name = level_name(variable.name, level)
        if name not in variable.block.vars:
            variable.block.create_var(name, [-1], "int64", stop_gradient=True, is_data=True)


def innermost(variable: Variable) -> Variable | None:
    """Return the offsets of the innermost level; what is fed gets one now, if it was declared without.

    None if it has no sequences.
    """
    found = levels_of(variable)
    if not found:
        source, _ = source_of(variable)
        if source is None or not source.is_data:
            return None
        declare(source, 1)
        found = levels_of(variable)
    return found[-1] if found else None


def give(variable: Variable, offsets: list[Variable]) -> None:
    """Let `variable` have these sequences, just made for it."""
    for level, one in enumerate(offsets):
        variable.block.rename(one, level_name(variable.name, level))
