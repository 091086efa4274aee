"""paddle.device.cpu: what a device can be asked, asked of the CPU."""

from minipaddle.paddle.device.absent import Event, Stream, all_absent
from minipaddle.paddle.device.state import get_rng_state, manual_seed, set_rng_state

_ABSENT = "max_memory_allocated max_memory_reserved reset_max_memory_allocated reset_max_memory_reserved"
globals().update(all_absent("paddle.device", _ABSENT))

__all__ = [
    "Event", "Stream", "device_count", "get_rng_state", "manual_seed", "set_rng_state", *_ABSENT.split(),
]  # fmt: skip


def device_count() -> int:
    """Return 0, as Paddle does: the CPU is not counted."""
    return 0
