"""Sentences about a gradient rule: lessons, sums over axes, unchanged gradients, zeroed elements.

Two arrays that are equal here, or zero at the same place, may be so by chance: zeros are flipped into zeros. A
sentence about a rule must be true for gradients without zeros or equal numbers, so the rule is run on such again.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from operator import and_
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.ops.definition.lesson import Claim, lesson_of
from minipaddle.tools.explain.formula import numbers_of
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import index_text
from minipaddle.tools.explain.symbols.tree import Apply, Cast, Matmul, Reduce, Tree
from minipaddle.tools.explain.symbols.views import Scatter
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.replay import Missing, Replay
from minipaddle.tools.words.numbers import shape_text

REAL = ("float16", "float32", "float64")


def anything(value: Value) -> Array:
    """Return stand-in numbers for a value: random, but the same in every run, never zero, no two of equal size."""
    chance = np.random.default_rng(value.id)
    size = max(value.stats.size, 1)
    found = (1 + chance.permutation(value.stats.size) / size) * chance.choice([-1.0, 1.0], value.stats.size)
    return np.asarray(found.reshape(value.shape), np.dtype(value.dtype))


def sent_back(trace: Trace, event: Event, made: Value, others: Mapping[int, Array]) -> Array | None:
    """Return the new numbers of `made` if some inputs of its event have the numbers `others`; None if unknown.

    Incoming gradients that are not in `others` are zero.
    """

    def numbers(id_: int) -> Array:
        value = trace.values[id_]
        if id_ in others:
            return others[id_]
        if id_ in event.inputs:
            return np.zeros(value.shape, value.dtype)
        if value.array is None:
            raise Missing(value.name)
        return value.array

    try:
        found = Replay(trace).outputs(event, numbers)[event.outputs.index(made.id)]
    except Missing:
        return None
    return None if found is None else np.asarray(found)


class Elsewhere:
    """A gradient rule on other numbers than those `coming`: `run` returns its result for them, None if unknown."""

    def __init__(self, coming: Sequence[Value], run: Callable[[Mapping[int, Array]], Any]) -> None:
        self._coming, self._run = coming, run

    @cached_property
    def _came(self) -> dict[int, Array]:
        return {value.id: anything(value) for value in self._coming}

    @cached_property
    def _given(self) -> Any:
        """The result: an array, or a symbol if saved tensors may change."""
        return self._run(self._came) if all(value.dtype in REAL for value in self._coming) else None

    @property
    def hands_on(self) -> Any:
        """Whether the rule passes an incoming gradient on unchanged, for any numbers."""
        given = self._given
        if given is None:
            return np.False_
        alike = [(one == given).all() for one in self._came.values() if one.shape == given.shape]
        return ~reduce(and_, [~one for one in alike], np.True_)

    def is_zero(self, shape: tuple[int, ...]) -> Any:
        """Return the mask of elements where the rule gives zero for any incoming gradient."""
        return np.zeros(shape, bool) if self._given is None else self._given == 0


_FACTORS = frozenset(("multiply", "divide", "power"))
"""Functions that multiply a gradient by another number: where that is 1, the gradient is unchanged by chance."""


def sentences_of(
    trace: Trace,
    forward: Event,
    coming: Sequence[Value],
    made: Value,
    of: Value | None,
    tree: Tree | None,
    elsewhere: Elsewhere,
) -> Iterator[Claim]:
    """Yield sentences about a rule; if there are no others, the one on the chain rule."""
    if not coming or of is None:
        return
    if isinstance(tree, Scatter):
        index = index_text(tree.index.key)
        yield Claim(
            "what came in goes to the elements [{index}] that were read; the others get zero", index=index
        )
        return
    said = [*_lesson(trace, forward, coming[0]), *_of_numbers(forward, coming[0], made, of, tree, elsewhere)]
    yield from said
    yield Claim(
        "chain rule: how {op} changes with {name}, times {gradient}",
        reduce(and_, [~one.when for one in said], np.True_),
        op=forward.title,
        name=of.name,
        gradient=coming[0].name,
    )


def _of_numbers(
    forward: Event, coming: Value, made: Value, of: Value, tree: Tree | None, elsewhere: Elsewhere
) -> Iterator[Claim]:
    """Yield sentences about shapes and numbers: sums over axes, unchanged gradients, zeroed elements."""
    parts = [] if tree is None else list(tree.each())
    summed = any(isinstance(part, Reduce) and part.kind == "sum" for part in parts)
    if summed and (axes := _stretched(of.shape, coming.shape)):
        yield Claim(
            "{name} {shape} was broadcast to {wide}, so its gradient is summed over axis {axes} (unbroadcast)",
            name=of.name, shape=shape_text(of), wide=shape_text(coming), axes=", ".join(map(str, axes)),
        )  # fmt: skip
    arrived, going = numbers_of(coming), numbers_of(made)
    if arrived is None or going is None or arrived.shape != going.shape:
        return
    same = (arrived == going).all()
    if not any(map(_is_product, parts)) and (isinstance(same, Symbol) or same):
        yield Claim(
            "{op} passes the gradient on to {name} as it is",
            same & elsewhere.hands_on,
            op=forward.title,
            name=of.name,
        )
    if not summed and not any(isinstance(part, Matmul) for part in parts):  # element by element
        yield from _about_zeros(forward, (going == 0) & (arrived != 0) & elsewhere.is_zero(going.shape), of)


def _is_product(part: Tree) -> bool:
    """Return whether a part of a formula multiplies by more than a mask."""
    if not isinstance(part, Apply) or part.name not in _FACTORS:
        return isinstance(part, Matmul)
    inner = [one.parts[0] if isinstance(one, Cast) else one for one in part.parts]
    return all(one.dtype.kind != "b" for one in inner)


def _lesson(trace: Trace, forward: Event, coming: Value) -> Iterator[Claim]:
    """Yield the operator's own lesson on the gradient `coming` of the call `forward`."""
    op = TABLE[forward.op]
    lesson = lesson_of(op)
    if lesson is None:
        return
    outputs = zip(op.output_names, map(trace.value, forward.outputs))
    inputs = zip(op.input_names, map(trace.value, forward.inputs))
    known = {**op.defaults, **forward.attrs, **dict(outputs), **dict(inputs)}
    _, *wanted = inspect.signature(lesson).parameters
    yield from lesson(_seen(coming), *[_seen(known[name]) for name in wanted])


