"""What needs a device that is not here: functions and classes that say so, as Paddle built for the CPU does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

_STREAM_OF = {"gpu": "CUDA", "xpu": "XPU"}


def absent(api: str, *, build: str = "CPU", support: str = "GPU or XPU") -> Callable[..., NoReturn]:
    """Return a function that raises: **The API ... is not supported in CPU PaddlePaddle**.

    Args:
        api: its full name, as Paddle has it.
        build: what the PaddlePaddle that lacks it is called.
        support: what would be needed.
    """
    name = api.rpartition(".")[2]

    def function(*args: object, **kwargs: object) -> NoReturn:
        raise ValueError(
            f"The API {api} is not supported in {build} PaddlePaddle. "
            f"Please reinstall PaddlePaddle with {support} support to call this API."
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Raise ValueError: `{name}` needs {support} support, which is not here."
    return function


def all_absent(package: str, names: str, **told: str) -> dict[str, Callable[..., NoReturn]]:
    """Return :func:`absent` for each of some names in a row, which are functions of one package."""
    return {name: absent(f"{package}.{name}", **told) for name in names.split()}


class _OfADevice:
    """What can be made on a device only.

    Raises:
        RuntimeError: **(Unavailable) Class ... can only be initialized on the ... platform**.
    """

    _class, _platform = "Stream", "GPU"

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError(
            f"(Unavailable) Class {self._class} can only be initialized on the {self._platform} platform."
        )


class Stream(_OfADevice):
    """A queue of work of a GPU: none can be made here."""

    _class = "CUDAStream"


class Event(_OfADevice):
    """A mark in a queue of work of a GPU: none can be made here."""

    _class = "CUDAEvent"


class XPUStream(_OfADevice):
    """A queue of work of an XPU: none can be made here."""

    _class, _platform = "XPUStream", "XPU"


class XPUEvent(_OfADevice):
    """A mark in a queue of work of an XPU: none can be made here."""

    _class, _platform = "XPUEvent", "XPU"
