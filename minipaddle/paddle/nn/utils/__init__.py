"""Weights that are normalised before each call (``paddle.nn.utils``)."""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(), {"spectral_norm_hook": "spectral_norm", "weight_norm_hook": "remove_weight_norm weight_norm"}
)
