"""paddle.device.cuda: GPUs; there are none here.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/device/cuda/Overview_en.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.device.absent import Event, Stream, all_absent
from minipaddle.paddle.device.state import get_rng_state, manual_seed, set_rng_state

_ABSENT = """get_device_capability get_device_name get_device_properties max_memory_allocated max_memory_reserved
    memory_allocated memory_reserved memory_summary reset_max_memory_allocated reset_max_memory_reserved vmm_compact"""
globals().update(all_absent("paddle.device.cuda", _ABSENT, build="CPU-only", support="GPU"))

__all__ = [
    "Event", "Stream", "current_stream", "device_count", "empty_cache", "get_rng_state", "manual_seed",
    "set_rng_state", "stream_guard", "synchronize", *_ABSENT.split(),
]  # fmt: skip
__getattr__ = missing(__name__, __all__)


def device_count() -> int:
    """Return 0."""
    return 0


def empty_cache() -> None:
    """Do nothing, as Paddle for the CPU: there is no memory of a GPU."""


def current_stream(device: object = None) -> NoReturn:
    """Raise: there is no GPU.

    Raises:
        RuntimeError: **(Unavailable) Paddle is not compiled with CUDA**: always.
    """
    raise RuntimeError("(Unavailable) Paddle is not compiled with CUDA. Cannot visit device synchronize.")


synchronize = current_stream


@contextmanager
def stream_guard(stream: Stream) -> Iterator[None]:
    """Raise when the ``with`` block is entered: no stream can be made here.

    Raises:
        RuntimeError: **(Unavailable) Paddle is not compiled with CUDA**: always.
    """
    current_stream()
    yield
