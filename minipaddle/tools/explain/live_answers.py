"""Answers that follow numbers: what may be another number is a field of the text, which a page fills again and again.

An answer is written once. Ordinarily what it says is decided by the numbers of the recording; within :func:`following`,
the same code decides over symbols, and what depends on numbers that may change stands in the text as a field
(:mod:`minipaddle.tools.words.fields`) with the number of the instruction that computes it:

- ``when``: the line is said if that is true; ``count``: a number in a sentence;
- ``put``: a formula with the numbers of its largest element (the formula, its value, parts with a line of their own);
- ``holds``: the line is true if a formula gives its value, and else is told of the recorded numbers only;
- ``gives``, ``lacks``: the line is said if a formula gives its value, or if it does not;
- ``recorded``: the line is told of the recorded numbers only;
- ``share``, ``left`` and ``cancels``: of terms and their sum, in the numbers of values.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.symbols.mode import Call
from minipaddle.tools.explain.symbols.page_program.instructions import Formulas
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.tree import Leaf, Tree, Undecided, each, undecided
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.fields import field
from minipaddle.tools.words.language import say, spoken


class Follower:
    """What follows numbers.

    Args:
        place: returns the instruction that computes a value, by its id; None for a value that stays as it is.
    """

    def __init__(self, place: Callable[[int], int | None]) -> None:
        self.place = place
        self.formulas = Formulas()

    def leaf(self, value: Value, name: str) -> Leaf | None:
        """Return a leaf for a value that may be another; None for one that stays."""
        at = self.place(value.id)
        return None if at is None or value.array is None else self.formulas.leaf(name, value.array, at)

    def of(self, value: Value) -> int | None:
        """Return the number of the formula that is a value alone; None if it stays or was not kept."""
        if value.array is None or value.array.dtype.kind not in "biuf":
            return None
        return self.formulas.place(self.leaf(value, "") or Leaf("", value.array))


_follower: ContextVar[Follower | None] = ContextVar("follower", default=None)


@contextmanager
def following(follower: Follower) -> Iterator[None]:
    """Within the ``with`` block, answers have fields where their numbers may be others."""
    token = _follower.set(follower)
    try:
        yield
    finally:
        _follower.reset(token)


def leaf_of(value: Value, name: str, array: Array) -> Leaf:
    """Return the leaf of a formula that stands for a value, whose numbers are `array` in the recording."""
    follower = _follower.get()
    return (follower and follower.leaf(value, name)) or Leaf(name, array)


def numbers_of(value: Value) -> Any:
    """Return the numbers of a value: an array, or a symbol of what may be others; None if they were not kept."""
    follower = _follower.get()
    leaf = follower and follower.leaf(value, value.name)
    return Symbol(leaf) if leaf else value.array


def follows(*values: Value) -> bool:
    """Return whether any of the values may be others."""
    follower = _follower.get()
    return follower is not None and any(follower.place(value.id) is not None for value in values)


def tell(sentences: Iterable[Claim]) -> list[str]:
    """Return those sentences that are true, in the reader's language."""
    try:
        with undecided() if _follower.get() else nullcontext():
            found = list(sentences)
    except Undecided:  # it asks for numbers, so nobody else can ask for others
        return [told_of_recorded(say("one sentence"))]
    return [text for one in found if (text := _told(one))]


def told_of_recorded(what: str) -> str:
    """Return the line that says of `what` that it is told of the recorded numbers only."""
    return f"{field('recorded', 0)}{what}"


def _told(one: Claim) -> str:
    follower, is_settled = _follower.get(), not isinstance(one.when, Symbol)
    if is_settled and not one.when:
        return ""
    if follower is None:
        return spoken(one.words)
    parts = {name: _field(follower, "count", part) for name, part in one.words.parts.items()}
    when = "" if is_settled else _field(follower, "when", one.when)
    if any(part is None for part in (when, *parts.values())):
        return told_of_recorded(say("one sentence"))
    return f"{when}{say(one.words.sentence, **parts)}"


def _field(follower: Follower, how: str, part: Any) -> Any:
    """Return a part of a sentence, as a field if it may change; None if no page can compute it."""
    if not isinstance(part, Symbol):
        return part
    at = follower.formulas.place(part.tree)
    return None if at is None else field(how, at)


def rule_of(lines: list[str], tree: Tree, value: Value) -> list[str]:
    """Return the lines of a formula; those of one that may be false of other numbers say so then."""
    follower = _follower.get()
    if follower is None or not (tree.open or follows(value)):
        return lines
    root, at = follower.formulas.place(tree), follower.of(value)
    if root is None or at is None:
        return [told_of_recorded(line) for line in lines]
    return lines if root == at else [f"{field('holds', root, at)}{line}" for line in lines]


def either(tree: Tree, value: Value) -> tuple[str, str] | None:
    """Return what begins lines that are said where a formula gives its value, and where not; None if it is known."""
    follower = _follower.get()
    if follower is None or not tree.open or isinstance(tree, Call):
        return None
    root, at = follower.formulas.place(tree), follower.of(value)
    return None if root is None or at is None else (field("gives", root, at), field("lacks", root, at))


def line_of(name: str, tree: Tree, value: Value, named: Container[Tree]) -> list[str] | None:
    """Return the line of a formula with numbers put in as a field; None if nothing in it may be another number."""
    follower = _follower.get()
    if follower is None or not (tree.open or follows(value)):
        return None
    if isinstance(tree, Call):
        return []
    parts = [part for part in each(tree) if part in named and part is not tree]
    ids = [follower.formulas.place(tree), follower.of(value), *map(follower.formulas.place, parts)]
    found = [id_ for id_ in ids if id_ is not None]
    return [f"{name}{field('put', *found)}" if len(found) == len(ids) else told_of_recorded(name)]


def shares_in(words: Sequence[str], terms: Sequence[Value], total: Value) -> list[str]:
    """Return a line for each term of a sum, the last one first: which part of it that is."""
    ids = [value.id for value in (*terms, total)]
    lines = [f"{field('share', place, *ids)}  {said}" for place, said in enumerate(words)]
    return lines[::-1]


def cancelling(terms: Sequence[Value], total: Value) -> str:
    """Return the sentence that terms cancel, as a field."""
    ids = [value.id for value in (*terms, total)]
    left = say("the terms cancel: of their norms together {left} is left", left=field("left", *ids))
    return f"{field('cancels', *ids)}{left}"
