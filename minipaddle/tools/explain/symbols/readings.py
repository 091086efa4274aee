"""What operators mean over symbols where their kernels do not say it: a name, or a node of the tree."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.activation.sigmoids import sigmoid, softplus
from minipaddle.ops.indexing.text import read as read_index
from minipaddle.ops.math.exponential import erf
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.simplify import apply
from minipaddle.tools.explain.symbols.symbol import Symbol, Unreadable, tree_of
from minipaddle.tools.explain.symbols.tree import Leaf
from minipaddle.tools.explain.symbols.views import Index, Scatter

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
    return (
        _softplus(x) if beta == 1 and threshold == 20 else softplus.kernel(x, beta=beta, threshold=threshold)
    )


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
    """Refuse to read a kernel that says less than its name: it always raises Unreadable."""
    raise Unreadable("shown by its name")


def _repeated(x: Symbol, shape: Sequence[int]) -> Symbol:
    extra = len(shape) - x.ndim
    sizes = [x.shape[axis - extra] if size == -1 else size for axis, size in enumerate(shape)]
    return Symbol(shape_rules.broadcast(x.tree, tuple(sizes)))


def _filled(x: Symbol, value: float = 0.0, dtype: Any = None) -> Symbol:
    return Symbol(shape_rules.filled(value, x.shape, dtype or x.dtype))


def _key_of(x: Symbol, arrays: Sequence[Any], index: str) -> tuple[Any, ...]:
    """Return the key of ``x[index]`` that a text and its arrays stand for, with trees in it.

    Raises Unreadable where Paddle's index with arrays and numbers is not NumPy's, or is too large to find out.
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
    return Symbol(shape_rules.index(x.tree, _key_of(x, arrays, index)))


def _scattered(x: Symbol, *arrays: Any, index: str, shape: Any) -> Symbol:
    """Read the opposite of ``x[index]``."""
    target = Symbol(shape_rules.filled(0.0, tuple(shape), x.dtype))
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
    "fill_constant": lambda shape, dtype, value, **options: Symbol(
        shape_rules.filled(value, tuple(shape), dtype)
    ),
    "assign_value": lambda values, **options: Symbol(Leaf("", np.asarray(values))),
    **dict.fromkeys(("fill", "fill_any_like"), _filled),
    "erf": _by_name(erf),
    "sigmoid": _by_name(sigmoid),
    "softplus": _read_softplus,
    **dict.fromkeys(("expand_v2", "expand_view"), _repeated),
}
"""Operators whose kernels are written for speed, or for numbers that no reader of a formula thinks of."""
