"""paddle.cuda: GPUs by the names of another library; there are none here.

Most of it is :mod:`paddle.device` by other names
(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cuda/Overview_en.html).
"""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.later import front
from minipaddle.paddle.device.absent import absent
from minipaddle.paddle.device.tensors import __all__ as tensors
from minipaddle.paddle.framework.settings import set_device as set_any_device

__all__ = ["CudaError", "check_error", "cudart", "is_initialized", "mem_get_info", "set_device", "stream"]
__getattr__ = front(
    globals(),
    {
        "device": f"""Event Stream StreamContext amp current_device current_stream device device_count empty_cache
        get_device_capability get_device_name get_device_properties get_rng_state get_stream_from_external ipc_collect
        is_available is_bf16_supported is_current_stream_capturing manual_seed manual_seed_all max_memory_allocated
        max_memory_reserved memory_allocated memory_reserved nvtx reset_max_memory_allocated reset_max_memory_reserved
        reset_peak_memory_stats set_rng_state set_stream synchronize {" ".join(tensors)}"""
    },
    "minipaddle.paddle",
)

cudart = absent("paddle.cuda.cudart", support="GPU")
check_error = absent("paddle.cuda.check_error", support="GPU")


class CudaError(RuntimeError):
    """An error that a GPU reported: nothing raises it here."""


def is_initialized() -> bool:
    """Return False: there is no GPU."""
    return False


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Raise: there is no GPU.

    Raises:
        ValueError: **Expected a cuda device**: always.
    """
    raise ValueError(f"Expected a cuda device, but got: {device or 'Place(cpu)'}")


def set_device(device: Any) -> None:
    """Accept "cpu".

    Raises:
        ValueError: for anything else: there is no other device.
    """
    if not isinstance(device, str):
        raise ValueError(
            "Paddle-CPU is not supported. Please use PaddlePaddle with CUDA, XPU or Custom Device"
        )
    set_any_device(device)


def stream(stream: Any) -> Any:
    """Return a ``with`` block that uses a stream: None, the CPU has no streams."""
    return __getattr__("StreamContext")(stream)
