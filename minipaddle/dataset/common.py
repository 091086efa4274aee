"""Where files that Paddle would download are looked for: in the folders where Paddle keeps them."""

from __future__ import annotations

import os


def home(folder: str) -> str:
    """Return the path of a `folder` of Paddle's downloads, whether it is there or not."""
    return os.path.join(os.path.expanduser("~/.cache/paddle"), folder)


DATA_HOME = home("dataset")


def fetched(url: str, folder: str) -> str:
    """Return the path of the file at `url`, which has to be in `folder` already.

    Raises:
        RuntimeError: **downloads nothing**, if it is not there.
    """
    path = os.path.join(folder, url.rpartition("/")[2])
    if not os.path.exists(path):
        raise RuntimeError(
            f"minipaddle downloads nothing: fetch {url} by other means and put the file at {path}"
        )
    return path
