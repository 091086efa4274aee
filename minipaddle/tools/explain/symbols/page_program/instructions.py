"""Trees as a program: a list of instructions, one per node of a tree, that a page runs to compute them again.

An instruction is ``[kind, shape, dtype, ...]``; others refer to it by its index in the list. Arrays are
flat. Kinds: ``number`` (one that fills it), ``numbers``, ``apply`` (function, parts), ``reduce`` (kind, part, axes),
``matmul`` (left, right), ``cast`` (part), ``take`` (part, and which of its elements; null: all), ``scatter`` (part,
and the places they are added to), ``sum`` (start, and terms: parts, and per product its place, the places of its
factors, and a number); and from :mod:`~.readings`: ``pick`` and ``put`` (part, places), ``join`` (parts).

A tree can be computed for other numbers than the recorded ones if its leaves are :class:`~.tree.Open`.

Elementwise functions are lines of ``functions.js``; others are not supported.
"""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.mode import Call, read_operator
from minipaddle.tools.explain.symbols.page_program.readings import Instruction, for_any_numbers, sums_of
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.text import ATOM, SIGN, constant
from minipaddle.tools.explain.symbols.tree import (
    Apply,
    Cast,
    Const,
    Leaf,
    Matmul,
    Open,
    Reduce,
    Tree,
    undecided,
)
from minipaddle.tools.explain.symbols.views import Index, Move, Scatter

_OF_CONDITIONS = ("bitwise_and", "bitwise_or", "bitwise_xor", "invert")
_SCRIPT = Path(__file__).with_name("functions.js").read_text("utf-8")
FUNCTIONS = dict(re.findall(r"^  (\w+): \(x, y, z\) => (.+),$", _SCRIPT, re.MULTILINE))
_HELPERS = {
    text.split("(")[0]: f"function {text}"
    for text in re.findall(r"^function (.+?^}\n)", _SCRIPT, re.M | re.S)
}


def known(name: str, kinds: Iterable[str]) -> bool:
    """Return whether ``functions.js`` has a function for parts of these dtype kinds (``f``, ``b``, ...).

    >>> known("tanh", "f"), known("bitwise_and", "bi"), known("gammaln", "f")
    (True, False, False)
    """
    return name in FUNCTIONS and (name not in _OF_CONDITIONS or set(kinds) == {"b"})


def functions(names: Iterable[str]) -> str:
    """Return a script with an object that has a function of up to three numbers for each of `names`.

    >>> print(functions(["add", "isnan"]))
    const FUNCTIONS = {
      add: (x, y, z) => x + y,
      isnan: (x, y, z) => x !== x,
    };
    <BLANKLINE>
    """
    texts = {name: FUNCTIONS[name] for name in sorted(set(names))}
    helpers = "".join(
        helper
        for name, helper in _HELPERS.items()
        if any(one.startswith(f"{name}(") for one in texts.values())
    )
    lines = "".join(f"  {name}: (x, y, z) => {text},\n" for name, text in texts.items())
    return f"{helpers}const FUNCTIONS = {{\n{lines}}};\n"


class Unprintable(TypeError):
    """A page cannot compute a tree; the message names the function or operator."""


