"""LookAhead: slow weights that follow fast ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.ops.creation.assign import assign
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import ones, zeros
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.math.arithmetic import remainder
from minipaddle.ops.math.scale import increment
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.optimizer import Optimizer, Pair
from minipaddle.paddle.optimizer.param_groups import Group

_SLOW = Accumulator("slow")


class LookAhead(Optimizer):
    """Let `inner_optimizer` take `k` steps, then go back to `alpha` of the way (arXiv 1907.08610).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/LookAhead_en.html)

    Args:
        inner_optimizer: takes the fast steps.
        alpha: which part of the way of `k` fast steps the slow weights go.
        k: fast steps for a slow one.
        name: not used.

    Raises:
        AssertionError: **inner optimizer can not be None**, **alpha should be larger or equal to 0.0**, or
            **k should be a positive integer**.
    """

    def __init__(
        self, inner_optimizer: Optimizer, alpha: float = 0.5, k: int = 5, name: str | None = None
    ) -> None:
        assert inner_optimizer is not None, "inner optimizer can not be None"
        assert 0.0 <= alpha <= 1.0, "alpha should be larger or equal to 0.0, and less or equal than 1.0"
        assert k > 0 and k == int(k), "k should be a positive integer"
        super().__init__(
            float(alpha), [p for group in inner_optimizer.groups for p in group.params], name=name
        )
        self.inner_optimizer = inner_optimizer
        self.operator = inner_optimizer.operator
        self._groups = inner_optimizer.groups
        self.alpha = alpha
        self.k = k

    def update(self, group: Group, pairs: Sequence[Pair], state: Any) -> None:
        """Let the inner optimizer update, then move the slow weights where it is time."""
        self.inner_optimizer.update(group, pairs, state.of_other(self.inner_optimizer))
        step = state.number("lookahead_step", 0)
        if group is self.groups[0]:
            increment(step)
        one, zero = ones([1], "int32", name="lookahead_ones"), zeros([1], "int32", name="lookahead_zeros")
        rest = remainder(step, state.number("lookahead_k", self.k))
        first, due = cast(equal(step, one), "float32"), cast(equal(rest, zero), "float32")
        for parameter, _ in pairs:
            self._follow(parameter, state.accumulator(_SLOW, parameter, 0.0), first, due)

    def _follow(self, fast: Any, slow: Any, first: Any, due: Any) -> None:
        """Write both weights; `first` and `due` are 1 in the first step, and in every k-th, else 0."""
        assign(first * fast + (1 - first) * slow, slow)
        between = self.alpha * fast + (1.0 - self.alpha) * slow
        assign(due * between + (1 - due) * fast, fast)
        assign(due * between + (1 - due) * slow, slow)
