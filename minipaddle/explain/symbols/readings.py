"""What operators mean over symbols where their kernels do not say it: a name, or a node of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Attrs, Meta, meta_of
from minipaddle.explain.symbols import moves
from minipaddle.explain.symbols.places import Index, Scatter
from minipaddle.explain.symbols.simplify import apply
from minipaddle.explain.symbols.symbol import Symbol, Unreadable, tree_of
from minipaddle.explain.symbols.tree import Call, Leaf, Tree
from minipaddle.ops.activation.sigmoids import sigmoid, softplus
from minipaddle.ops.indexing.text import read as read_index
from minipaddle.ops.math.exponential import erf

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator


_FEW = 1 << 20
"""Elements of an array of which it is found out where an index goes."""


def _by_name(op: Operator) -> Callable[..., Symbol]:
    """Show an operator of single elements by its name, computed by its kernel."""

    def function(*values: Any) -> Any:
        with within(EAGER.reading):
            return op.kernel(*map(np.asarray, values))

    function.__name__ = op.name
    return lambda x: Symbol(apply(function, x.tree))


_softplus = _by_name(softplus)


def _read_softplus(x: Symbol, beta: float = 1.0, threshold: float = 20.0) -> Any:
    return _softplus(x) if beta == 1 and threshold == 20 else softplus.kernel(x, beta, threshold)


_BY_NAME = (
    "adaptive_pool2d",
    "adaptive_pool2d_grad",
    "gather_nd",
    "pool2d",
    "set_value",
    "softmax_with_cross_entropy_slope",
    "take_along_axis",
)


def _shown(*inputs: Any, **attrs: Any) -> Any:
    """Refuse to read a kernel that says less than its name.

    Raises:
        Unreadable: always.
    """
    raise Unreadable("shown by its name")


def _repeated(x: Symbol, shape: Sequence[int]) -> Symbol:
    extra = len(shape) - x.ndim
    sizes = [x.shape[axis - extra] if size == -1 else size for axis, size in enumerate(shape)]
    return Symbol(moves.broadcast(x.tree, tuple(sizes)))


def _filled(x: Symbol, value: float = 0.0, dtype: Any = None) -> Symbol:
    return Symbol(moves.filled(value, x.shape, dtype or x.dtype))


def _key_of(x: Symbol, arrays: Sequence[Any], index: str) -> tuple[Any, ...]:
    """Return the key of ``x[index]`` that a text and its arrays stand for, with trees in it.

    Raises:
        Unreadable: where Paddle's index with arrays and numbers is not NumPy's, or is too large to find out.
    """
    rest = iter([tree_of(one) for one in arrays])
    items = index.split(", ") if index else []
    key = tuple([next(rest) if item.startswith("@") else read_index(item).view[0] for item in items])
    mixed = bool(arrays) and any(isinstance(item, int) for item in key)
    if mixed and (
        x.size > _FEW or not np.array_equal(_as_paddle(x, arrays, index), Index(x.tree, key).source)
    ):
        raise Unreadable(index)
    return key


def _as_paddle(x: Symbol, arrays: Sequence[Any], index: str) -> Any:
    """Return where the elements come from: first numbers and slices, then arrays."""
    reading = read_index(index)
    places = np.arange(x.size).reshape(x.shape)[reading.view]
    return places[reading.fill([np.asarray(tree_of(one).value) for one in arrays])]


def _picked(x: Symbol, *arrays: Any, index: str) -> Symbol:
    """Read ``x[index]``."""
    return Symbol(moves.index(x.tree, _key_of(x, arrays, index)))


def _scattered(x: Symbol, *arrays: Any, index: str, shape: Any) -> Symbol:
    """Read the opposite of ``x[index]``."""
    target = Symbol(moves.filled(0.0, tuple(shape), x.dtype))
    return Symbol(Scatter(x.tree, _key_of(target, arrays, index), tuple(shape)))


def _embedding_grad(dy: Symbol, ids: Symbol, rows: int, padding_idx: int) -> Symbol:
    if np.any(ids.tree.value == padding_idx):
        raise Unreadable("a row that gets nothing")
    return Symbol(Scatter(dy.tree, (ids.tree,), (rows, *dy.shape[ids.ndim :])))


FUNCTIONS = ("sigmoid", "softplus")
"""Operators that stand by their names in the formulas of others, and are read where they are the question."""

READINGS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_BY_NAME, _shown),
    **dict.fromkeys(("slice", "strided_slice", "getitem"), _picked),
    "scatter_at": _scattered,
    "lookup_table_v2_grad_rows": _embedding_grad,
    "fill_constant": lambda shape, dtype, value, **options: Symbol(moves.filled(value, tuple(shape), dtype)),
    "assign_value": lambda values, **options: Symbol(Leaf("", np.asarray(values))),
    **dict.fromkeys(("fill", "fill_any_like"), _filled),
    "erf": _by_name(erf),
    "sigmoid": _by_name(sigmoid),
    "softplus": _read_softplus,
    **dict.fromkeys(("expand_v2", "expand_view"), _repeated),
}
"""Operators whose kernels are written for speed, or for numbers that no reader of a formula thinks of."""


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
        return Symbol(Call(op.name, lambda: run()[place], arguments, options, meta, number))

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
