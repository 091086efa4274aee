"""The local derivative of one call, as a blackboard writes it: how a result changes with an input.

A gradient rule multiplies what comes in by it, so it is read from the rule's formula (the expression trees of
``why``): ``dy * cos(x)`` without ``dy``. Read next: :mod:`minipaddle.tools.explain.paths`, products of them.
"""

import re
from collections.abc import Container, Iterable
from functools import cached_property

from minipaddle.tools.explain.forward import formulas_of_body
from minipaddle.tools.explain.rule import formula_of_gradient
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.explain.symbols.text import divisor, text
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Const, Leaf, Matmul, Reduce, Tree
from minipaddle.tools.explain.symbols.views import Broadcast, Reshape
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Grad
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.numbers import clean

_LONGEST = 22
"""Characters of a local derivative: a longer one would not fit between two boxes."""
_ONE = Const(1.0)


def local(trace: Trace, event: Grad, made: Value) -> str:
    """Return the derivative by which `event` made a gradient, such as ``2x``; "" if no short product says it.

    ``· wᵀ`` multiplies from the right, ``xᵀ ·`` from the left; ``Σ`` adds up what a broadcast had repeated.
    """
    coming = [value.name for value in trace.known(event.inputs)]
    tree = formula_of_gradient(trace, event, made)
    if event.is_custom and event.body is not None:
        tree = formulas_of_body(trace, event).get(made.id)
        coming = [value.name for value in trace.known(trace.events[event.body[0]].inputs)]
    found = "" if tree is None or len(coming) != 1 else _written(tree, coming)
    return found if len(found) <= _LONGEST else ""


def _written(tree: Tree, coming: Container[str]) -> str:
    """Return what a tree multiplies the gradient in `coming` by."""
    summed = False
    while isinstance(tree, (Cast, Reshape, Reduce)) and getattr(tree, "kind", "sum") == "sum":
        summed |= isinstance(tree, Reduce)
        tree = tree.parts[0]
    if isinstance(tree, Matmul):
        left, right = tree.parts
        if summed or (_factor(left, coming) is not _ONE and _factor(right, coming) is not _ONE):
            return ""
        first = _factor(left, coming) is _ONE
        return f"· {mathematical(text(right))}" if first else f"{mathematical(text(left))} ·"
    factor = _factor(tree, coming)
    if factor is None:
        return ""
    mask = factor.parts[0] if isinstance(factor, Cast) else factor
    if mask.dtype.kind == "b":
        return "" if summed else f"1 if {mathematical(text(mask))} else 0"
    over = divisor(factor.number) if isinstance(factor, Const) and isinstance(factor.number, float) else 0.0
    said = f"1/{over:g}" if over else mathematical(text(factor))
    sign = "−" if summed and said.startswith("−") else ""
    return f"{sign}Σ {said.removeprefix('−')}".removesuffix(" 1") if summed else said


def _factor(tree: Tree, coming: Container[str]) -> Tree | None:
    """Return the factor of the incoming gradient in a tree, `_ONE` for itself; None if it is no product."""
    if isinstance(tree, Leaf):
        return _ONE if tree.name in coming else None
    if isinstance(tree, (Broadcast, Cast, Reshape)):  # a constant factor is the same at every place
        inner = _factor(tree.parts[0], coming)
        return inner if isinstance(inner, Const) or isinstance(tree, Cast) else None
    if not isinstance(tree, Apply) or tree.name not in ("multiply", "divide", "negative", "add", "subtract"):
        return None
    leaves = [{one.name for one in part.each() if isinstance(one, Leaf)} for part in tree.parts]
    at = [place for place, names in enumerate(leaves) if any(name in coming for name in names)]
    if tree.name in ("add", "subtract") and at == [0, 1]:
        left, right = (_factor(part, coming) for part in tree.parts)
        return None if left is None or right is None else apply(tree.function, left, right)
    inner = _factor(tree.parts[at[0]], coming) if len(at) == 1 else None
    if inner is None or tree.name in ("add", "subtract") or (tree.name == "divide" and at == [1]):
        return None
    if tree.name == "multiply" and inner is _ONE:
        return tree.parts[1 - at[0]]
    return apply(tree.function, *[inner if place in at else part for place, part in enumerate(tree.parts)])


