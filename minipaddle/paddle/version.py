"""paddle.version: the release of Paddle that is followed, for scripts that ask before they use something.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/version/Overview_en.html)
"""

from __future__ import annotations

__all__ = [
    "cinn", "cuda", "cuda_archs", "cudnn", "full_version", "hip", "major", "minor", "mkl", "nccl", "patch",
    "rc", "show", "tensorrt", "xpu", "xpu_xccl", "xpu_xhpc", "xpu_xre",
]  # fmt: skip

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"
commit = "7688495538f4d6c1893f084dd238a402e8f68ab6"
is_tagged = True
cuda_version = cudnn_version = cinn_version = "False"
xpu_xre_version = xpu_xccl_version = xpu_xhpc_version = "False"
nccl_version, tensorrt_version = "0", "None"
hip_version: str | None = None
with_mkl = "OFF"


def cuda() -> str:
    """Return "False": there is no CUDA."""
    return cuda_version


def cudnn() -> str:
    """Return "False": there is no cuDNN."""
    return cudnn_version


def cuda_archs() -> list[int]:
    """Return []: code is compiled for no GPU."""
    return []


def nccl() -> str:
    """Return "0": there is no NCCL."""
    return nccl_version


def hip() -> str | None:
    """Return None: there is no HIP."""
    return hip_version


def cinn() -> str:
    """Return "False": there is no CINN."""
    return cinn_version


def tensorrt() -> str:
    """Return "None": there is no TensorRT."""
    return tensorrt_version


def xpu() -> str:
    """Return "False": there is no XPU."""
    return xpu_xre_version


def xpu_xre() -> str:
    """Return "False": there is no XPU."""
    return xpu_xre_version


def xpu_xccl() -> str:
    """Return "False": there is no XPU."""
    return xpu_xccl_version


def xpu_xhpc() -> str:
    """Return "False": there is no XPU."""
    return xpu_xhpc_version


def mkl() -> str:
    """Return "OFF": NumPy computes, whatever it was built with."""
    return with_mkl


def show() -> None:
    """Print the release that is followed, part by part, and what it was built with: nothing."""
    import sys

    parts = {"full_version": full_version, "major": major, "minor": minor, "patch": patch, "rc": rc}
    built = {"cuda": cuda(), "cudnn": cudnn(), "hip": hip_version, "nccl": nccl(), "xpu_xre": xpu_xre()}
    built |= {"xpu_xccl": xpu_xccl(), "xpu_xhpc": xpu_xhpc(), "cinn": cinn()}
    built |= {"tensorrt_version": tensorrt(), "cuda_archs": str(cuda_archs())}
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in (parts | built).items())