class Program:
    """A list of instructions; parts shared by several trees are computed once."""

    def __init__(self) -> None:
        self.instructions: list[list[Any]] = []
        self.functions: set[str] = set()
        """Names of the elementwise functions that it calls."""
        self._places: dict[Tree, int] = {}

    def numbers(self, array: Array) -> int:
        """Return the place of a new instruction that holds given numbers."""
        return self._add("numbers", array.shape, array.dtype, plain(array))

    def copy(self, place: int) -> int:
        """Return the place of a new instruction that copies the result of another one."""
        _, shape, dtype, *_ = self.instructions[place]
        return self._add("take", shape, np.dtype(dtype), place, None)

    def stands_for(self, tree: Tree, place: int) -> None:
        """Register the existing instruction at `place` as the one that computes `tree`."""
        self._places[tree] = place

    def add(self, tree: Tree) -> int:
        """Return the place of the instruction that computes `tree`, after adding it if needed.

        Raises Unprintable if there is no instruction for a part of it.
        """
        for one in tree.each(self._needed):
            if one not in self._places:
                self._places[one] = self._added(one)
        return self._places[tree]

    def _added(self, tree: Tree) -> int:
        if isinstance(tree, Const):
            return self._number(tree, tree.dtype)
        if not self._is_computed(tree):
            return self.numbers(np.asarray(tree.value, tree.dtype))
        return self._of_parts(tree)

    def _needed(self, tree: Tree) -> Sequence[Tree]:
        """Return the parts that need an instruction before a tree gets its own."""
        if tree in self._places or not self._is_computed(tree):
            return ()
        is_weak = isinstance(tree, Apply)  # the function's instruction has the number in its own dtype
        return [one for one in tree.parts if not (is_weak and isinstance(one, Const) and one.weak)]

    def _is_computed(self, tree: Tree) -> bool:
        """Whether a tree is computed from its parts; else its numbers are given."""
        return tree.open

    def _number(self, tree: Const, dtype: Any) -> int:
        """Add a number of type `dtype`."""
        return self._add("number", tree.shape, dtype, plain(np.asarray(tree.number)))

    def _of_parts(self, tree: Tree) -> int:
        """Return the place of a new instruction that computes a tree from its parts, which have instructions."""
        if isinstance(tree, Apply):
            return self._applied(tree)
        if isinstance(tree, Call):
            return self._called(tree)
        parts = [self._places[part] for part in tree.parts]
        like = tree.shape, tree.dtype
        if isinstance(tree, Instruction):
            return self._add(tree.kind, *like, *([parts] if tree.kind == "join" else parts))
        if isinstance(tree, Reduce):
            return self._add("reduce", *like, tree.kind, parts[0], list(tree.axes))
        if isinstance(tree, (Matmul, Cast)):
            return self._add(type(tree).__name__.lower(), *like, *parts)
        if isinstance(tree, Move):
            taken = tree.source.ravel().tolist()
            return self._add(
                "take", *like, parts[0], None if taken == [*range(tree.parts[0].size)] else taken
            )
        if isinstance(tree, Scatter) and tree.index.shape == tree.parts[0].shape:
            return self._add("scatter", *like, parts[0], tree.index.source.ravel().tolist())
        raise Unprintable(type(tree).__name__.lower())

    def _add(self, kind: str, shape: Sequence[int], dtype: Any, *rest: Any) -> int:
        if dtype.kind not in "fbiu":
            raise Unprintable(dtype.name)
        self.instructions.append([kind, list(shape), dtype.str[1:], *rest])
        return len(self.instructions) - 1

    def _applied(self, tree: Apply) -> int:
        """Add an elementwise function; a number in it gets the dtype in which the function is computed."""
        if not known(tree.name, [part.dtype.kind for part in tree.parts]):
            raise Unprintable(tree.name)
        self.functions.add(tree.name)
        seen = [part.number if isinstance(part, Const) and part.weak else part.dtype for part in tree.parts]
        among = np.result_type(*seen)
        parts = [
            self._number(part, among) if isinstance(part, Const) and part.weak else self._places[part]
            for part in tree.parts
        ]
        return self._add("apply", tree.shape, tree.dtype, tree.name, parts)

    def _called(self, tree: Call) -> int:
        """Add an operator without a formula that is linear in its changeable inputs.

        Each product is its place, the places of its factors, and a number.
        """
        found = sums_of(tree) if tree.dtype.kind == "f" else None
        if found is None:
            raise Unprintable(tree.name)
        inputs = [-1 if one is None else self._places.get(one, -1) for one in tree.inputs]
        terms = []
        for places, factors, none in found[1]:
            numbers = plain(factors[factors != 0])
            products = [[spot, *at, one] for (*at, spot), one in zip(np.argwhere(factors).tolist(), numbers)]
            zeros = [[spot, *at, 0] for *at, spot in np.argwhere(none).tolist()]
            terms.append([[inputs[place] for place in places], products + zeros])
        return self._add("sum", tree.shape, tree.dtype, plain(found[0]), terms)


