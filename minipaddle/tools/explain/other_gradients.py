"""What a gradient rule sends back for other gradients than those that came in.

That two arrays are equal here, or that both have a zero there, may be chance: zeros are flipped into zeros. What is
said of a rule has to hold for gradients without a zero and without two equal numbers, so it is run again on such.
"""

from collections.abc import Mapping
from functools import cached_property, reduce
from operator import and_
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.tree import Tree, Undecided
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.replay import Missing, Replay

REAL = ("float16", "float32", "float64")


def anything(value: Value) -> Array:
    """Return real numbers in the place of a value, none of them zero and no two equal: the same in every run."""
    chance = np.random.default_rng(value.id)
    size = max(value.stats.size, 1)
    found = (1 + chance.permutation(value.stats.size) / size) * chance.choice([-1.0, 1.0], value.stats.size)
    return np.asarray(found.reshape(value.shape), np.dtype(value.dtype))


def sent_back(trace: Trace, event: Event, made: Value, others: Mapping[int, Array]) -> Array | None:
    """Return what an event makes in the place of `made` where some values have `others` numbers; None: nobody knows.

    Of a rule that several gradients come back to, those that are not named are zero.
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
    """The gradient rule of `event` at other gradients, which come in for all that came; `made` is what is asked of."""

    def __init__(self, trace: Trace, event: Event, made: Value) -> None:
        self._trace, self._event, self._made = trace, event, made

    @cached_property
    def _came(self) -> dict[int, Array]:
        return {value.id: anything(value) for value in self._trace.known(self._event.inputs)}

    @cached_property
    def _given(self) -> Any:
        real = all(value.dtype in REAL for value in self._trace.known(self._event.inputs))
        return sent_back(self._trace, self._event, self._made, self._came) if real else None

    @property
    def hands_on(self) -> Any:
        """Whether the rule gives a gradient that comes in as it is, whatever that is."""
        given = self._given
        if given is None:
            return np.False_
        alike = [(one == given).all() for one in self._came.values() if one.shape == given.shape]
        return ~reduce(and_, [~one for one in alike], np.True_)

    def is_zero(self, shape: tuple[int, ...]) -> Any:
        """Return where the rule gives zero, whatever comes in."""
        return np.zeros(shape, bool) if self._given is None else self._given == 0


class ReadElsewhere(Elsewhere):
    """The rule as a formula, where what forward kept may have other numbers."""

    def __init__(self, trace: Trace, event: Event, made: Value, tree: Tree | None) -> None:
        super().__init__(trace, event, made)
        self._tree = tree

    @cached_property
    def _came(self) -> dict[int, Array]:
        return {value.id: anything(value) for value in self._trace.known(self._event.inputs)}

    @property
    def _given(self) -> Any:
        if self._tree is None:
            raise Undecided(self._made.name)
        return Symbol(self._tree) if self._tree.open else np.asarray(self._tree.value)
