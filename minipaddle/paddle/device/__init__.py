"""paddle.device: the CPU, and nothing else. Requests for another device get the answers of a CPU build of Paddle."""

from __future__ import annotations

from typing import Any, NoReturn

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.device import cuda
from minipaddle.paddle.framework.answers import named
from minipaddle.paddle.framework.settings import get_device

__all__ = [
    "CUDAPinnedPlace", "CUDAPlace", "cuda", "is_available", "is_compiled_with_custom_device",
    "is_compiled_with_distribute", "synchronize",
]  # fmt: skip


class CUDAPlace:
    """A GPU: exists for ``isinstance``; creating one raises.

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


is_available = named("is_available", "Return False: there is no device beside the CPU.", lambda: False)
is_compiled_with_distribute = named(
    "is_compiled_with_distribute",
    "Return True, as Paddle for the CPU does: :mod:`paddle.distributed` can be asked, of one process.",
    lambda: True,
)
is_compiled_with_custom_device = named(
    "is_compiled_with_custom_device", "Return False, whatever the plug-in.", lambda device_type: False
)


def synchronize(device: Any = None) -> NoReturn:
    """Raise: the CPU has no streams; all calls have finished.

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