def plain(array: Array) -> Any:
    """Return numbers, flat, as JSON has them: single precision with its own digits, NaN and Infinity as text.

    >>> plain(np.array([[0.1, np.inf]], "float32")), plain(np.asarray(True))
    ([0.1, 'Infinity'], 1)
    """
    if array.ndim:
        return [plain(np.asarray(one)) for one in array.ravel()]
    if array.dtype.kind != "f":
        return int(array)
    number = float(str(array[()]))
    if np.isfinite(number):
        return number
    return "NaN" if np.isnan(number) else "Infinity" if number > 0 else "-Infinity"


class Formulas(Program):
    """Formulas whose leaves are instructions of another program; a part that several share occurs once.

    That program only computes numbers, but a formula is also shown with them: so even constants are
    instructions here, and a number of the formula has its text. Additional kinds: ``leaf`` (the instruction
    of the other program), ``whole`` (part): the result of an operator that the formula shows by name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[int, tuple[str, int]] = {}
        """The texts of numbers in formulas, and their operator precedence, if not as usual."""
        self._same: dict[str, int] = {}

    def leaf(self, name: str, array: Array, place: int) -> Open:
        """Return the leaf for the value of the other program's instruction at `place`."""
        found = Open(name, array)
        self.stands_for(found, self._add("leaf", found.shape, array.dtype, place))
        return found

    def place(self, tree: Tree) -> int | None:
        """Return the index of the instruction that computes a tree; None if a part of it has none."""
        try:
            with undecided():
                return self.add(tree)
        except TypeError:  # Unprintable, or changeable numbers would decide
            return None

    def _is_computed(self, tree: Tree) -> bool:
        return not isinstance(tree, Leaf) and (tree.open or not isinstance(tree, Call))

    def _added(self, tree: Tree) -> int:
        if isinstance(tree, (Index, Scatter)) and any(key.open for key in tree.parts[1:]):
            raise Unprintable(type(tree).__name__.lower())  # the sources of elements may change
        return super()._added(tree)

    def _number(self, tree: Const, dtype: Any) -> int:
        at = super()._number(tree, dtype)
        number, written = tree.number, constant(Const(tree.number))
        if written != (_as_usual(number), SIGN if number < 0 else ATOM):
            self.texts[at] = written
        return at

    def _called(self, tree: Call) -> int:
        """Add a call as a whole, even one that only a program can read."""
        with suppress(Unprintable):
            return super()._called(tree)
        op, given = tree.op, tuple([None if one is None else Symbol(one) for one in tree.inputs])
        with for_any_numbers():
            found = read_operator(op, given, {**op.defaults, **tree.attrs}).answer
        read = shape_rules.cast(tree_of(found[tree.place] if op.multiple else found), tree.dtype)
        if isinstance(read, Call) or read.shape != tree.shape:
            raise Unprintable(tree.name)
        return self._add("whole", tree.shape, tree.dtype, self.add(read))

    def _add(self, kind: str, shape: Sequence[int], dtype: Any, *rest: Any) -> int:
        key = json.dumps([kind, list(shape), dtype.name, *rest])
        if key not in self._same:
            self._same[key] = super()._add(kind, shape, dtype, *rest)
        return self._same[key]


def _as_usual(number: Any) -> str:
    """Return a number as a browser writes it; "" if a browser writes it differently from Python."""
    if isinstance(number, bool) or not (number == 0 or 1e-4 <= abs(number) < 1e6):
        return ""
    return str(int(number)) if number == int(number) else repr(number)
