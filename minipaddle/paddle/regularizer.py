"""Weight decay as a term of the gradient: L2Decay proportional to the weight, L1Decay of a fixed size."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import guard_all
from minipaddle.ops.inplace import apply_over
from minipaddle.ops.linalg.product import sum_op
from minipaddle.ops.math.rounding import sign
from minipaddle.ops.math.scale import scale

__all__ = ["L1Decay", "L2Decay", "WeightDecayRegularizer"]


class WeightDecayRegularizer:
    """Base of both decays."""

    def __init__(self, coeff: float = 0.0) -> None:
        self._coeff = float(coeff)

    @property
    def coeff(self) -> float:
        """The factor of the penalty."""
        return self._coeff

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"

    def add_to(self, grad: Any, parameter: Any) -> Any:
        """Return `grad` plus the gradient of the penalty. Works on Variables too."""
        return apply_over(sum_op, (grad, self.term(parameter)))

    def term(self, parameter: Any) -> Any:
        """Return the gradient of the penalty."""
        raise NotImplementedError


class L2Decay(WeightDecayRegularizer):
    """Penalty ``coeff / 2 * sum(p * p)``."""

    def term(self, parameter: Any) -> Any:
        """Return ``coeff * p``."""
        return scale(parameter, self._coeff)


class L1Decay(WeightDecayRegularizer):
    """Penalty ``coeff * sum(abs(p))``."""

    def term(self, parameter: Any) -> Any:
        """Return ``coeff * sign(p)``."""
        return scale(sign(parameter), self._coeff)


guard_all(globals())
