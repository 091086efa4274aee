"""paddle.device.xpu: processors by Kunlunxin; there are none here."""

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.device.absent import XPUEvent as Event
from minipaddle.paddle.device.absent import XPUStream as Stream
from minipaddle.paddle.device.absent import all_absent
from minipaddle.paddle.device.state import get_rng_state, manual_seed, set_rng_state

_ABSENT = """empty_cache max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_total
    memory_used reset_max_memory_allocated reset_max_memory_reserved set_debug_level"""
globals().update(all_absent("paddle.device.xpu", _ABSENT, build="CPU-only", support="XPU"))

__all__ = [
    "Event", "Stream", "current_stream", "device_count", "get_rng_state", "manual_seed", "set_rng_state",
    "synchronize", *_ABSENT.split(),
]  # fmt: skip
__getattr__ = missing(__name__, __all__)


def device_count() -> int:
    """Return 0."""
    return 0


def current_stream(device: object = None) -> None:
    """Raise: there is no XPU.

    Raises:
        RuntimeError: **(Unavailable) Paddle is not compiled with XPU**: always.
    """
    raise RuntimeError("(Unavailable) Paddle is not compiled with XPU. Cannot visit device synchronize.")


synchronize = current_stream
