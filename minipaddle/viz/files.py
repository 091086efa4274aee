"""The formats of pictures, and the suffixes that stand for them."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["FORMATS", "format_of"]

FORMATS = ("svg", "png", "pdf", "dot", "mmd", "json", "html")


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that the suffix of a file name stands for, such as "svg".

    Raises:
        ValueError: if it stands for none.
    """
    suffix = Path(path).suffix
    if suffix.removeprefix(".").lower() not in FORMATS:
        raise ValueError(
            f"no picture format {suffix or 'without a suffix'}; there are: .{', .'.join(FORMATS)}"
        )
    return suffix.removeprefix(".").lower()
