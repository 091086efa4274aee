"""CompiledProgram, strategies and places: asked for by scripts; a Program here is prepared in one way, on one place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minipaddle.core.errors import failure
from minipaddle.core.meta import CPUPlace
from minipaddle.static.program import Program


class _Strategy:
    """Takes every setting; none makes a difference."""


class BuildStrategy(_Strategy):
    """How Paddle is to fuse operators.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/BuildStrategy_en.html)
    """


class ExecutionStrategy(_Strategy):
    """How Paddle is to use threads.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/ExecutionStrategy_en.html)
    """


class CompiledProgram:
    """A Program for ``Executor.run``, with the same results.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/CompiledProgram_en.html)

    Raises:
        TypeError: **program_or_graph** is no Program.
    """

    def __init__(self, program_or_graph: Any, build_strategy: Any = None) -> None:
        if not isinstance(program_or_graph, Program):
            raise TypeError(
                "The type of program_or_graph parameter is wrong, expected Graph or Program, but received "
                f"{type(program_or_graph)}"
            )
        self._program = program_or_graph
        self.build_strategy = build_strategy or BuildStrategy()


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """Return `device_count` (by default one) times the CPU."""
    return [CPUPlace() for _ in range(1 if device_count is None else device_count)]


def cuda_places(device_ids: Sequence[int] | None = None) -> list[Any]:
    """Refuse: there is no GPU here.

    Raises:
        AssertionError: always, as a Paddle without CUDA does.
    """
    raise AssertionError("Not compiled with CUDA: minipaddle runs on the CPU only. Try cpu_places().")


def xpu_places(device_ids: Sequence[int] | None = None) -> list[Any]:
    """Refuse: there is no XPU here.

    Raises:
        AssertionError: always, as a Paddle without XPU does.
    """
    raise AssertionError("Not compiled with XPU: minipaddle runs on the CPU only. Try cpu_places().")


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Accept a device for the operators within a ``with`` block; all run on the CPU.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/device_guard_en.html)

    Raises:
        ValueError: if it is neither 'cpu' nor 'gpu'.
    """
    kind = None if device is None else device.split(":")[0]
    if kind not in (None, "", "cpu", "gpu", "npu", "xpu"):
        raise failure(ValueError, f"The Attr(device) should be 'cpu' or 'gpu', but received {device!r}.")
    yield
