"""Calls: operators that stand in a formula by their names, and are computed as a whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs, Meta, Shape, meta_of
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.tree import Tree


class Made(NamedTuple):
    """A call of an operator, and which of its results is meant."""

    op: Operator
    inputs: list[Tree | None]
    attrs: Attrs
    place: int


class Call(Tree):
    """A function that is shown by its name and computed as a whole."""

    def __init__(
        self,
        name: str,
        run: Callable[[], Any],
        arguments: tuple[Any, ...],
        options: Mapping[str, Any],
        like: tuple[Shape, np.dtype[Any]],
        output: str = "",
        of: Made | None = None,
    ) -> None:
        """Take `arguments` and `options` to show: trees, lists of them, or plain values."""
        super().__init__(*like, tuple(_trees((*arguments, *options.values()))), lambda *parts: run())
        self.name = name
        self.arguments = arguments
        self.options = options
        self.output = output
        """Which of several results: ``[0]``."""
        self.of = of
        """The call itself."""


def _trees(values: tuple[Any, ...]) -> Iterator[Tree]:
    for value in values:
        if isinstance(value, Tree):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _trees(tuple(value))


def called(op: Operator, inputs: Sequence[Any], attrs: Attrs) -> Any:
    """Return symbols for the outputs of `op`, shown as a call with what was not left to its default."""
    trees = [None if one is None else tree_of(one) for one in inputs]

    @cache
    def run() -> Any:
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = op.run(
                *[None if tree is None else np.asarray(tree.value, tree.dtype) for tree in trees], **attrs
            )
        return made if op.multiple else [made]

    fixed = len(op.input_names) - (op.list_slot is not None)
    arguments = (*trees[:fixed], trees[fixed:]) if op.list_slot else tuple(trees)
    options = {name: value for name, value in attrs.items() if not is_default(op.defaults.get(name), value)}

    def output(place: int, meta: Meta) -> Symbol:
        number = f"[{place}]" if op.multiple else ""
        made = Made(op, trees, attrs, place)
        return Symbol(Call(op.name, lambda: run()[place], arguments, options, meta, number, made))

    made = [output(place, meta) for place, meta in enumerate(_metas(op, trees, attrs, run))]
    return made if op.list_output else tuple(made) if op.multiple else made[0]


def is_default(default: Any, value: Any) -> bool:
    """Say whether an attribute was left to its default."""
    return type(default) is type(value) and not isinstance(value, np.ndarray) and bool(default == value)


def _metas(op: Operator, trees: Sequence[Tree | None], attrs: Attrs, run: Callable[[], Any]) -> list[Meta]:
    """Return what the outputs look like; the shape rule knows, unless it depends on numbers."""
    known = op.infer_metas([None if tree is None else Meta(tree.shape, tree.dtype) for tree in trees], attrs)
    found = list(known) if op.multiple else [known]
    return (
        found if not any(-1 in meta.shape for meta in found) else [meta_of(np.asarray(one)) for one in run()]
    )
