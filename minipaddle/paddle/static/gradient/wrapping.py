"""An optimizer of Programs around another: it does as that one does, and what a subclass does besides.

For ``static.amp`` (another Program, a scaled loss) and ``incubate.optimizer`` (merged gradients, recomputation).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.paddle.static.gradient.minimize import Pair
from minipaddle.paddle.static.program import Operator, Variable, program_guard


class WrappingOptimizer:
    """An optimizer that hands on to `optimizer`, step by step; ``minimize`` is made of these steps."""

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer

    def backward(
        self,
        loss: Variable,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> list[Pair]:
        """Append the gradients; return pairs of parameter and gradient."""
        found: list[Pair] = self._optimizer.backward(
            loss, startup_program, parameter_list, no_grad_set, callbacks
        )
        return found

    def apply_gradients(self, params_grads: Sequence[Pair]) -> list[Operator]:
        """Append the updates."""
        found: list[Operator] = self._optimizer.apply_gradients(params_grads)
        return found

    def apply_optimize(
        self, loss: Variable, startup_program: Any, params_grads: Sequence[Pair]
    ) -> list[Operator]:
        """Append the updates to the Program of `loss`."""
        with program_guard(loss.block.program, startup_program):
            return self.apply_gradients(params_grads)

    def minimize(
        self, loss: Variable, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Operator], list[Pair]]:
        """Append gradients and updates; return these and the pairs.

        Raises:
            AssertionError: **loss** is no Variable.
        """
        assert isinstance(loss, Variable), "The loss should be an Variable."
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_optimize(loss, startup_program, pairs), pairs
