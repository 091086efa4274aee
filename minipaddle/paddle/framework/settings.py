"""Settings: the seed, the default type, the place, flags."""

from __future__ import annotations

import random as python_random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, current
from minipaddle.engine.value.dtype import default_float, set_default_float
from minipaddle.engine.value.meta import CPUPlace
from minipaddle.ops.random import generator as random
from minipaddle.ops.random.generator import Generator
from minipaddle.ops.random.mersenne_twister import GeneratorState
from minipaddle.paddle.framework.answers import named


def seed(seed: int) -> Generator:
    """Make later random numbers the same in every run, and the same as in real Paddle on the CPU.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/seed_en.html)

    Raises:
        TypeError: for a negative one.
    """
    return Generator().manual_seed(seed)


def get_rng_state(device: str | None = None) -> list[GeneratorState]:
    """Return the state that determines later random numbers, for :func:`set_rng_state`.

    Raises:
        ValueError: for another device than the CPU.
    """
    return [Generator(device).get_state()]


def set_rng_state(state_list: Sequence[GeneratorState], device: str | None = None) -> None:
    """Go on with the random numbers from where :func:`get_rng_state` was called.

    Raises:
        ValueError: **Length of cpu state list**, unless there is one state: for the CPU.
    """
    if len(state_list) != 1:
        raise ValueError(f"Length of cpu state list should be equal to 1, but received {len(state_list)}")
    Generator(device).set_state(state_list[0])


disable_signal_handler = named(
    "disable_signal_handler", "Do nothing: signals are Python's here, no engine handles them.", lambda: None
)


def random_generators() -> list[tuple[Callable[..., Any], ...]]:
    """Return for Python's, NumPy's and Paddle's generator the functions that seed it, tell its state, and set that."""
    return [
        (python_random.seed, python_random.getstate, python_random.setstate),
        (np.random.seed, np.random.get_state, np.random.set_state),
        (seed, get_rng_state, set_rng_state),
    ]


def get_default_dtype() -> str:
    """Return the dtype that Python floats get: "float32" unless changed."""
    return default_float().name


def set_default_dtype(d: Any) -> None:
    """Make `d` the default dtype of Python floats.

    Raises:
        TypeError: if it is no float type.
    """
    set_default_float(d)


_BUILDS = {"gpu": "CUDA", "dcu": "CUDA", "xpu": "XPU"}


def set_device(device: Any) -> CPUPlace:
    """Accept the CPU: "cpu", its place, None or 0.

    Raises:
        ValueError: for anything else: there is no other device.
    """
    if device in (None, 0, "cpu", "cpu:0", CPUPlace()):
        return CPUPlace()
    said = f"must be a string which is like 'cpu', but received {device!r}"
    if build := _BUILDS.get(str(device).partition(":")[0]):
        said = f"should not be {device!r}, since PaddlePaddle is not compiled with {build}"
    raise ValueError(f"The device {said}: minipaddle computes on the CPU only.")


def get_device(input: Any = None) -> str | int:
    """Return "cpu"; for a tensor, the number of its device: -1 is the CPU."""
    return "cpu" if input is None else -1


def _not_built(what: str) -> Callable[[], bool]:
    return named(f"is_compiled_with_{what}", "Return False: Paddle was built for the CPU.", lambda: False)


is_compiled_with_cuda, is_compiled_with_rocm = _not_built("cuda"), _not_built("rocm")
is_compiled_with_xpu, is_compiled_with_ipu = _not_built("xpu"), _not_built("ipu")
is_compiled_with_cinn = _not_built("cinn")


_FLAGS: dict[str, Any] = {"FLAGS_cudnn_deterministic": False, "FLAGS_eager_delete_tensor_gb": 0.0}
_flags = dict(_FLAGS)


def set_flags(flags: dict[str, Any]) -> None:
    """Store flags.

    Raises:
        TypeError: **flags in set_flags should be a dict**.
        ValueError: for a name that does not begin with ``FLAGS_``; for **FLAGS_check_nan_inf**, if it is true.
    """
    if not isinstance(flags, dict):
        raise TypeError(f"flags in set_flags should be a dict, but received {type(flags).__name__}")
    for name in flags:
        _check_flag(name)
    flags = {name: bool(one) if type(_FLAGS.get(name)) is bool else one for name, one in flags.items()}
    if flags.get("FLAGS_check_nan_inf"):
        raise ValueError(
            "FLAGS_check_nan_inf works in PaddlePaddle; here `minipaddle nan SCRIPT` says where a NaN began."
        )
    _flags.update(flags)


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
    """Restore the mode, default type, flags and random generator of a new process, inside a ``with`` block."""
    with as_before():
        current.set(EAGER)
        _use_flags(_FLAGS)
        set_default_float("float32")
        random.switch(random.unforeseen())
        yield


@contextmanager
def as_before() -> Iterator[None]:
    """Restore mode, default type, flags and random generator at the end of a ``with`` block."""
    flags, dtype, mode, generator = dict(_flags), default_float(), current.get(), random.engine()
    state = generator.state
    try:
        yield
    finally:
        random.switch(generator)
        generator.state = state
        set_default_float(dtype)
        _use_flags(flags)
        current.set(mode)


def _use_flags(flags: dict[str, Any]) -> None:
    _flags.clear()
    _flags.update(flags)
