"""Typeset a tree: the same formula as :mod:`~minipaddle.tools.explain.symbols.text` prints, in LaTeX's mathematics."""

from __future__ import annotations

import re
from typing import Any

from minipaddle.tools.explain.symbols.mode import Call
from minipaddle.tools.explain.symbols.text import (
    AND,
    ATOM,
    COMPARE,
    OR,
    POWER,
    PRODUCT,
    SIGN,
    SUM,
    Printed,
    known,
    text,
)
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Leaf, Matmul, Reduce, Tree
from minipaddle.tools.explain.symbols.views import Broadcast, Reshape, Transpose

_BETWEEN = {
    "add": ("+", SUM), "subtract": ("-", SUM), "multiply": (r"\,", PRODUCT), "remainder": (r"\bmod", PRODUCT),
    "bitwise_and": (r"\land", AND), "logical_and": (r"\land", AND), "bitwise_or": (r"\lor", OR),
    "logical_or": (r"\lor", OR), "bitwise_xor": (r"\oplus", OR), "logical_xor": (r"\oplus", OR),
    "greater": (">", COMPARE), "greater_equal": (r"\ge", COMPARE), "less": ("<", COMPARE),
    "less_equal": (r"\le", COMPARE), "equal": ("=", COMPARE), "not_equal": (r"\ne", COMPARE),
}  # fmt: skip
_AROUND = {
    "divide": r"\frac{%s}{%s}", "sqrt": r"\sqrt{%s}", "absolute": r"\left|%s\right|", "floor": r"\lfloor %s \rfloor",
    "ceil": r"\lceil %s \rceil", "floor_divide": r"\left\lfloor \frac{%s}{%s} \right\rfloor",
}  # fmt: skip
_FUNCTIONS = {
    "log": r"\ln", "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh",
    "arcsin": r"\arcsin", "arccos": r"\arccos", "arctan": r"\arctan", "maximum": r"\max", "minimum": r"\min",
    "sigmoid": r"\sigma",
}  # fmt: skip
_REDUCED = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
_KNOWN = {
    "pi": r"\pi", "sqrt(2)": r"\sqrt{2}", "sqrt(pi)": r"\sqrt{\pi}", "sqrt(2 * pi)": r"\sqrt{2 \pi}",
    "sqrt(2 / pi)": r"\sqrt{2 / \pi}", "2 / sqrt(pi)": r"\frac{2}{\sqrt{\pi}}", "log(2)": r"\ln 2",
    "log(10)": r"\ln 10",
}  # fmt: skip


def latex(tree: Tree) -> str:
    r"""Return the formula of a tree as LaTeX, to stand between dollars.

    >>> import numpy as np
    >>> x, dy = Leaf("x", np.ones(3)), Leaf("y@GRAD", np.ones(3))
    >>> latex(Apply(np.multiply, dy, Apply(np.exp, x)))
    '\\bar{y} \\, e^{x}'
    """
    return _written(tree, COMPARE)


def _written(tree: Tree, level: int) -> str:
    found, strength = _write(tree)
    return rf"\left({found}\right)" if strength < level else found


def _write(tree: Tree) -> tuple[str, int]:
    if isinstance(tree, Leaf):
        return (name_of(tree.name) if tree.name else verbatim(text(tree))), ATOM
    if isinstance(tree, Const):
        return _constant(tree)
    if isinstance(tree, Apply):
        return _applied(tree)
    if isinstance(tree, Matmul):
        left, right = tree.parts
        return rf"{_written(left, PRODUCT)} \, {_written(right, PRODUCT)}", PRODUCT
    if isinstance(tree, Reduce):
        return _reduced(tree)
    if (
        isinstance(tree, Transpose)
        and tree.ndim > 1
        and tree.perm == (*range(tree.ndim - 2), tree.ndim - 1, tree.ndim - 2)
    ):
        return rf"{_written(tree.parts[0], ATOM)}^{{\mathsf T}}", POWER
    if isinstance(
        tree, (Cast, Reshape, Broadcast)
    ):  # the same numbers: of shapes and types a formula says nothing
        return _write(tree.parts[0])
    if isinstance(tree, Call):
        given = [_written(one, COMPARE) for one in tree.arguments if isinstance(one, Tree)]
        return rf"\operatorname{{{escaped(tree.name)}}}\left({', '.join(given)}\right)", ATOM
    return verbatim(tree.written if isinstance(tree, Printed) else text(tree)), ATOM


