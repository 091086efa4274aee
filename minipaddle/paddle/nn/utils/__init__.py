"""Weights that are normalised before each call, gradients that are clipped in place (``paddle.nn.utils``)."""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "clip_grad": "clip_grad_norm_ clip_grad_value_",
        "spectral_norm_hook": "spectral_norm",
        "weight_norm_hook": "remove_weight_norm weight_norm",
    },
)
