"""``paddle.amp``: mixed precision as a CPU answers it, loss scaling, and the search for numbers that are none."""

from __future__ import annotations

from minipaddle.amp import debugging
from minipaddle.core.errors import guard_all
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing

_LATER = homes(
    "minipaddle.amp",
    {
        "casting": "amp_decorate amp_guard auto_cast autocast decorate get_autocast_cpu_dtype get_autocast_dtype "
        "get_autocast_gpu_dtype is_autocast_enabled",
        "grad_scaler": "AmpScaler GradScaler",
    },
)
__all__ = [
    "debugging", "is_bfloat16_supported", "is_float16_supported",
    *_LATER,
]  # fmt: skip


def is_float16_supported(device: str | None = None) -> bool:
    """Return False, as Paddle does on a CPU."""
    return False


def is_bfloat16_supported(device: str | None = None) -> bool:
    """Return True, as Paddle does on a CPU."""
    return True


guard_all(globals())
__getattr__ = later(globals(), _LATER, missing(__name__, __all__))
