"""Places that are not here: their names are, for `isinstance`, and none can be made, as in Paddle for the CPU.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/CUDAPlace_en.html)
"""

from __future__ import annotations

from typing import NoReturn


class _Elsewhere:
    """A place that needs another device than the CPU.

    Raises:
        ValueError: **use wrong place**: always.
    """

    def __new__(cls, *args: object, **kwargs: object) -> NoReturn:
        """Raise."""
        raise ValueError(
            f"(InvalidArgument) use wrong place, Please check. [Hint: {cls.__name__} needs a device that is not "
            "here; CPUPlace() is the one place there is]"
        )


class CUDAPlace(_Elsewhere):
    """A GPU."""


class XPUPlace(_Elsewhere):
    """An XPU, a processor by Kunlunxin."""


class IPUPlace(_Elsewhere):
    """An IPU, a processor by Graphcore."""


class CustomPlace(_Elsewhere):
    """A device that a plug-in brings."""


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


class XPUPinnedPlace(CUDAPinnedPlace):
    """Memory of the host that an XPU can reach."""
