"""Reads a kernel or a gradient rule over symbols: runs it once in a mode where operators return trees.

Branches on shapes, attributes and values go as in the recorded call, whose numbers they see. An operator whose
kernel cannot be read appears in the formula as a call by name, computed as a whole; a table has formulas for kernels
that do not show theirs.
"""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs, Meta, meta_of
from minipaddle.ops.activation.sigmoids import sigmoid, softplus
from minipaddle.ops.definition.traits import is_random
from minipaddle.ops.indexing.text import read as read_index
from minipaddle.ops.math.exponential import erf
from minipaddle.paddle.static.pytree import flat
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.explain.symbols.symbol import MORE, Symbol, Unreadable, on_symbol, tree_of
from minipaddle.tools.explain.symbols.tree import Cast, Const, Leaf, Tree
from minipaddle.tools.explain.symbols.views import Index, Scatter
from minipaddle.tools.words.setting import setting

_FEW = 1 << 20
"""Most elements of an array for which an index is evaluated to compare Paddle's rule with NumPy's: 8 MB of places."""


def _by_name(op: Operator) -> Callable[..., Symbol]:
    """Return a function that shows an elementwise operator by name, and computes it by its kernel."""

    def function(*values: Any) -> Any:
        with within(EAGER.reading):
            return op.kernel(*map(np.asarray, values))

    function.__name__ = op.name
    return lambda x: Symbol(apply(function, x.tree))


_softplus = _by_name(softplus)


def _read_softplus(x: Symbol, beta: float = 1.0, threshold: float = 20.0) -> Any:
    is_usual = beta == 1 and threshold == 20
    return _softplus(x) if is_usual else softplus.kernel(x, beta=beta, threshold=threshold)


_BY_NAME = """adaptive_pool2d adaptive_pool2d_grad gather_nd pool2d set_value softmax_with_cross_entropy_slope
    take_along_axis"""


def _shown(*inputs: Any, **attrs: Any) -> Any:
    """Raise Unreadable, for a kernel that is less clear than its operator's name."""
    raise Unreadable("shown by its name")


def _repeated(x: Symbol, shape: Sequence[int]) -> Symbol:
    extra = len(shape) - x.ndim
    sizes = [x.shape[axis - extra] if size == -1 else size for axis, size in enumerate(shape)]
    return Symbol(shape_rules.broadcast(x.tree, tuple(sizes)))


def _key_of(x: Symbol, arrays: Sequence[Any], index: str) -> tuple[Any, ...]:
    """Return the key of ``x[index]`` for an index text and its arrays, with trees in it.

    Raises Unreadable if Paddle's index with arrays and numbers differs from NumPy's, or is too large to compare.
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
    """Return the sources of the elements by Paddle's rule: first numbers and slices, then arrays."""
    reading = read_index(index)
    places = np.arange(x.size).reshape(x.shape)[reading.view]
    return places[reading.fill([np.asarray(tree_of(one).value) for one in arrays])]


def _scattered(x: Symbol, *arrays: Any, index: str, shape: Any) -> Symbol:
    """Return the symbol of the gradient of ``x[index]``: a scatter into zeros."""
    target = Symbol(Const(0.0, tuple(shape), x.dtype))
    return Symbol(Scatter(x.tree, _key_of(target, arrays, index), tuple(shape)))


def _embedding_grad(dy: Symbol, ids: Symbol, rows: int, padding_idx: int) -> Symbol:
    if np.any(ids.tree.value == padding_idx):
        raise Unreadable("a row that gets nothing")
    return Symbol(Scatter(dy.tree, (ids.tree,), (rows, *dy.shape[ids.ndim :])))


FUNCTIONS = ("sigmoid", "softplus")
"""Operators shown by name in the formulas of others, but by formula when explained themselves."""

READINGS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_BY_NAME.split(), _shown),
    **dict.fromkeys(
        ("slice", "strided_slice", "getitem"),
        lambda x, *arrays, index: Symbol(shape_rules.index(x.tree, _key_of(x, arrays, index))),
    ),
    "scatter_at": _scattered,
    "lookup_table_v2_grad_rows": _embedding_grad,
    "fill_constant": lambda shape, dtype, value, **options: Symbol(Const(value, tuple(shape), dtype)),
    "assign_value": lambda values, **options: Symbol(Leaf("", np.asarray(values))),
    **dict.fromkeys(
        ("fill", "fill_any_like"),
        lambda x, value=0.0, dtype=None: Symbol(Const(value, x.shape, dtype or x.dtype)),
    ),
    "erf": _by_name(erf),
    "sigmoid": _by_name(sigmoid),
    "softplus": _read_softplus,
    **dict.fromkeys(("expand_v2", "expand_view"), _repeated),
}
"""Formulas of operators whose kernels are written for speed, or for numbers that no reader of a formula has in mind."""


