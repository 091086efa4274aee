"""What a gradient rule gives for other gradients than those that came in.

That two arrays are equal here, or that both have a zero there, may be chance: zeros are flipped into zeros. What is
said of the rule has to hold for gradients without a zero, and without two equal numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.explain.formula import Known
from minipaddle.explain.symbols.symbol import Symbol
from minipaddle.explain.symbols.tree import Leaf, Tree


class Elsewhere:
    """A rule at other `gradients`, which stand in `known` under the names of its parameters.

    `read` returns its formula there; None if it has none.
    """

    def __init__(
        self,
        read: Callable[[Mapping[str, Known]], Tree | None],
        known: Mapping[str, Known],
        gradients: list[str],
    ) -> None:
        self._read = read
        chance = np.random.default_rng(1)
        self._came: list[Array] = []
        self._known = {
            name: self._other(one, chance) if name in gradients else one for name, one in known.items()
        }

    def _other(self, one: Known, chance: np.random.Generator) -> Known:
        symbols = [
            self._by_chance(each, chance)
            for each in (one.value if isinstance(one.value, list) else [one.value])
        ]
        return Known(one.name, symbols if isinstance(one.value, list) else symbols[0], kept=False)

    def _by_chance(self, symbol: object, chance: np.random.Generator) -> object:
        """Return numbers far from zero, and from each other, in the place of a gradient that came in."""
        if (
            not isinstance(symbol, Symbol)
            or not isinstance(symbol.tree, Leaf)
            or symbol.tree.dtype.kind not in "fc"
        ):
            return symbol
        like = symbol.tree
        order = chance.permutation(like.size).reshape(like.shape)
        self._came.append((1 + order / max(like.size, 1)).astype(like.dtype))
        return Symbol(Leaf(like.name, self._came[-1]))

    @cached_property
    def given(self) -> Array | None:
        """What the rule gives there; None if that cannot be said."""
        tree = self._read(self._known)
        try:
            return None if tree is None else np.asarray(tree.value)
        except Exception:  # a rule that does what no formula can say
            return None

    @property
    def hands_on(self) -> bool:
        """Whether the rule gives a gradient that comes in as it is, whatever that is."""
        given = self.given
        return given is not None and any(
            one.shape == given.shape and np.array_equal(one, given.astype(one.dtype)) for one in self._came
        )

    def is_zero(self, shape: tuple[int, ...]) -> Array:
        """Return where the rule gives zero, whatever comes in."""
        given = self.given
        return np.zeros(shape, bool) if given is None or given.shape != shape else given == 0
