"""paddle.device.custom_device: devices that plug-ins bring; there are none."""

from minipaddle.paddle.device.absent import Event, Stream, all_absent
from minipaddle.paddle.device.state import get_rng_state, manual_seed, set_rng_state

_ABSENT = """current_stream empty_cache get_device_properties max_memory_allocated max_memory_reserved memory_allocated
    memory_reserved reset_max_memory_allocated reset_max_memory_reserved synchronize"""
globals().update(all_absent("paddle.device", _ABSENT, support="custom device"))

__all__ = [
    "Event", "Stream", "device_count", "get_rng_state", "manual_seed", "set_rng_state", *_ABSENT.split(),
]  # fmt: skip


def device_count() -> int:
    """Return 0."""
    return 0