def _constant(tree: Const) -> tuple[str, int]:
    number: Any = tree.number
    named = known(number)
    if named:
        return _KNOWN[named], ATOM
    written = f"{number:.4g}" if isinstance(number, float) else str(number)
    mantissa, _, exponent = written.partition("e")
    if exponent:
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}", PRODUCT
    written = {"inf": r"\infty", "-inf": r"-\infty", "nan": r"\mathrm{nan}"}.get(written, written)
    return (rf"\mathrm{{{number}}}" if isinstance(number, bool) else written), SIGN if written.startswith(
        "-"
    ) else ATOM


def _applied(tree: Apply) -> tuple[str, int]:
    if tree.name in _BETWEEN:
        sign, level = _BETWEEN[tree.name]
        left, right = [
            _condition(part) if level in (SUM, PRODUCT) else _written(part, level + 1) for part in tree.parts
        ]
        return f"{left} {sign} {right}", level
    if tree.name == "where":
        condition, one, other = [_written(part, COMPARE) for part in tree.parts]
        return rf"\begin{{cases}} {one} & {condition} \\ {other} & \text{{else}} \end{{cases}}", ATOM
    if tree.name in _AROUND:
        parts = [_written(part, COMPARE) for part in tree.parts]
        return _AROUND[tree.name] % tuple(parts), ATOM
    if tree.name in ("negative", "invert", "logical_not"):
        sign = "-" if tree.name == "negative" else r"\lnot "
        return sign + _written(tree.parts[0], PRODUCT), SIGN if sign == "-" else ATOM
    if tree.name in ("power", "exp"):
        base = _written(tree.parts[0], ATOM) if tree.name == "power" else "e"
        return f"{base}^{{{_written(tree.parts[-1], COMPARE)}}}", POWER
    name = _FUNCTIONS.get(tree.name, rf"\operatorname{{{escaped(tree.name)}}}")
    return rf"{name}\left({', '.join([_written(part, COMPARE) for part in tree.parts])}\right)", ATOM


def _condition(part: Tree) -> str:
    """Write a factor or a summand; a condition among numbers is 1 or 0, in Iverson's brackets."""
    inner = part.parts[0] if isinstance(part, Cast) else part
    if inner.dtype.kind == "b" and isinstance(inner, Apply):
        return rf"\left[{_written(inner, COMPARE)}\right]"
    return _written(part, PRODUCT if isinstance(part, Apply) and part.name in _BETWEEN else SUM)


def _reduced(tree: Reduce) -> tuple[str, int]:
    axes = "" if len(tree.axes) == tree.parts[0].ndim else "_{" + ", ".join(map(str, tree.axes)) + "}"
    if tree.kind in _REDUCED:
        return f"{_REDUCED[tree.kind]}{axes} {_written(tree.parts[0], PRODUCT)}", SIGN
    return rf"\operatorname{{{tree.kind}}}{axes}\left({_written(tree.parts[0], COMPARE)}\right)", ATOM


def name_of(name: str) -> str:
    r"""Return a name of the user's: a gradient has a bar.

    >>> name_of("w@GRAD"), name_of("fc_1.w")
    ('\\bar{w}', '\\mathit{fc\\_1.w}')
    """
    if name.endswith("@GRAD"):
        return rf"\bar{{{name_of(name.removesuffix('@GRAD'))}}}"
    return name if len(name) == 1 and name.isalpha() else rf"\mathit{{{escaped(name)}}}"


def verbatim(written: str) -> str:
    """Return what mathematics has no sign for as it is printed."""
    return rf"\mathtt{{{escaped(written)}}}"


def escaped(written: str) -> str:
    r"""Return a text for LaTeX, where ``_`` and its like mean something."""
    replaced = {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\tilde{}"}
    return re.sub(r"[\\^~_#$%&{}]", lambda found: replaced.get(found[0], "\\" + found[0]), written)