class Call(Tree):
    """The result at `place` of an operator shown by name and computed as a whole; `run` returns all its results."""

    def __init__(
        self,
        op: Operator,
        trees: list[Tree | None],
        attrs: Attrs,
        place: int,
        run: Callable[[], Any],
        like: Meta,
    ) -> None:
        fixed = len(op.input_names) - (op.list_slot is not None)
        self.arguments = (*trees[:fixed], trees[fixed:]) if op.list_slot else tuple(trees)
        """To show: trees and lists of trees."""
        self.options = {
            name: one for name, one in attrs.items() if not is_default(op.defaults.get(name), one)
        }
        """The attributes to show."""
        parts = tuple([one for one in flat((self.arguments, self.options)) if isinstance(one, Tree)])
        super().__init__(*like, parts, lambda *parts: run()[place])
        self.op, self.inputs, self.attrs, self.place, self.name = op, trees, attrs, place, op.name
        self.output = f"[{place}]" if op.multiple else ""
        """The index of one of several results: ``[0]``."""


def called(op: Operator, inputs: Sequence[Any], attrs: Attrs) -> Any:
    """Return symbols for the outputs of `op`, written as a call that leaves out default attributes."""
    trees = [None if one is None else tree_of(one) for one in inputs]

    @cache
    def run() -> Any:
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = op.run(
                *[None if tree is None else np.asarray(tree.value, tree.dtype) for tree in trees], **attrs
            )
        return made if op.multiple else [made]

    metas = enumerate(_metas(op, trees, attrs, run))
    made = [Symbol(Call(op, trees, attrs, place, run, meta)) for place, meta in metas]
    return made if op.list_output else tuple(made) if op.multiple else made[0]


def is_default(default: Any, value: Any) -> bool:
    """Return whether an attribute has its default value."""
    return type(default) is type(value) and not isinstance(value, np.ndarray) and bool(default == value)


def _metas(op: Operator, trees: Sequence[Tree | None], attrs: Attrs, run: Callable[[], Any]) -> list[Meta]:
    """Return the Metas of the outputs: by the shape rule, or by running the kernel if shapes depend on numbers."""
    known = op.infer_metas([None if tree is None else Meta(tree.shape, tree.dtype) for tree in trees], attrs)
    found = list(known) if op.multiple else [known]
    depends = any(-1 in meta.shape for meta in found)
    return [meta_of(np.asarray(one)) for one in run()] if depends else found


class Read(NamedTuple):
    """The result of a function over symbols, and its variable names by tree."""

    answer: Any
    """A symbol, a list or tuple of them, or None."""
    names: Mapping[Tree, str]


def read(function: Callable[..., Any], *arguments: Any, **attrs: Any) -> Read:
    """Return the result of ``function(*arguments, **attrs)`` over symbols.

    Raises Unreadable if no formula can express it.
    """
    frames: dict[int, FrameType] = {}
    file = inspect.unwrap(function).__code__.co_filename

    def note() -> None:
        """Store the frames in which a symbol is made: those of the function, and of helpers in its file."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not read.__code__:
            if frame.f_code.co_filename == file:
                frames.setdefault(id(frame), frame)
            frame = frame.f_back

    with setting(on_symbol, note), within(Reading(EAGER.reading)):
        answer = function(*arguments, **attrs)
    names: dict[Tree, str] = {}
    for frame in frames.values():
        for name in frame.f_code.co_varnames[frame.f_code.co_argcount :]:
            local = frame.f_locals.get(name)
            if isinstance(local, Symbol) and not isinstance(local.tree, (Leaf, Const)):
                is_mask = isinstance(local.tree, Cast) and local.tree.parts[0].dtype.kind == "b"
                names.setdefault(local.tree.parts[0] if is_mask else local.tree, name)  # its condition
    return Read(answer, names)


def read_operator(op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Read:
    """Return the result of `op` over symbols: by its kernel, or as a call by name if there is no formula."""
    inputs = tuple([one.copy() if isinstance(one, Symbol) else one for one in inputs])  # optimizers write
    more = MORE.get().get(op.type)
    beside = None if op.type in FUNCTIONS else READINGS.get(op.type)
    with suppress(Exception):  # of a kernel that does something no formula expresses
        if more or not is_random(op):
            found = read(more or beside or op.kernel, *inputs, **attrs)
            if all(isinstance(one, Symbol) for one in (found.answer if op.multiple else [found.answer])):
                return found
    return Read(called(op, inputs, attrs), {})


class Reading(Around):
    """The mode in which operators run their kernels over symbols."""

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return symbols for the outputs of `op`."""
        if not any(isinstance(one, Symbol) for one in inputs):
            return self.inner.apply(op, inputs, attrs)
        with suppress(Exception):  # of a kernel that does something no formula expresses
            found = (MORE.get().get(op.type) or READINGS.get(op.type, op.run))(*inputs, **attrs)
            if all(isinstance(one, Symbol) for one in (found if op.multiple else [found])):
                return found
        return called(op, inputs, attrs)
