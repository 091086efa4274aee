"""Small switches: the seed, the default type, the place, flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minipaddle.core.dtype import default_float, set_default_float
from minipaddle.core.eager import EAGER, current
from minipaddle.core.meta import CPUPlace
from minipaddle.framework.nan_inf import check_every_operator
from minipaddle.ops.random import generator as random
from minipaddle.ops.random.engine import Engine

__all__ = [
    "CPUPlace",
    "disable_static",
    "get_default_dtype",
    "get_device",
    "get_flags",
    "get_rng_state",
    "in_dynamic_mode",
    "is_compiled_with_cuda",
    "is_compiled_with_rocm",
    "is_compiled_with_xpu",
    "seed",
    "set_default_dtype",
    "set_device",
    "set_flags",
    "set_rng_state",
]


def seed(seed: int) -> Engine:
    """Make every random number from here on the same in every run: those of real Paddle on the CPU.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/seed_en.html)

    Raises:
        TypeError: for a negative one.
    """
    value = int(seed)
    if value < 0:
        raise TypeError(f"seed(): the seed must be an integer from 0, but received {value}.")
    return random.seed(value)


def get_rng_state(device: str | None = None) -> list[Any]:
    """Return what decides the random numbers from here on, for :func:`set_rng_state`."""
    return [random.engine().state]


def set_rng_state(state_list: Sequence[Any], device: str | None = None) -> None:
    """Go on with the random numbers from where :func:`get_rng_state` was called.

    Raises:
        ValueError: **Length of state list**, unless there is one state: for the CPU.
    """
    if len(state_list) != 1:
        raise ValueError(f"Length of state list shoule be equal to 1, but received {len(state_list)}")
    random.engine().state = state_list[0]


def get_default_dtype() -> str:
    """Return the type of what is made of Python floats: "float32" unless changed."""
    return default_float().name


def set_default_dtype(d: Any) -> None:
    """Make `d` that type.

    Raises:
        TypeError: if it is no float type.
    """
    set_default_float(d)


def set_device(device: str) -> CPUPlace:
    """Accept "cpu".

    Raises:
        ValueError: for anything else: there is no other device.
    """
    if device not in ("cpu", "cpu:0"):
        raise ValueError(
            f"The device should be 'cpu', but received {device!r}: minipaddle computes on the CPU only."
        )
    return CPUPlace()


def get_device() -> str:
    """Return "cpu"."""
    return "cpu"


def is_compiled_with_cuda() -> bool:
    """Return False."""
    return False


def is_compiled_with_rocm() -> bool:
    """Return False."""
    return False


def is_compiled_with_xpu() -> bool:
    """Return False."""
    return False


def in_dynamic_mode() -> bool:
    """Return whether operators run at once, and are not appended to a Program."""
    return current.get().dynamic


def disable_static(place: Any = None) -> None:
    """Run operators at once from here on (in this thread)."""
    mode = current.get()
    if not mode.dynamic:
        current.set(mode.replaced(EAGER))


_FLAGS: dict[str, Any] = {"FLAGS_check_nan_inf": False, "FLAGS_cudnn_deterministic": False}
_flags = dict(_FLAGS)


def set_flags(flags: dict[str, Any]) -> None:
    """Store flags. ``FLAGS_check_nan_inf`` lets the first operator raise that makes a NaN or an Inf.

    Raises:
        TypeError: **flags in set_flags should be a dict**.
        ValueError: for a name that does not begin with ``FLAGS_``.
    """
    if not isinstance(flags, dict):
        raise TypeError(f"flags in set_flags should be a dict, but received {type(flags).__name__}")
    for name in flags:
        _check_flag(name)
    _flags.update(flags)
    if "FLAGS_check_nan_inf" in flags:
        check_every_operator(bool(flags["FLAGS_check_nan_inf"]))


def get_flags(flags: str | Sequence[str]) -> dict[str, Any]:
    """Return flags by name; those that were never set are None.

    Raises:
        TypeError: **Flags in get_flags should be a list, tuple or string**.
        ValueError: for a name that does not begin with ``FLAGS_``.
    """
    if not isinstance(flags, (str, list, tuple)):
        raise TypeError("Flags in get_flags should be a list, tuple or string.")
    names = [flags] if isinstance(flags, str) else flags
    for name in names:
        _check_flag(name)
    return {name: _flags.get(name) for name in names}


def _check_flag(name: Any) -> None:
    if not isinstance(name, str) or not name.startswith("FLAGS_"):
        raise ValueError(f"Flag {name} cannot set its value through this function: names begin with FLAGS_.")


@contextmanager
def as_at_the_start() -> Iterator[None]:
    """Let mode, default type, flags and random generator be those of a new process inside a ``with`` block."""
    flags, dtype, mode, generator = dict(_flags), default_float(), current.get(), random.engine()
    try:
        current.set(EAGER)
        _use_flags(_FLAGS)
        set_default_float("float32")
        random.switch(random.unforeseen())
        yield
    finally:
        random.switch(generator)
        set_default_float(dtype)
        _use_flags(flags)
        current.set(mode)


def _use_flags(flags: dict[str, Any]) -> None:
    _flags.clear()
    _flags.update(flags)
