"""The name of a device, as another library has it; there is one that computes."""

from __future__ import annotations

from typing import Any, Self

from minipaddle.engine.core.errors import failure

_KINDS = ("cpu", "gpu", "cuda", "xpu")


class Device(str):
    """The text "cpu", "cuda:0" and so on, which also knows its kind and number; ``with Device("cpu"):`` computes there.

    Args:
        type: "cpu", "cuda", "cuda:1", a place, or the number of a GPU.
        index: the number, if `type` has none.

    Raises:
        ValueError: **Unsupported device type**.
        TypeError: **Unsupported type for Device**.
    """

    type: str
    index: Any  # a number, or None of the CPU

    def __new__(cls, type: Any = None, index: int | None = None) -> Self:
        """Read the kind and the number."""
        if type is None and index is not None:
            raise ValueError("Device type must be specified if index is given")
        if isinstance(type, int):
            type, index = "cuda", int(type)
        if str(type) == "Place(cpu)":
            type = "cpu"
        if not isinstance(type, str):
            raise TypeError(f"Unsupported type for Device: {type}")
        kind, _, number = type.lower().partition(":")
        if kind not in _KINDS:
            raise ValueError(f"Unsupported device type: {kind}")
        found = int(number or 0) if index is None else index
        device = super().__new__(cls, kind if kind == "cpu" else f"{kind}:{found}")
        device.type, device.index = kind, None if kind == "cpu" else found
        return device

    def __enter__(self) -> Self:
        """Compute there, which is here.

        Raises:
            ValueError: **The device should not be**, for another device than the CPU.
        """
        on_cpu(self)
        return self

    def __exit__(self, *error: object) -> None:
        """Go on as before."""


def on_cpu(device: Any) -> None:
    """Accept the CPU, or None.

    Raises:
        ValueError: **The device should not be**, for another device.
    """
    if device is not None and str(device).partition(":")[0] not in ("cpu", "Place(cpu)"):
        raise failure(
            ValueError,
            f"The device should not be {str(device)!r}, since PaddlePaddle is not compiled with CUDA.",
            "minipaddle computes on the CPU only: device='cpu'",
        )
