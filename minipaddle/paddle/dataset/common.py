"""Where files that Paddle would download are looked for, and what may stand in for them.

Nothing is downloaded: a file is in the folder where Paddle keeps it (``~/.cache/paddle``), or its path is given. With
``MINIPADDLE_STAND_IN=1`` in the environment small made-up examples take the place of a data set whose file is missing,
so that a script can be tried; a warning says so.
"""

from __future__ import annotations

import hashlib
import os
import warnings

STAND_IN = "MINIPADDLE_STAND_IN"


def home(folder: str) -> str:
    """Return the path of a `folder` of Paddle's downloads, whether it is there or not."""
    return os.path.join(os.path.expanduser("~/.cache/paddle"), folder)


DATA_HOME = home("dataset")


def md5file(fname: str) -> str:
    """Return the MD5 sum of a file, in hexadecimal digits."""
    with open(fname, "rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


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


def download(url: str, module_name: str, md5sum: str, save_name: str | None = None) -> str:
    """Return the path of a data set's file, which has to be there already.

    Args:
        url: where Paddle would find it.
        module_name: the folder in ``~/.cache/paddle/dataset``.
        md5sum: not looked at.
        save_name: the name of the file; by default the end of `url`.

    Raises:
        RuntimeError: **downloads nothing**, if it is not there.
    """
    return fetched(url if save_name is None else f"{url}/{save_name}", home(f"dataset/{module_name}"))


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
