"""paddle.version: the release of Paddle that is followed, for scripts that check it."""

from minipaddle import __version__

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"
minipaddle = __version__
"""The release of minipaddle."""
commit = "7688495538f4d6c1893f084dd238a402e8f68ab6"

__all__ = ["commit", "full_version", "major", "minipaddle", "minor", "patch", "rc"]
