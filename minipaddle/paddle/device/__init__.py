"""paddle.device: the CPU, and nothing else. What asks for another device is answered as Paddle built for the CPU does.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/device/Overview_en.html)
"""

from __future__ import annotations

from typing import Any, NoReturn

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.device import cuda
from minipaddle.paddle.framework.settings import get_device

__all__ = [
    "CUDAPinnedPlace", "CUDAPlace", "cuda", "is_available", "is_compiled_with_custom_device",
    "is_compiled_with_distribute", "synchronize",
]  # fmt: skip


class CUDAPlace:
    """A GPU: the name is here for ``isinstance``, and none can be made.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/CUDAPlace_en.html)

    Raises:
        ValueError: **use wrong place**: always.
    """

    def __new__(cls, *args: object, **kwargs: object) -> NoReturn:
        """Raise."""
        raise ValueError(
            f"(InvalidArgument) use wrong place, Please check. [Hint: {cls.__name__} needs a device that is not "
            "here; CPUPlace() is the one place there is]"
        )


class CUDAPinnedPlace:
    """Memory of the host that a GPU can reach.

    Raises:
        RuntimeError: **Cannot use CUDAPinnedPlace in CPU only version**: always.
    """

    def __new__(cls) -> NoReturn:
        """Raise."""
        raise RuntimeError(
            f"(PermissionDenied) Cannot use {cls.__name__} in CPU only version. [Hint: CPUPlace() is the one "
            "place there is]"
        )


def is_available() -> bool:
    """Return False: there is no device beside the CPU."""
    return False


def is_compiled_with_distribute() -> bool:
    """Return True, as Paddle for the CPU does: :mod:`paddle.distributed` can be asked, of one process."""
    return True


def is_compiled_with_custom_device(device_type: str) -> bool:
    """Return False, whatever the plug-in."""
    return False


def synchronize(device: Any = None) -> NoReturn:
    """Raise: the CPU has no streams; what was called is done.

    Raises:
        TypeError: **device should be gpu, xpu**: always.
    """
    raise TypeError(
        f"device should be gpu, xpu, but received {device or get_device()!r}: the CPU has no streams"
    )


__getattr__ = front(
    globals(),
    {
        "settings": """CPUPlace get_device is_compiled_with_cinn is_compiled_with_cuda is_compiled_with_ipu
        is_compiled_with_rocm is_compiled_with_xpu set_device"""
    },
    "minipaddle.paddle.framework",
)
