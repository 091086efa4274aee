"""paddle.version: the release of Paddle that is followed, for scripts that ask before they use something."""

__all__ = ["cuda", "cudnn", "full_version", "major", "minor", "patch", "rc", "show"]

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"


def cuda() -> str:
    """Return "False": there is no CUDA."""
    return "False"


def cudnn() -> str:
    """Return "False": there is no cuDNN."""
    return "False"


def show() -> str:
    """Return one line about the version."""
    return f"minipaddle, which follows paddle {full_version}"
