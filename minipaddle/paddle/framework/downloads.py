"""Where files that Paddle would download are looked for, and what may stand in for them.

Nothing is downloaded: a file is in the folder where Paddle keeps it (``~/.cache/paddle``), or its path is given. With
``MINIPADDLE_STAND_IN=1`` in the environment small made-up examples take the place of a data set whose file is missing,
so that a script can be tried; a warning says so.
"""

from __future__ import annotations

import os
import warnings

STAND_IN = "MINIPADDLE_STAND_IN"


def home(folder: str) -> str:
    """Return the path of a `folder` of Paddle's downloads, whether it is there or not."""
    return os.path.join(os.path.expanduser("~/.cache/paddle"), folder)


def fetched(url: str, folder: str, hint: str = "") -> str:
    """Return the path of the file at `url`, which has to be in `folder` already.

    Raises:
        RuntimeError: **downloads nothing**, if it is not there.
    """
    path = os.path.join(folder, url.rpartition("/")[2])
    if not os.path.exists(path):
        raise RuntimeError(
            f"minipaddle downloads nothing: fetch {url} by other means and put the file at {path}{hint}"
        )
    return path


def file_of(path: str | None, url: str, module_name: str, may_download: bool, argument: str) -> str | None:
    """Return the path of a data set's file: the one given, or Paddle's; None where a stand-in takes its place.

    Raises:
        AssertionError: **downloading automatically is disabled**, if neither is allowed.
        RuntimeError: **downloads nothing**, if it is not there.
    """
    if path:
        return path
    assert may_download, f"{argument} is not set and downloading automatically is disabled"
    folder = home(f"dataset/{module_name}")
    if os.environ.get(STAND_IN, "") in ("", "0") or os.path.exists(f"{folder}/{url.rpartition('/')[2]}"):
        return fetched(url, folder, f"; {STAND_IN}=1 in the environment stands in with made-up examples")
    warnings.warn(f"{module_name}: made-up examples stand in for {url} ({STAND_IN})", stacklevel=4)
    return None
