"""Layers that draw, beside Dropout and its kin in ``common.py``."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn.functional import random as F
from minipaddle.paddle.nn.layer.kept import Kept
from minipaddle.paddle.nn.layer.layers import Layer


class Dropout3D(Kept, function=F.dropout3d, shown="p data_format"):
    """Zeroes whole channels of [N, C, D, H, W] with probability `p` while training."""


class FeatureAlphaDropout(Kept, function=F.feature_alpha_dropout, shown="p"):
    """Dropout that goes with SELU, of whole channels."""


class RReLU(Layer):
    """Leaky ReLU whose slopes below 0 are drawn from [lower, upper) while training."""

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, name: str | None = None) -> None:
        super().__init__()
        self._lower, self._upper = lower, upper

    def forward(self, x: Any) -> Any:
        """Apply it."""
        return F.rrelu(x, self._lower, self._upper, self.training)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"lower={self._lower}, upper={self._upper}, training={self.training}, dtype={self._dtype}"