class Names:
    """The names of values as mathematics has them: ``∂L/∂x`` for the gradient of x in a pass that began with L."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        taken = {value.name for value in trace.values}
        self.weights = next(one for one in ("v", "u", "seed") if one not in taken or one == "seed")
        """The letter for the weights that a backward pass began with, ``v⋅y``."""
        self.seeds = {one.same: one for one in trace.values if one.seed and one.name.endswith("@GRAD")}

    def of(self, value: Value) -> str:
        """Return the name of a value; a gradient that the script's variable holds has the variable's."""
        value = self.seeds.get(value.id, value)
        of, made = self.trace.value(value.of), self.trace.maker(value)
        if value.kind != "gradient" or of is None or value.name in self.trace.variables.get(value.id, ()):
            return clean(self.trace.bound.get(value.id, value.name))
        root = self._root(value) if made is None else self.root(made.pass_number)
        return f"∂{root}/∂{self.inner(of)}"

    def inner(self, value: Value) -> str:
        """Return the name of a value behind ∂."""
        name = self.of(value)
        return f"({name})" if "/" in name else name

    def put(self, text: str, values: Iterable[Value]) -> str:
        """Return a text about `values` with these names in it: for ``x@GRAD``, and for a name of a Program."""
        for value in values:
            called = self.of(value).replace("\\", "\\\\")
            text = re.sub(rf"(?<![\w.]){re.escape(value.name)}(?![\w.]|{_NUMBERED})", called, text)
        return text

    def step(self, event: Grad, made: Value) -> str:
        """Return the letters of a local derivative, ``∂y/∂x``; "" if it is not known of what."""
        coming = [self.inner(self.trace.owner(value)) for value in self.trace.known(event.inputs)]
        return f"∂{coming[0]}/∂{self.inner(self.trace.owner(made))}" if len(coming) == 1 else ""

    @cached_property
    def _began(self) -> dict[int, list[int]]:
        """By the number of a pass, the ids of the gradients that it began with, once for each use."""
        events = [event for event in self.trace.events if event.phase == "backward"]
        read = ((one.pass_number, value) for one in events for value in self.trace.known(one.inputs))
        return grouped((number, value.id) for number, value in read if value.seed)

    def root(self, number: int) -> str:
        """Return the name of what a pass differentiates; ``Σy`` for the sum of all elements."""
        seeds = self.trace.known(dict.fromkeys(self._began.get(number, ())))
        name = " + ".join(map(self._root, seeds)) or "L"
        return f"({name})" if len(seeds) > 1 else name

    def _root(self, seed: Value) -> str:
        name = self.inner(self.trace.owner(seed))
        if not is_one(seed):
            return f"({self.weights}⋅{name})"
        return name if seed.stats.size == 1 else f"Σ{name}"


def is_one(seed: Value) -> bool:
    """Return whether all elements are 1, also of numbers that were not kept."""
    stats = seed.stats
    if seed.array is not None:
        return bool((seed.array == 1).all())
    return stats.min == stats.max == 1 and not stats.bad


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_WRITTEN = {
    r" \* ": "⋅", " @ ": " ", r"\.T\b": "ᵀ", " - ": " − ", " / ": "/", r"\bsigmoid\(": "σ(",
    r"\b(max|min)imum\(": r"\1(",
}  # fmt: skip
_NUMBERED = r" #\d+"  # the rest of a name that stands for several values, ``x #2``
_SAME = re.compile(
    rf"(?<![/@%] )(?<!\*\* )\b([^\W\d][\w.]*(?:{_NUMBERED})?)((?: \* \1)+)(?![\w(.\[]| \*\*|{_NUMBERED})"
)
"""A product of equal factors, which is a power."""


def mathematical(formula: str) -> str:
    """Return a formula of Python as mathematics writes it.

    >>> mathematical("2 * x"), mathematical("1 - tanh(a) ** 2"), mathematical("w.T @ x * y"), mathematical("s - s * s")
    ('2x', '1 − tanh(a)²', 'wᵀ x⋅y', 's(1 − s)')
    >>> mathematical("s - s * s * y"), mathematical("x / 2 * y"), mathematical("a.Theta"), mathematical("logsigmoid(x)")
    ('s − s²⋅y', 'x/2⋅y', 'a.Theta', 'logsigmoid(x)')
    >>> mathematical("1 - x #4 * x #4"), mathematical("h #3 * w"), mathematical("y * y #2")
    ('1 − (x #4)²', 'h #3⋅w', 'y⋅y #2')
    """
    formula = re.sub(r"^(\S+(?: \* \S+)*) \* (-?[\d.]+)$", r"\2 * \1", formula)
    formula = re.sub(_SAME, lambda found: f"{found[1]} ** {1 + found[2].count('*')}", formula)
    formula = re.sub(rf"(\w[\w.]*{_NUMBERED})(?= \*\*)", r"(\1)", formula)
    formula = re.sub(
        r"(?<![\w.#])(?<!/ |\* |e-)(\d+(?:\.\d+)?) \* (?=[^\W\d](?![\w.])|\w+\()", r"\1", formula
    )
    formula = re.sub(r" \*\* (-?\d+)\b(?!\.)", lambda found: found[1].translate(_RAISED), formula)
    for python, written in _WRITTEN.items():
        formula = re.sub(python, written, formula)
    formula = re.sub(r"(^|\()([\w.]+) − \2²(?=$|[),])", r"\1\2(1 − \2)", formula)
    return re.sub(r"(?<![\w)\]])-(?=[\w(])", "−", formula)
