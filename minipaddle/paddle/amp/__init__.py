"""``paddle.amp``: mixed precision as a CPU answers it, loss scaling, and the search for numbers that are none."""

from __future__ import annotations

from minipaddle.engine.core.later import front
from minipaddle.paddle.amp import debugging

__all__ = ["debugging", "is_float16_supported"]


def is_float16_supported(device: str | None = None) -> bool:
    """Return False, as Paddle does on a CPU."""
    return False


__getattr__ = front(
    globals(),
    {
        "casting": "amp_decorate amp_guard auto_cast autocast decorate get_autocast_cpu_dtype get_autocast_dtype "
        "get_autocast_gpu_dtype is_autocast_enabled",
        "grad_scaler": "AmpScaler GradScaler",
    },
)