def _seen(known: Any) -> Any:
    """Return an argument for a lesson; a value with symbols for the numbers that may change."""
    return replace(known, kept=numbers_of(known)) if isinstance(known, Value) else known


def _stretched(small: Shape, large: Shape) -> list[int]:
    """Return the axes of `large` along which an array of shape `small` was repeated; [] if it was not."""
    extra = len(large) - len(small)
    padded = (*[-1] * extra, *small)
    fits = extra >= 0 and all(one in (-1, 1, size) for one, size in zip(padded, large))
    return [axis for axis, size in enumerate(large) if fits and padded[axis] != size]


def _about_zeros(forward: Event, died: Any, of: Value) -> Iterator[Claim]:
    """Yield how many elements of the gradient became zero here, and why."""
    count, flat, entered = np.sum(died, dtype=np.int64), np.False_, numbers_of(of)
    some = {"count": count, "size": died.size, "name": of.name, "op": forward.title}
    if forward.op == "relu" and entered is not None:
        flat = np.sum(died & (entered > 0), dtype=np.int64) == 0
        yield Claim(
            "{count} of {size} elements became zero: there {name} was not positive, and relu is flat",
            (count > 0) & flat,
            **some,
        )
    yield Claim(
        "{count} of {size} elements became zero: there, {op} does not change with {name}",
        (count > 0) & ~flat,
        **some,
    )
