"""paddle.device: the CPU, and nothing else. What asks for another device is answered as Paddle built for the CPU does.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/device/Overview_en.html)
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from minipaddle.engine.core.later import front
from minipaddle.paddle.amp import auto_cast
from minipaddle.paddle.device import cpu, cuda, custom_device, xpu
from minipaddle.paddle.device.absent import Event, Stream, absent, all_absent
from minipaddle.paddle.device.places import IPUPlace, XPUPlace
from minipaddle.paddle.device.state import get_rng_state, manual_seed, manual_seed_all, set_rng_state
from minipaddle.paddle.framework.settings import (
    CPUPlace,
    get_device,
    is_compiled_with_cuda,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
    set_device,
)

_ABSENT = """empty_cache get_device_capability get_device_name get_device_properties get_stream_from_external
    ipc_collect max_memory_allocated max_memory_reserved memory_allocated memory_reserved reset_max_memory_allocated
    reset_max_memory_reserved reset_peak_memory_stats set_stream"""
_TENSORS = """BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor
    ShortTensor"""
globals().update(all_absent(__name__.removeprefix("minipaddle."), _ABSENT))

__all__ = [
    "Event", "IPUPlace", "Stream", "StreamContext", "XPUPlace", "amp", "cpu", "cuda",
    "current_device", "current_stream", "custom_device", "device", "device_count", "device_guard",
    "get_all_custom_device_type", "get_all_device_type", "get_available_custom_device",
    "get_available_device", "get_cudnn_version", "get_default_device", "get_device", "get_device_module",
    "get_rng_state", "is_available", "is_bf16_supported", "is_compiled_with_cinn", "is_compiled_with_cuda",
    "is_compiled_with_custom_device", "is_compiled_with_distribute", "is_compiled_with_ipu",
    "is_compiled_with_rocm", "is_compiled_with_xpu", "is_current_stream_capturing", "manual_seed",
    "manual_seed_all", "nvtx", "set_default_device", "set_device", "set_rng_state", "stream_guard",
    "synchronize", "xpu", *_ABSENT.split(),
]  # fmt: skip
__getattr__ = front(globals(), {"tensors": _TENSORS})


class amp:
    """``paddle.device.amp``: automatic precision, by the names of another library."""

    autocast = staticmethod(auto_cast)
    autocast_mode = auto_cast


class nvtx:
    """Marks for NVIDIA's profiler."""

    range_push = staticmethod(absent("paddle.device.nvtx.range_push", support="GPU"))
    range_pop = staticmethod(absent("paddle.device.nvtx.range_pop", support="GPU"))


def get_cudnn_version() -> None:
    """Return None: there is no cuDNN."""


def is_compiled_with_ipu() -> bool:
    """Return False."""
    return False


def is_compiled_with_cinn() -> bool:
    """Return False."""
    return False


def is_compiled_with_distribute() -> bool:
    """Return True, as Paddle for the CPU does: :mod:`paddle.distributed` can be asked, of one process."""
    return True


def is_compiled_with_custom_device(device_type: str) -> bool:
    """Return False, whatever the plug-in."""
    return False


def is_available() -> bool:
    """Return False: there is no device beside the CPU."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Return True, as Paddle for the CPU does."""
    return True


def is_current_stream_capturing() -> bool:
    """Return False: there is no stream."""
    return False


def device_count() -> int:
    """Return 0: the CPU is not counted."""
    return 0


def current_device() -> int:
    """Return 0."""
    return 0


def get_all_device_type() -> list[str]:
    """Return []: the CPU is not counted."""
    return []


def get_available_device() -> list[str]:
    """Return []: the CPU is not counted."""
    return []


def get_all_custom_device_type() -> list[str]:
    """Return []: there are no plug-ins."""
    return []


def get_available_custom_device() -> list[str]:
    """Return []: there are no plug-ins."""
    return []


def get_default_device() -> str:
    """Return "cpu"."""
    return "cpu"


def set_default_device(device: Any) -> None:
    """Accept the CPU.

    Raises:
        ValueError: for anything else: there is no other device.
    """
    set_device(device)


def get_device_module(device: Any = None) -> ModuleType:
    """Return the module that answers for a kind of device: that of the CPU unless a GPU or XPU is named."""
    import minipaddle.paddle.cuda as of_gpus

    kind = "cpu" if device is None or isinstance(device, CPUPlace) else str(device).partition(":")[0]
    if kind not in ("cpu", "gpu", "cuda", "dcu", "xpu"):
        raise RuntimeError(f"Unsupported device type: {kind}")
    modules: dict[str, ModuleType] = {"cpu": cpu, "xpu": xpu}
    return modules.get(kind, of_gpus)


def current_stream(device: Any = None) -> None:
    """Raise: the CPU has no streams.

    Raises:
        TypeError: **device should be gpu, xpu**: always.
    """
    raise TypeError(
        f"device should be gpu, xpu, but received {device or get_device()!r}: the CPU has no streams"
    )


def synchronize(device: Any = None) -> None:
    """Raise: the CPU has no streams; what was called is done.

    Raises:
        TypeError: **device should be gpu, xpu**: always.
    """
    current_stream(device)


class device:
    """Compute on a device inside a ``with`` block: on the CPU, there is no other.

    Raises:
        ValueError: for another device.
    """

    def __init__(self, device: Any = None) -> None:
        set_device(device)

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *exc_info: object) -> None:
        """End."""


device_guard = device


class stream_guard:
    """Use a stream inside a ``with`` block: None, the CPU has no streams."""

    def __init__(self, stream: Stream | None = None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *exc_info: object) -> None:
        """End."""


StreamContext = stream_guard
