"""Files that Paddle would download: where they are searched, and generated stand-ins.

Nothing is downloaded: a file is in the folder where Paddle keeps it (``~/.cache/paddle``), or its path is given. With
``MINIPADDLE_STAND_IN=1`` in the environment, small generated examples replace a data set whose file is missing,
so that a script can be tried, with a warning.
"""

from __future__ import annotations

import hashlib
import os
import tarfile
import warnings
import zipfile
from pathlib import Path
from typing import Any

STAND_IN = "MINIPADDLE_STAND_IN"


def home(folder: str) -> str:
    """Return the path of a `folder` of Paddle's downloads, whether it exists or not."""
    return os.path.join(os.path.expanduser("~/.cache/paddle"), folder)


def fetched(url: str, folder: str, hint: str = "") -> str:
    """Return the path of the file of `url`, which must be in `folder` already.

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
    """Return the path of a data set's file: the given one, or Paddle's; None if a stand-in replaces it.

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


__all__ = ["get_path_from_url", "get_weights_path_from_url"]

WEIGHTS_HOME = home("hapi/weights")


def is_url(path: str) -> bool:
    """Return whether a path is an address."""
    return path.startswith(("http://", "https://"))


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """Return the path of a file of weights, which must be in ``~/.cache/paddle/hapi/weights`` already.

    Raises:
        RuntimeError: **downloads nothing**, if it is not there.
    """
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(
    url: str,
    root_dir: str,
    md5sum: str | None = None,
    check_exist: bool = True,
    decompress: bool = True,
    method: str = "get",
) -> str:
    """Return the path of the file at `url`, which must be in `root_dir` already; for an archive, of its content.

    Args:
        url: its address.
        root_dir: a folder.
        md5sum: the checksum of the file.
        decompress: unpack a tar or zip archive next to it.

    Raises:
        AssertionError: `url` is no URL.
        RuntimeError: **downloads nothing**, if it is not there; **MD5**, if it is another file.
    """
    assert is_url(url), f"downloading from {url} not a url"
    path = fetched(url, root_dir)
    if md5sum is not None and hashlib.md5(Path(path).read_bytes()).hexdigest() != md5sum:
        raise RuntimeError(f"{path} is another file: its MD5 is not {md5sum}")
    if decompress and (tarfile.is_tarfile(path) or zipfile.is_zipfile(path)):
        return _unpacked(path)
    return path


def _unpacked(path: str) -> str:
    """Unpack an archive into its folder; return its only entry, or else the folder named like the archive."""
    folder, is_tar = os.path.dirname(path), tarfile.is_tarfile(path)
    opened: Any = tarfile.open if is_tar else zipfile.ZipFile
    with opened(path) as archive:
        tops = {name.split("/")[0] for name in (archive.getnames() if is_tar else archive.namelist())}
        place = folder if len(tops) == 1 else os.path.splitext(path)[0]
        _unpack(archive, place) if is_tar else archive.extractall(place)
    return os.path.join(folder, tops.pop()) if len(tops) == 1 else place


def _unpack(archive: tarfile.TarFile, place: str) -> None:
    """Unpack files and folders; refuse links and devices, and paths that lead out of `place`."""
    room = Path(place).resolve()
    for member in archive:
        within = (room / member.name).resolve().is_relative_to(room)
        if not within or not (member.isfile() or member.isdir()):
            raise RuntimeError(
                f"{member.name!r} in the archive is no file or folder within {place}; nothing was unpacked"
            )
    has_filter = hasattr(tarfile, "data_filter")  # since Python 3.11.4
    again: dict[str, Any] = {"filter": "data"} if has_filter else {}
    archive.extractall(place, **again)
