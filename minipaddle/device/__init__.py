"""paddle.device: the CPU, and nothing else."""

from minipaddle.framework.settings import (
    get_device,
    is_compiled_with_cuda,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
    set_device,
)
from minipaddle.names.missing import missing

__all__ = [
    "get_all_device_type",
    "get_available_device",
    "get_device",
    "is_compiled_with_cuda",
    "is_compiled_with_rocm",
    "is_compiled_with_xpu",
    "set_device",
]


def get_all_device_type() -> list[str]:
    """Return the kinds of devices there are."""
    return ["cpu"]


def get_available_device() -> list[str]:
    """Return the devices there are."""
    return ["cpu"]


__getattr__ = missing(__name__, __all__)
