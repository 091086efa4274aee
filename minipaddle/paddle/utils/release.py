"""``require_version``: is this release of Paddle new enough?"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from minipaddle.paddle.version import full_version

_FORM = r"\d+(\.\d+){0,3}"


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Check that the release of Paddle that is followed lies between two others, inclusive.

    Args:
        min_version: ``"2.0"``, up to four numbers; missing ones are 0.
        max_version: None for no limit.

    Raises:
        TypeError: **The type of ... in require_version must be str**.
        ValueError: **must be in format**.
        Exception: **VersionError**: it does not.
    """
    least, most = _numbers("min_version", min_version, str), _numbers("max_version", max_version, str | None)
    here = _padded(full_version)
    if most is not None and not least <= here <= most:
        wanted = f"in [{min_version}, {max_version}] required, but {full_version} installed."
        raise Exception(f"VersionError: PaddlePaddle version {wanted}")
    if here < least:
        wanted = f"{min_version} or higher is required, but {full_version} installed"
        advice = f"please upgrade your PaddlePaddle to {min_version} or other higher version."
        raise Exception(f"VersionError: PaddlePaddle version {wanted}, {advice}")


def _numbers(argument: str, version: Any, wanted: Any) -> Any:
    if not isinstance(version, wanted):
        said = f"must be {'str' if wanted is str else 'str or type(None)'}, but received {type(version)}"
        raise TypeError(f"The type of '{argument}' in require_version {said}.")
    if version is None:
        return None
    if not re.fullmatch(_FORM, version):
        said = f"must be in format '{_FORM}', like '1.5.2.0', but received {version}"
        raise ValueError(f"The value of '{argument}' in require_version {said}")
    return _padded(version)


def _padded(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number, _ in zip_longest(version.split("."), range(4), fillvalue="0"))
