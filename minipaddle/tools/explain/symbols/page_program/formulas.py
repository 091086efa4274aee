"""Formulas as a program beside that of the numbers: its leaves are values there, and each node of a tree can be asked.

Where a program only has to give numbers, a formula is to be shown with them: so what does not change is an instruction
too, and a number of the formula has its text. Kinds of instructions besides: ``leaf`` (the instruction of the other
program), ``whole`` (part): what an operator gives that a formula shows by its name.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.call import Call
from minipaddle.tools.explain.symbols.mode import read_operator
from minipaddle.tools.explain.symbols.page_program.instructions import Program, Unprintable, plain
from minipaddle.tools.explain.symbols.page_program.readings import for_any_numbers
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.text import ATOM, SIGN, constant
from minipaddle.tools.explain.symbols.tree import Const, Leaf, Open, Tree, undecided
from minipaddle.tools.explain.symbols.views import Index, Scatter


class Formulas(Program):
    """Formulas whose leaves are instructions of another program; what is the same in several is there once."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[int, tuple[str, int]] = {}
        """How numbers of formulas are written, and how strongly that holds together, where it is not as usual."""
        self._same: dict[str, int] = {}

    def leaf(self, name: str, array: Array, place: int) -> Open:
        """Return a value that the instruction at `place` of the other program gives."""
        found = Open(name, array)
        self.stands_for(found, self._add("leaf", found.shape, array.dtype, place))
        return found

    def place(self, tree: Tree) -> int | None:
        """Return the number of the instruction that gives a tree; None if there is none for a part of it."""
        try:
            with undecided():
                return self.add(tree)
        except TypeError:  # Unprintable, or numbers that may be others would decide
            return None

    def _is_computed(self, tree: Tree) -> bool:
        return not isinstance(tree, Leaf) and (tree.open or not isinstance(tree, Call))

    def _added(self, tree: Tree) -> int:
        if isinstance(tree, Const):
            return self._number(tree, tree.dtype)
        if not self._is_computed(tree):
            return self._add("numbers", tree.shape, tree.dtype, plain(np.asarray(tree.value, tree.dtype)))
        if isinstance(tree, (Index, Scatter)) and any(key.open for key in tree.parts[1:]):
            raise Unprintable(type(tree).__name__.lower())  # where elements come from may be another place
        return self._of_parts(tree)

    def _number(self, tree: Const, dtype: Any) -> int:
        at = super()._number(tree, dtype)
        number, written = tree.number, constant(Const(tree.number))
        if written != (_as_usual(number), SIGN if number < 0 else ATOM):
            self.texts[at] = written
        return at

    def _called(self, tree: Call) -> int:
        """Add a call as a whole, be it one that only a program can read."""
        try:
            return super()._called(tree)
        except Unprintable:
            if tree.of is None:
                raise
        op, inputs, attrs, place = tree.of
        given = tuple([None if one is None else Symbol(one) for one in inputs])
        with for_any_numbers():
            found = read_operator(op, given, {**op.defaults, **attrs}).answer
        read = shape_rules.cast(tree_of(found[place] if op.multiple else found), tree.dtype)
        if isinstance(read, Call) or read.shape != tree.shape:
            raise Unprintable(tree.name)
        return self._add("whole", tree.shape, tree.dtype, self.add(read))

    def _add(self, kind: str, shape: Sequence[int], dtype: Any, *rest: Any) -> int:
        key = json.dumps([kind, list(shape), dtype.name, *rest])
        if key not in self._same:
            self._same[key] = super()._add(kind, shape, dtype, *rest)
        return self._same[key]


def _as_usual(number: Any) -> str:
    """Return a number as a browser writes it; "" of one that it writes in another way than Python."""
    if isinstance(number, bool) or not (number == 0 or 1e-4 <= abs(number) < 1e6):
        return ""
    return str(int(number)) if number == int(number) else repr(number)
