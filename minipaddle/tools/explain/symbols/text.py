"""Print a tree as a formula in NumPy's words and the user's names, on one line, or on several if parts have names.

Numbers are written as a mathematician does: 0.7978845608 is ``sqrt(2 / pi)``, and times 0.3333 is divided by 3.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from minipaddle.tools.explain.symbols.mode import Call
from minipaddle.tools.explain.symbols.tree import REDUCTIONS, Apply, Cast, Const, Leaf, Matmul, Reduce, Tree
from minipaddle.tools.explain.symbols.views import Broadcast, Index, Reshape, Scatter, Transpose

_KNOWN = {
    "pi": math.pi,
    "sqrt(2)": math.sqrt(2),
    "sqrt(pi)": math.sqrt(math.pi),
    "sqrt(2 * pi)": math.sqrt(2 * math.pi),
    "sqrt(2 / pi)": math.sqrt(2 / math.pi),
    "2 / sqrt(pi)": 2 / math.sqrt(math.pi),
    "log(2)": math.log(2),
    "log(10)": math.log(10),
}
_SAME = 1e-12  # relative: numbers equal up to double precision's rounding


def known(number: Any) -> str:
    """Return the expression with the value `number`; "" for an unusual number.

    >>> known(1.4142135623730951), known(1.5)
    ('sqrt(2)', '')
    """
    if not isinstance(number, float) or not number:
        return ""
    return next((text for text, value in _KNOWN.items() if abs(number / value - 1) < _SAME), "")


def divisor(number: float) -> float:
    """Return the divisor that replaces a multiplication by `number`; 0.0 if its decimals are short.

    >>> divisor(1 / 3), divisor(0.25), known(divisor(0.5 ** 0.5))
    (3, 0.0, 'sqrt(2)')
    """
    if not number or not math.isfinite(number) or len(f"{number:.12g}") <= 8 or known(number):
        return 0.0
    over = round(1 / number, 12)
    if abs(over * number - 1) < _SAME and len(f"{over:g}") <= 5 and float(f"{over:g}") == over:
        return int(over) if over.is_integer() else over
    over = 1 / number
    return over if known(over) else 0.0


COMPARE, OR, AND, SUM, PRODUCT, SIGN, POWER, ATOM = range(8)
"""Operator precedence, as in Python."""

INFIX = {
    "add": ("+", SUM), "subtract": ("-", SUM), "multiply": ("*", PRODUCT), "divide": ("/", PRODUCT),
    "remainder": ("%", PRODUCT), "floor_divide": ("//", PRODUCT), "power": ("**", POWER),
    "logical_and": ("&", AND), "logical_or": ("|", OR), "bitwise_and": ("&", AND), "bitwise_or": ("|", OR),
    "bitwise_xor": ("^", OR),
    "greater": (">", COMPARE), "greater_equal": (">=", COMPARE), "less": ("<", COMPARE), "less_equal": ("<=", COMPARE),
    "equal": ("==", COMPARE), "not_equal": ("!=", COMPARE),
}  # fmt: skip
NAMES = {"absolute": "abs", "conjugate": "conj"}


class Printed(Tree):
    """A tree that is already text: a number, or a sum cut short."""

    def __init__(self, written: str, level: int, number: Any, alone: bool = False) -> None:
        super().__init__((), np.asarray(number).dtype, (), lambda: number)
        self.written = written
        self.level = level
        self.number = number
        self.alone = alone
        """Whether it is a single number, and no formula."""


def text(tree: Tree, lets: Mapping[Tree, str] | None = None) -> str:
    """Return the formula of a tree; parts in `lets` appear by the names there."""
    return _Printer(lets or {}).written(tree, COMPARE, own=True)


def index_text(key: tuple[Any, ...]) -> str:
    """Return the text between the brackets of an index."""
    return _Printer({}).index(key)


class _Printer:
    """Writes trees with the brackets that precedence needs."""

    def __init__(self, lets: Mapping[Tree, str]) -> None:
        self.lets = lets

    def written(self, tree: Tree, level: int, own: bool = False) -> str:
        """Write `tree` for a position of precedence `level`; with `own`, not by its name."""
        name = "" if own else self.lets.get(tree, "")
        if name:
            return name
        found, strength = self._write(tree)
        return f"({found})" if strength < level else found

    def _write(self, tree: Tree) -> tuple[str, int]:
        if isinstance(tree, Printed):
            return tree.written, tree.level
        if isinstance(tree, Leaf):
            return tree.name or array_text(tree.array), ATOM
        if isinstance(tree, Const):
            return constant(tree)
        if isinstance(tree, Apply):
            return self._applied(tree)
        if isinstance(tree, Reduce):
            return self._reduced(tree), ATOM
        if isinstance(tree, Matmul):
            left, right = tree.parts
            return f"{self.written(left, PRODUCT)} @ {self.written(right, SIGN)}", PRODUCT
        if isinstance(tree, Call):
            return self._called(tree), ATOM
        return self._moved(tree), ATOM

    def _applied(self, tree: Apply) -> tuple[str, int]:
        plain_logic = tree.name.startswith("logical") and any(part.dtype.kind != "b" for part in tree.parts)
        if tree.name in INFIX and not plain_logic:
            return self._between(tree)
        if tree.name in ("negative", "invert", "logical_not") and not plain_logic:
            sign = "-" if tree.name == "negative" else "~"
            inner = tree.parts[0]
            if isinstance(inner, Printed) and inner.written.startswith("-"):
                return f"{sign}({inner.written})", SIGN
            loose = (
                sign == "-"
                and isinstance(inner, (Apply, Matmul))
                and getattr(inner, "name", "") in ("multiply", "divide")
            )
            return sign + self.written(inner, PRODUCT if loose else SIGN), PRODUCT if loose else SIGN
        parts = ", ".join([self.written(part, COMPARE) for part in tree.parts])
        return f"{NAMES.get(tree.name, tree.name)}({parts})", ATOM

    def _between(self, tree: Apply) -> tuple[str, int]:
        sign, level = INFIX[tree.name]
        left, right = [part if part.dtype.kind != "f" else self._unmasked(part) for part in tree.parts]
        if sign == "**":
            return f"{self.written(left, ATOM)} ** {self.written(right, SIGN)}", POWER
        first = self.written(left, level + (level == COMPARE))
        free = sign in FREE and isinstance(right, Apply) and INFIX.get(right.name, ("", -1))[0] in FREE[sign]
        second = self.written(right, level if free else level + 1)
        if sign == "+" and second.startswith("-"):
            sign, second = "-", second[1:]
        elif second.startswith("-") and level != COMPARE and (level == SUM or isinstance(right, Printed)):
            second = f"({second})"
        return f"{first} {sign} {second}", level

    def _unmasked(self, part: Tree) -> Tree:
        """Return the condition behind a part that is its zeros and ones."""
        is_mask = isinstance(part, Cast) and part.parts[0].dtype.kind == "b" and part not in self.lets
        return part.parts[0] if is_mask else part

    def _reduced(self, tree: Reduce) -> str:
        """``sum(x, 0, keepdims=True)``."""
        options = [self.written(self._unmasked(tree.parts[0]), COMPARE)]
        if len(tree.axes) < tree.parts[0].ndim:
            options.append(str(tree.axes[0]) if len(tree.axes) == 1 else str(tree.axes))
        if tree.keepdims:
            options.append("keepdims=True")
        return f"{tree.kind}({', '.join(options)})"

    def _moved(self, tree: Tree) -> str:
        part = tree.parts[0]
        if isinstance(tree, Cast):
            return f"{self.written(part, ATOM)}.astype({tree.dtype.name})"
        if isinstance(tree, Reshape):
            return self._reshaped(tree, part)
        if isinstance(tree, Transpose):
            return self._transposed(tree, part)
        if isinstance(tree, Broadcast):
            return f"broadcast_to({self.written(part, COMPARE)}, {list(tree.shape)})"
        if isinstance(tree, Index):
            return f"{self.written(part, ATOM)}[{self.index(tree.key)}]"
        if isinstance(tree, Scatter):
            added = (
                f"{self.written(part, COMPARE)} {list(part.shape)} added at [{self.index(tree.index.key)}]"
            )
            return f"zeros({list(tree.shape)}), and {added}"
        raise TypeError(type(tree).__name__)

    def _reshaped(self, tree: Reshape, part: Tree) -> str:
        """``x[:, None]`` where an axis is new, else ``x.reshape([2, 3])``."""
        if part.ndim == 1 and tree.shape == (*part.shape, *[1] * (tree.ndim - 1)):
            return f"{self.written(part, ATOM)}[:{', None' * (tree.ndim - 1)}]"
        for axis in range(tree.ndim):
            if tree.shape == (*part.shape[:axis], 1, *part.shape[axis:]):
                return f"expand_dims({self.written(part, COMPARE)}, {axis})"
        return f"{self.written(part, ATOM)}.reshape({list(tree.shape)})"

    def _transposed(self, tree: Transpose, part: Tree) -> str:
        """``x.T``, ``swapaxes(x, -1, -2)``, or all axes."""
        ndim = tree.ndim
        if tree.perm == (1, 0):
            return f"{self.written(part, ATOM)}.T"
        if tree.perm == (*range(ndim - 2), ndim - 1, ndim - 2):
            return f"swapaxes({self.written(part, COMPARE)}, -1, -2)"
        return f"transpose({self.written(part, COMPARE)}, {list(tree.perm)})"

    def index(self, key: tuple[Any, ...]) -> str:
        """Write the text between the brackets of an index, without trailing full slices."""
        items = [*key]
        while len(items) > 1 and items[-1] in (Ellipsis, slice(None)):
            items.pop()
        return ", ".join(map(self._item, items))

    def _item(self, item: Any) -> str:
        if isinstance(item, Tree):
            return self.written(item, COMPARE)
        if not isinstance(item, slice):
            return "..." if item is Ellipsis else str(item)
        ends = ["" if end is None else str(end) for end in (item.start or None, item.stop)]
        return ":".join(ends + ([] if item.step in (None, 1) else [str(item.step)]))

    def _called(self, tree: Call) -> str:
        arguments = [self._argument(one) for one in tree.arguments]
        while arguments and arguments[-1] == "None":
            arguments.pop()
        arguments += [f"{name}={self._argument(one)}" for name, one in tree.options.items()]
        return f"{tree.name}({', '.join(arguments)}){tree.output}"

    def _argument(self, one: Any) -> str:
        if isinstance(one, Tree):
            return self.written(one, COMPARE)
        if isinstance(one, list):
            return "[" + ", ".join(map(self._argument, one)) + "]"
        return plain(one)


FREE = {"+": ("+", "-"), "*": ("*", "/"), "&": ("&",), "|": ("|",)}
"""Operators that need no brackets to the right of an operator: ``a + (b - c)`` is ``a + b - c``."""


def array_text(array: Any) -> str:
    """Write an array that has no name: counting numbers as ``arange(3)``."""
    if array.ndim == 1 and len(array) > 1 and np.array_equal(array, np.arange(len(array))):
        return f"arange({len(array)})"
    return plain(array)


def constant(tree: Const) -> tuple[str, int]:
    """Write a number of a formula."""
    number = tree.number
    if tree.shape and not tree.weak:
        return (
            f"zeros({list(tree.shape)})" if number == 0 else f"full({list(tree.shape)}, {number:g})"
        ), ATOM
    named = known(number)
    if named:
        return named, PRODUCT if " / " in named and "(" not in named[:5] else ATOM
    if isinstance(number, float) and number.is_integer() and abs(number) < 1e6:
        number = int(number)
    return plain(number), SIGN if isinstance(number, (int, float)) and number < 0 else ATOM


def plain(value: Any) -> str:
    """Write a shape as a list, a dtype by its name, arrays and long floats shortened, others as Python does."""
    if isinstance(value, np.dtype):
        return repr(value.name)
    if isinstance(value, np.ndarray):
        return " ".join(np.array2string(value, precision=4, threshold=8, edgeitems=2).split())
    if isinstance(value, float) and len(repr(value)) > 8:
        return f"{value:.4g}"
    return str(list(value)) if isinstance(value, tuple) else repr(value)


_LONG = 100  # characters: a longer line is split at its named parts
_SHORT = 10  # characters: a shorter part is never worth a line of its own


def lines(
    tree: Tree, names: Mapping[Tree, str], said: Mapping[Tree, str] | None = None
) -> tuple[list[str], Mapping[Tree, str]]:
    """Return the lines of a formula, ``NAME = ...`` for some of `names`, then the tree itself; and all named parts.

    Parts in `said` already have a line elsewhere, and none here.
    """
    lets = dict(said or {})
    whole = text(tree, lets)
    uses = Counter(part for one in tree.each() for part in one.parts)
    taken = {*REDUCTIONS, *(leaf.name for leaf in tree.each() if isinstance(leaf, Leaf))}
    long = len(whole) > _LONG
    written = []
    for part in tree.each():
        name = "" if part is tree or part in lets else names.get(part, "")
        if (
            name
            and name not in taken
            and (long or uses[part] > 1)
            and len(found := text(part, lets)) > _SHORT
        ):
            written.append(f"{name} = {found}")
            lets[part] = name
            taken.add(name)
    return [*written, text(tree, lets)], lets
