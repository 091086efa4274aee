"""paddle.device.cuda: GPUs; there are none here."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.framework.answers import named

_MEMORY = "max_memory_allocated max_memory_reserved memory_allocated memory_reserved"
__all__ = ["Event", "device_count", "empty_cache", "synchronize", *_MEMORY.split()]


class Event:
    """An event in a GPU's stream: cannot be created here.

    Raises:
        RuntimeError: **Class CUDAEvent can only be initialized on the GPU platform**: always.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError("(Unavailable) Class CUDAEvent can only be initialized on the GPU platform.")


device_count = named("device_count", "Return 0.", lambda: 0)
empty_cache = named(
    "empty_cache", "Return None, as Paddle for the CPU: a GPU has no memory here.", lambda: None
)


def synchronize(device: object = None) -> NoReturn:
    """Raise: there is no GPU.

    Raises:
        RuntimeError: **(Unavailable) Paddle is not compiled with CUDA**: always.
    """
    raise RuntimeError("(Unavailable) Paddle is not compiled with CUDA. Cannot visit device synchronize.")


def _of_memory(name: str) -> Callable[..., NoReturn]:
    """Return a function that raises: a GPU's memory cannot be queried here."""

    def function(device: object = None) -> NoReturn:
        raise ValueError(
            f"The API paddle.device.cuda.{name} is not supported in CPU-only PaddlePaddle. "
            "Please reinstall PaddlePaddle with GPU support to call this API."
        )

    return named(name, f"Raise ValueError: `{name}` needs GPU support, which is not here.", function)


globals().update({_name: _of_memory(_name) for _name in _MEMORY.split()})
__getattr__ = front(globals())
