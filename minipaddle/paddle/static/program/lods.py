"""Where the sequences in a Variable begin and end: in Variables beside it, its :attr:`Variable.offsets`.

A placeholder has them by its declaration, the result of an operator that makes new sequences from that. Most operators
only hand them on, as their definitions say, so nothing is noted there: who asks walks back to where they come from
(:func:`levels_of`). A Program without sequences has none of this.
"""

from __future__ import annotations

from collections.abc import Sequence

from minipaddle.paddle.static.program.variable import Variable


def levels_of(variable: Variable) -> Sequence[Variable]:
    """Return the Variables of the offsets of `variable`, from the outermost level on; none if it has no sequences."""
    source, dropped = source_of(variable)
    return () if source is None else source.offsets[: len(source.offsets) - dropped]


def source_of(variable: Variable) -> tuple[Variable | None, int]:
    """Return the Variable whose sequences `variable` has (None: it has none), and how many inner levels are gone."""
    source, dropped, seen = variable, 0, set()
    while source not in seen and not source.offsets:
        seen.add(source)
        if source.gradient_of is not None:
            source = source.gradient_of
        elif source.op is None or source.is_data:
            break
        else:
            before, gone = source.op.sequences_of(source)
            if before is None:
                return None, 0
            source, dropped = before, dropped + gone
    return source, dropped


def declare(variable: Variable, count: int) -> None:
    """Give a placeholder as many levels of sequences, unless it has some."""
    block = variable.block
    variable.offsets = variable.offsets or [
        block.create_var(f"{variable.name}@LOD{level}", [-1], "int64", stop_gradient=True, is_data=True)
        for level in range(count)
    ]


def innermost(variable: Variable) -> Variable | None:
    """Return the offsets of the innermost level; what is fed gets one now, if it was declared without.

    None if it has no sequences.
    """
    source, _ = source_of(variable)
    if source is not None and source.is_data:
        declare(source, 1)
    found = levels_of(variable)
    return found[-1] if found else None


def give(variable: Variable, offsets: list[Variable]) -> None:
    """Let `variable` have these sequences, just made for it."""
    variable.offsets = offsets
    for level, one in enumerate(offsets):
        variable.block.rename(one, f"{variable.name}@LOD{level}")
