"""Copies of Operators, with other Variables and Blocks, and of Programs, whole or in part; what a part needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import COMMON_PARTS, TOLD_PARTS, GradientPlace, Operator, Role
from minipaddle.paddle.static.program.sizes import Dim
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.program import Program

Replace = Callable[[Any], Any]
"""Returns the replacement of a Variable or Block."""


def copied_operator(op: Operator, block: Block, variables: Replace, blocks: Replace) -> Operator:
    """Return a copy of `op` in `block`, with its Variables and Blocks mapped by `variables` and `blocks`.

    A Block without a copy in the new Program (None) is left out of a list of Blocks.
    """
    copy = object.__new__(type(op))
    copy.__dict__.update(op.__dict__)
    copy.block = block
    exchange(copy, variables, blocks)
    for name in TOLD_PARTS if op.pass_number or op.part_of else ():
        setattr(copy, name, _mapped(getattr(op, name), variables, blocks))
    return copy


def exchange(op: Operator, variables: Replace, blocks: Replace) -> None:
    """Replace the Variables and Blocks of `op` in place, as mapped by `variables` and `blocks`."""
    for name in (*COMMON_PARTS, *op.parts):
        setattr(op, name, _mapped(getattr(op, name), variables, blocks))
    op.renew()


def exchange_inside(op: Operator, variables: Replace) -> None:
    """Replace Variables in `op`, and in the Operators of its Blocks, as mapped by `variables`.

    Values that a loop's gradient finds among those saved by the loop stay: they belong to the Variables themselves.
    """
    saved = set(op.loop_variables())
    other = (
        variables if not saved else lambda variable: variable if variable in saved else variables(variable)
    )
    exchange(op, other, lambda block: block)
    for block in op.blocks():
        for inner in block.ops:
            exchange_inside(inner, other)


def _mapped(value: Any, variables: Replace, blocks: Replace) -> Any:
    """Return a value, or containers of values, with Variables and Blocks in it mapped."""
    if value is None or type(value) is str:  # mostly
        return value
    if isinstance(value, Variable):
        return variables(value)
    if isinstance(value, Block):
        return blocks(value)
    if isinstance(value, Dim):
        return Dim(variables(value.variable), value.index, value.of_value)
    if isinstance(value, (tuple, list)):
        kept = [item for item in value if not isinstance(item, Block) or blocks(item) is not None]
        made = [_mapped(item, variables, blocks) for item in kept]
        return made if type(value) is list else tuple(made)
    if type(value) is dict:
        return {
            _mapped(key, variables, blocks): _mapped(item, variables, blocks) for key, item in value.items()
        }
    return value


def inlined(block: Block, known: dict[Variable, Variable], into: Block) -> Callable[[Any], Any]:
    """Append copies of the Operators of `block` to `into`; return the mapping from a Variable to its copy.

    The Variables of `block` and of Blocks inside it get copies; `known` replaces others, and the rest is
    shared. Blocks inside it are copied too.
    """
    program = into.program
    copies: dict[Block, Block] = {block: into}

    def copy_of(variable: Any) -> Any:
        if variable is None or variable in known:
            return None if variable is None else known[variable]
        if variable.block not in copies:
            return variable
        home = copies[variable.block]
        fresh = known[variable] = home.add(
            Variable(home, program.generated_name(), variable.meta, stop_gradient=variable.stop_gradient)
        )
        return fresh

    def block_copy(inner: Block) -> Block:
        if inner not in copies:
            parent = inner.parent
            fresh = copies[inner] = program.new_block(copies.get(parent, into) if parent else into)
            for op in inner.ops:
                fresh.add_op(copied_operator(op, fresh, copy_of, block_copy))
        return copies[inner]

    for op in list(block.ops):
        into.add_op(copied_operator(op, into, copy_of, block_copy))
    return copy_of


# -- Programs ---------------------------------------------------------------------------------------------------------


def cloned(program: Program, for_test: bool = False) -> Program:
    """Return an independent copy of `program`.

    Args:
        for_test: leave out gradients and updates, their Variables and Blocks, and set ``is_test`` if it exists.
    """
    if not for_test:
        return copied(program, {block: block.ops for block in program.blocks}, ())
    kept = {block: [op for op in block.ops if not op.trains] for block in _forward_blocks(program)}
    staying = {op for ops in kept.values() for op in ops}
    dropped = {op for block in program.blocks for op in block.ops} - staying
    return copied_for_test(program, kept, _only_of(dropped, staying))


def with_inner_blocks(block: Block, ops: Sequence[Operator]) -> dict[Block, list[Operator]]:
    """Return these Operators of `block`, and all Operators of the Blocks that they run, by Block."""
    kept = {block: list(ops)}
    waiting = list(ops)
    while waiting:
        op = waiting.pop()
        for inner in op.blocks():
            if inner not in kept and (op.trains or inner.forward_block_idx < 0):
                kept[inner] = list(inner.ops)
                waiting += inner.ops
    return dict(sorted(kept.items(), key=lambda item: item[0].idx))


def copied_for_test(
    program: Program, kept: Mapping[Block, Sequence[Operator]], without: Collection[Variable]
) -> Program:
    """Return a copy by :func:`copied` without training: ``is_test`` is set, learning rates stay."""
    copy = copied(program, kept, without)
    copy.schedules = {}
    for op in (op for block in copy.blocks for op in block.ops):
        if "is_test" in op.attrs:
            op.attrs["is_test"] = True
    return copy


def copied(
    program: Program, kept: Mapping[Block, Sequence[Operator]], without: Collection[Variable]
) -> Program:
    """Return a copy with the Blocks and Operators of `kept`, without the Variables of `without`."""
    copy = type(program)()
    copy.__dict__.update({**program.__dict__, "blocks": [], "prepared": {}, "current_block_idx": 0})
    blocks = {block: Block(copy, index) for index, block in enumerate(kept)}
    copy.blocks = list(blocks.values())
    variables: dict[Variable, Variable] = {}
    operators: dict[Operator, Operator] = {}

    def copy_of(variable: Any) -> Any:
        if variable is None or variable.block not in blocks:
            return None
        if variable not in variables:
            variables[variable] = variable.copied(blocks[variable.block])
        return variables[variable]

    for block, new in blocks.items():
        new.parent_idx, new.forward_block_idx, new.backward_block_idx = (
            _number(program, blocks, index)
            for index in (block.parent_idx, block.forward_block_idx, block.backward_block_idx)
        )
        new.vars.update((name, copy_of(one)) for name, one in block.vars.items() if one not in without)
    for block, new in blocks.items():
        for op in kept[block]:
            operators[op] = copied_operator(op, new, copy_of, blocks.get)
            new.ops.append(operators[op])
    for op in operators.values():
        op.origin = None if op.origin is None else operators.get(op.origin)
        op.part_of = None if op.part_of is None else operators.get(op.part_of)
        op.seeds, op.sums = (_moved(place, operators) for place in (op.seeds, op.sums))
    for old, variable in variables.items():
        variable.op = None if old.op is None else operators.get(old.op)
        variable.gradient_of = None if old.gradient_of is None else variables.get(old.gradient_of)
    return copy


def _moved(place: GradientPlace | None, operators: Mapping[Operator, Operator]) -> GradientPlace | None:
    """Return a place with its Operator replaced by the copy."""
    if place is None or place[0] is None:
        return place
    maker = operators.get(place[0])
    return None if maker is None else (maker, place[1])


def _number(program: Program, blocks: dict[Block, Block], index: int) -> int:
    """Return the number in the copy of the Block `index`; -1 for none."""
    found = blocks.get(program.blocks[index]) if index >= 0 else None
    return -1 if found is None else found.idx


def _forward_blocks(program: Program) -> list[Block]:
    """Return all Blocks except gradient Blocks and the Blocks inside these."""
    found = [program.global_block()]
    for block in program.blocks[1:]:
        if block.forward_block_idx < 0 and block.parent in found:
            found.append(block)
    return found


def _only_of(dropped: Collection[Operator], kept: Collection[Operator]) -> set[Variable]:
    """Return the Variables used by `dropped` Operators only."""
    gone, needed = (
        {one for op in ops for one in (*op.reads(), *op.writes()) if one is not None}
        for ops in (dropped, kept)
    )
    return gone - needed


def needed_for(
    targets: Collection[Variable],
    operators: Sequence[Operator],
    known: Collection[Variable] = (),
    starts: Collection[Operator] = (),
) -> list[Operator]:
    """Return, in order, the `operators` that compute `targets` from `known` Variables, and all `starts`."""
    needed, given, kept = set(targets), set(known), []
    for op in reversed(operators):
        if op in starts or any(one in needed and one not in given for one in op.writes()):
            kept.append(op)
            needed.update(op.reads())
    return kept[::-1]


def needed_in_run(
    operators: Sequence[Operator],
    fetches: Sequence[Variable],
    fed: Sequence[Variable],
    updates: Sequence[Operator],
) -> list[Operator]:
    """Return the Operators that `fetches` and `updates` (by default all) need, given the `fed` names.

    A fetched parameter is not a reason to update it.
    """
    starts = set(updates) or {op for op in operators if op.role & Role.OPTIMIZE}
    makers = {
        one: op for op in operators if op in starts or not op.role & Role.OPTIMIZE for one in op.writes()
    }
    starts |= {makers[one] for one in fetches if one in makers and one not in set(fed)}
    return needed_for((), operators, fed, starts)
