"""Layers that draw, beside Dropout and its kin in ``common.py``."""

from __future__ import annotations

from typing import Any

from minipaddle.nn.functional import random as F
from minipaddle.nn.layer.layers import Layer


class Dropout3D(Layer):
    """Zeroes whole channels of [N, C, D, H, W] with probability `p` while training."""

    def __init__(self, p: float = 0.5, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__()
        self.p, self.data_format = p, data_format

    def forward(self, input: Any) -> Any:
        """Drop, while training."""
        return F.dropout3d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"p={self.p}, data_format={self.data_format}"


class FeatureAlphaDropout(Layer):
    """Dropout that goes with SELU, of whole channels."""

    def __init__(self, p: float = 0.5, name: str | None = None) -> None:
        super().__init__()
        self.p = p

    def forward(self, input: Any) -> Any:
        """Drop, while training."""
        return F.feature_alpha_dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        """Return the probability."""
        return f"p={self.p}"


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
