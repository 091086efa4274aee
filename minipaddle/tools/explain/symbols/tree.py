"""Tree: the result of a kernel or a gradient rule, as an expression whose leaves are the values of a recording.

One tree serves every reader: :mod:`~minipaddle.tools.explain.symbols.text` prints it in the user's names,
:mod:`~minipaddle.tools.explain.symbols.element` puts numbers in, the site's reference typesets it. A tree knows its
shape and dtype at once and computes its numbers on demand (:attr:`Tree.value`).

The constructors here simplify nothing; :mod:`~minipaddle.tools.explain.symbols.shape_rules` builds the most readable
form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.words.setting import setting

Spot = tuple[Any, ...]
"""The place of an element: an index per axis."""


class Tree:
    """An expression: a shape, a dtype, its parts, and a function from their numbers to its own."""

    def __init__(
        self, shape: Shape, dtype: np.dtype[Any], parts: tuple[Tree, ...], run: Callable[..., Any]
    ) -> None:
        self.shape, self.dtype, self.parts, self.run = shape, dtype, parts, run

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @cached_property
    def open(self) -> bool:
        """Whether it depends on a changeable value (:class:`Open`)."""
        return any(part.open for part in self.parts)

    @cached_property
    def value(self) -> Any:
        """All numbers, computed from the leaves when first asked for."""
        with np.errstate(all="ignore"):
            return self.run(*[part.value for part in self.parts])

    def at(self, *spot: Any) -> Any:
        """Return the number at `spot`, one index per axis; for a slice, the numbers along that axis."""
        return np.asarray(self.value)[spot]

    def each(self, inside: Callable[[Tree], Iterable[Tree]] = attrgetter("parts")) -> Iterator[Tree]:
        """Yield the tree and its parts (or those `inside` it) once each, each part before the trees that use it."""
        seen: set[Tree] = set()

        def visit(one: Tree) -> Iterator[Tree]:
            if one not in seen:
                seen.add(one)
                for part in inside(one):
                    yield from visit(part)
                yield one

        return visit(self)

    @property
    def length(self) -> int:
        """The number of trees in it, written out: a part that is used twice counts twice."""
        found: dict[Tree, int] = {}
        for one in self.each():
            found[one] = 1 + sum(found[part] for part in one.parts)
        return found[self]


class Leaf(Tree):
    """A value of the recording, under the name that the user knows."""

    def __init__(self, name: str, array: Array) -> None:
        super().__init__(array.shape, array.dtype, (), lambda: array)
        self.name = name
        self.array = array


class Undecided(TypeError):
    """The numbers of an :class:`Open` were needed: the formula would hold for these only."""


_sealed: ContextVar[bool] = ContextVar("sealed", default=False)


def undecided() -> AbstractContextManager[None]:
    """Return a ``with`` block in which an :class:`Open` hides its numbers: results of reading hold for any numbers."""
    return setting(_sealed, True)


def is_exact() -> bool:
    """Return whether readings must hold for any numbers, infinite ones too: then 0 * x is not 0."""
    return _sealed.get()


class Open(Leaf):
    """A value that may change when the tree is computed."""

    open = True

    @property
    def value(self) -> Array:
        """The recorded numbers; not cached, since :func:`undecided` may forbid them later.

        Raises Undecided while they must not decide anything.
        """
        if _sealed.get():
            raise Undecided(self.name)
        return self.array


class Const(Tree):
    """A number: of a rule or an attribute, or one that fills a whole `shape`, such as a zero gradient.

    A Python number takes the dtype of its neighbours, as it does in NumPy.
    """

    def __init__(self, number: Any, shape: Shape = (), dtype: Any = None) -> None:
        super().__init__(
            shape, np.asarray(number).dtype if dtype is None else np.dtype(dtype), (), self._filled
        )
        self.number = number.item() if isinstance(number, (np.ndarray, np.generic)) else number
        self.weak = not shape and dtype is None

    def _filled(self) -> Any:
        """Return the number, or an array filled with it."""
        return self.number if self.weak else np.broadcast_to(np.asarray(self.number, self.dtype), self.shape)


class Apply(Tree):
    """An elementwise function, over parts that broadcast."""

    def __init__(self, function: Callable[..., Any], *parts: Tree) -> None:
        self.function = function
        self.name: str = function.__name__
        # empty arrays are enough for NumPy to tell the result's dtype
        samples = [
            part.value if isinstance(part, Const) and part.weak else np.empty(0, part.dtype) for part in parts
        ]
        shape = np.broadcast_shapes(*[part.shape for part in parts])
        super().__init__(shape, function(*samples).dtype, parts, function)


def aligned(spot: Spot, shape: Shape) -> Spot:
    """Return the place of an element in an array of `shape` that broadcasts to where it is at `spot`."""
    last = spot[len(spot) - len(shape) :]
    return tuple([0 if size == 1 else place for place, size in zip(last, shape, strict=True)])


REDUCTIONS: Mapping[str, Callable[..., Any]] = {
    "sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min, "all": np.all, "any": np.any,
}  # fmt: skip


class Reduce(Tree):
    """A reduction of the elements along some `axes`, counted from the front."""

    def __init__(
        self, kind: str, part: Tree, axes: tuple[int, ...], keepdims: bool, dtype: Any = None
    ) -> None:
        self.kind = kind
        self.axes = axes
        self.keepdims = keepdims
        self.typed = {} if dtype is None else {"dtype": dtype}
        self.reduction = REDUCTIONS[kind]
        shape = tuple([
            1 if axis in axes else size for axis, size in enumerate(part.shape) if keepdims or axis not in axes
        ])  # fmt: skip
        super().__init__(
            shape,
            part.dtype if dtype is None and kind not in ("all", "any") else np.dtype(dtype or bool),
            (part,),
            lambda whole: self.reduction(whole, axis=axes, keepdims=keepdims, **self.typed),
        )

    @property
    def count(self) -> int:
        """The number of elements that become one."""
        return math.prod([self.parts[0].shape[axis] for axis in self.axes])

    def elements(self, *spot: int) -> Array:
        """Return the flat places of the elements that become the one at `spot`."""
        part = self.parts[0]
        kept = [place for axis, place in enumerate(spot) if not (self.keepdims and axis in self.axes)]
        flat = np.moveaxis(np.arange(part.size).reshape(part.shape), self.axes, range(-len(self.axes), 0))
        return np.ravel(flat[tuple(kept)])


class Matmul(Tree):
    """The product of two matrices, vectors, or batches of matrices."""

    def __init__(self, left: Tree, right: Tree) -> None:
        rows, columns = left.shape[-2:-1], right.shape[-1:] if right.ndim > 1 else ()
        shape = (*np.broadcast_shapes(left.shape[:-2], right.shape[:-2]), *rows, *columns)
        super().__init__(shape, np.result_type(left.dtype, right.dtype), (left, right), np.matmul)

    def factors(self, *spot: int) -> tuple[Any, Any]:
        """Return the row and the column that meet at `spot`."""
        left, right = self.parts
        rest = list(spot)
        column = [slice(None), rest.pop()] if right.ndim > 1 else []
        row = [rest.pop()] if left.ndim > 1 else []
        return (
            left.at(*aligned(tuple(rest), left.shape[:-2]), *row),
            right.at(*aligned(tuple(rest), right.shape[:-2]), *column),
        )


class Cast(Tree):
    """The same numbers in another dtype."""

    def __init__(self, part: Tree, dtype: Any) -> None:
        super().__init__(
            part.shape, np.dtype(dtype), (part,), lambda whole: np.asarray(whole).astype(self.dtype)
        )
