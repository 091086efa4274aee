"""Programs as trees for the terminal: Block, Operator, the Blocks that it runs; additions by training are marked."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.picture.terminal.lines import append_cells, branches
from minipaddle.tools.record.sources.program.registry import Found, added, added_variables, role_words
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import clean, cut_cells, line_text
from minipaddle.tools.words.terminal import Symbols, word

_GAP = 2  # blanks between columns
_LEAST = 16
"""Columns for inputs and outputs, however wide the others are."""


class Row(NamedTuple):
    """One line: tree and type, inputs and outputs, role, the user's line.

    A Variable's shape is shown where it is made, or comes from outside.
    """

    tree: str
    ins: str = ""
    outs: str = ""
    role: str = ""
    where: str = ""
    depth: int = 0
    added: bool = False
    """Whether training added it."""


def heading(found: Found, symbols: Symbols) -> str:
    """Return ``Program main · 2 blocks · 9 ops: 4 forward, 5 backward · run 3 times``."""
    ops = [op for block in found.program.blocks for op in block.ops]
    counts = Counter(role_words(op)[0] for op in ops)
    counted = [say("{count} {role}", count=count, role=word(role)) for role, count in counts.items()]
    roles = say(", ").join(counted) if len(counts) > 1 else ""
    known = {0: say("not run"), 1: say("run once")}
    runs = known.get(found.runs) or say("run {count} times", count=found.runs)
    told = say("{before}: {after}", before=_ops(len(ops)), after=roles) if roles else _ops(len(ops))
    blocks = say("{count} blocks", count=len(found.program.blocks))
    return f" {symbols.dot} ".join((f"Program {clean(found.name)}", blocks, told, runs))


def _ops(count: int) -> str:
    return say("{count} ops", count=count)


def program_lines(
    program: Program, diff: bool, elsewhere: frozenset[str], symbols: Symbols, width: int | None = None
) -> Iterator[Text]:
    """Yield the tree line by line, its columns aligned, and cut to `width` cells if given.

    With `diff`, what append_backward, gradients and minimize added is marked; `elsewhere` are the names that they added
    to other Programs: the startup Program writes these first.
    """
    rows = list(_Tree(program, diff, elsewhere).rows())
    marks = [("+ " if row.added else "  ") if diff and row.depth else "" for row in rows]
    leads = branches([row.depth for row in rows], symbols)
    rows = [row._replace(tree=mark + lead + row.tree) for row, mark, lead in zip(rows, marks, leads)]
    flows = [f"{row.ins} {symbols.arrow} {row.outs}".lstrip() for row in rows]
    columns = [row.tree for row in rows if row.outs or row.ins], flows, [row.role for row in rows]
    tree, flow, role = (max(map(cell_len, column), default=0) for column in columns)
    where = max(cell_len(row.where) for row in rows)
    if width is not None:
        around = sum(cells + _GAP for cells in (role, where) if cells) + _GAP
        tree = min(tree, max(width - around - _LEAST, _LEAST))
        flow = min(flow, max(width - around - tree, 0))
    for row, whole in zip(rows, flows, strict=True):
        if not (row.ins or row.outs or row.role or row.where):  # a title gets the whole line
            yield Text(row.tree if width is None else cut_cells(row.tree, width, symbols.ellipsis))
            continue
        line = Text()
        shown = whole if cell_len(whole) <= flow else _squeezed(row, flow, symbols)
        append_cells(line, [(row.tree, tree, ""), (shown, flow, "")], symbols)
        append_cells(line, [(row.role, role, "dim"), (row.where, where, "dim")], symbols)
        line.rstrip()
        yield line


def _squeezed(row: Row, cells: int, symbols: Symbols) -> str:
    """Return the row, its inputs shortened first."""
    outs = f"{symbols.arrow} {row.outs}"
    room = cells - cell_len(outs) - 1
    return f"{cut_cells(row.ins, room, symbols.ellipsis)} {outs}" if room > 1 else outs


class _Tree:
    """Makes the rows of one Program."""

    def __init__(self, program: Program, diff: bool, elsewhere: frozenset[str]) -> None:
        self.program, self.diff, self.elsewhere = program, diff, elsewhere
        self.shown: set[Block] = set()
        self.added = added(program, elsewhere)

    def rows(self) -> Iterator[Row]:
        """Yield all rows."""
        if self.diff:
            yield from self._summary()
        start = self.program.blocks[0]
        yield Row(_block_title(start) + ("" if start.ops else say(": empty")))
        yield from self._block(start, 1)
        for block in self.program.blocks:  # no Operator runs it (any more)
            if block not in self.shown:
                yield Row(say("{block}, run by no operator", block=_block_title(block)))
                yield from self._block(block, 1)

    def _summary(self) -> Iterator[Row]:
        """Return how many Operators there were before, and are now."""
        ops = [op for block in self.program.blocks for op in block.ops]
        count = sum(1 for _ in self.program.list_vars())
        new = added_variables(self.program, self.elsewhere)
        before = len(ops) - len(self.added), count - len(new)
        for when, (calls, variables) in ((say("before"), before), (say("after "), (len(ops), count))):
            yield Row(f"{when}  {_ops(calls)}{say(', ')}{say('{count} variables', count=variables)}")

    def _block(self, block: Block, depth: int) -> Iterator[Row]:
        self.shown.add(block)
        digits = len(str(max(len(block.ops) - 1, 0)))
        for number, op in enumerate(block.ops):
            role, *more = role_words(op)  # in a word; none for forward, the role of most operators
            yield Row(
                f"{number:>{digits}}  {clean(op.label)}",
                ", ".join(_named(one, one.op is None or one.persistable) for one in _of_slots(op.inputs)),
                ", ".join(_named(one, True) for one in _of_slots(op.outputs)),
                word("".join(more) if role == "forward" else role),
                line_text(op.where),
                depth,
                op in self.added,
            )
            yield from self._inner(op, depth + 1)

    def _inner(self, op: Operator, depth: int) -> Iterator[Row]:
        """Yield the Blocks that an Operator runs, each at its first use."""
        for block in op.blocks():
            again = say(" (see above)") if block in self.shown else ""
            title = f"{_block_title(block)}{_use_of(op, block)}{again}"
            yield Row(title, depth=depth, added=op in self.added)
            if not again:
                yield from self._block(block, depth + 1)


def _of_slots(slots: dict[str, list[Variable | None]]) -> list[Variable]:
    found = [one for slot in slots.values() for one in slot]
    return [one for one in found if one is not None and one.type is not VarType.STEP_SCOPES]


def _named(variable: Variable, shape: bool) -> str:
    return f"{clean(variable.name)} {list(variable.shape)}" if shape else clean(variable.name)


def _block_title(block: Block) -> str:
    return f"block {block.idx}"


def _use_of(op: Operator, block: Block) -> str:
    """Return the role of a Block that was given to a custom operator."""
    if op.type == "pylayer" and op.blocks()[0] is block:
        return say(", forward")
    return say(", backward") if op.type in ("pylayer", "pylayer_grad") else ""
