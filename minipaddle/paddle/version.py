"""paddle.version: the release of Paddle that is followed, for scripts that check it."""

from __future__ import annotations

from typing import Any

from minipaddle import __version__
from minipaddle.paddle.framework.answers import named

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"
minipaddle = __version__
"""The release of minipaddle."""
commit = "7688495538f4d6c1893f084dd238a402e8f68ab6"
is_tagged = True
cuda_version = cudnn_version = cinn_version = "False"
xpu_xre_version = xpu_xccl_version = xpu_xhpc_version = "False"
nccl_version, tensorrt_version = "0", "None"
hip_version: str | None = None
with_mkl = "OFF"

_BUILT: dict[str, Any] = {
    **dict.fromkeys(("cuda", "cudnn"), cuda_version),
    "hip": hip_version,
    "nccl": nccl_version,
    **dict.fromkeys(("xpu_xre", "xpu_xccl", "xpu_xhpc", "cinn"), cinn_version),
    "tensorrt": tensorrt_version,
    "cuda_archs": [],
}
"""Versions in Paddle's CPU build, in the order in which `show` prints them."""


def show() -> None:
    """Print the release that is followed, part by part, and the versions in a CPU build: none."""
    import sys

    parts = {"full_version": full_version, "major": major, "minor": minor, "patch": patch, "rc": rc}
    built = {"tensorrt_version" if name == "tensorrt" else name: value for name, value in _BUILT.items()}
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in (parts | built).items())


_ANSWERS = {
    name: named(
        name,
        f"Return {value!r}: NumPy computes, and Paddle for the CPU says so.",
        lambda value=value: list(value) if isinstance(value, list) else value,
    )
    for name, value in {**_BUILT, "xpu": xpu_xre_version, "mkl": with_mkl}.items()
}
globals().update(_ANSWERS)
__all__ = ["full_version", "major", "minipaddle", "minor", "patch", "rc", "show", *_ANSWERS]
