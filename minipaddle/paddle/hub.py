"""paddle.hub: networks that a folder offers in its ``hubconf.py``; nothing is downloaded.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hub/Overview_en.html)
"""

from __future__ import annotations

import builtins
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.dataset.common import fetched, home
from minipaddle.paddle.framework.io import load as load_file

__all__ = ["help", "list", "load", "load_state_dict_from_url"]

_CONFIG = "hubconf.py"
_SOURCES = ("github", "gitee", "local")


def _entries(repo_dir: str, source: str) -> dict[str, Any]:
    """Run the ``hubconf.py`` of a folder; return what it defines.

    Raises:
        ValueError: **Unknown source**.
        RuntimeError: **downloads nothing**; **make sure config exists**; **Missing dependencies**.
    """
    if source not in _SOURCES:
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "gitee" | "local".')
    if source != "local":
        raise RuntimeError(
            f"minipaddle downloads nothing: fetch {repo_dir} from {source} by other means, and name its folder with "
            "source='local'"
        )
    path = Path(repo_dir, _CONFIG)
    if not path.is_file():
        raise RuntimeError(f"Please make sure config exists: there is no file {path}")
    names: dict[str, Any] = {"__name__": "hubconf", "__file__": str(path)}
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(path.read_bytes(), path, "exec"), names)
    finally:
        sys.path.remove(str(path.parent))
    lacking = [one for one in names.get("dependencies", ()) if find_spec(one) is None]
    if lacking:
        raise RuntimeError(f"Missing dependencies: {', '.join(lacking)}")
    return names


def _entry(repo_dir: str, model: str, source: str) -> Any:
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a str of function name")
    found = _entries(repo_dir, source).get(model)
    if not callable(found):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return found


def list(repo_dir: str, source: str = "github", force_reload: bool = False) -> builtins.list[str]:
    """Return the names of what a folder offers.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hub/list_en.html)

    Args:
        repo_dir: a folder with a ``hubconf.py``.
        source: "local".
        force_reload: accepted: it is read each time.

    Raises:
        ValueError: **Unknown source**.
        RuntimeError: **downloads nothing**; **make sure config exists**; **Missing dependencies**.
    """
    names = _entries(repo_dir, source).items()
    return [name for name, value in names if callable(value) and not name.startswith("_")]


def help(repo_dir: str, model: str, source: str = "github", force_reload: bool = False) -> str | None:
    """Return the docstring of one of the names; the arguments and errors are those of :func:`load`."""
    found: str | None = _entry(repo_dir, model, source).__doc__
    return found


def load(repo_dir: str, model: str, source: str = "github", force_reload: bool = False, **kwargs: Any) -> Any:
    """Return what one of the names makes, called with `kwargs`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hub/load_en.html)

    Args:
        repo_dir: a folder with a ``hubconf.py``, which is run.
        model: the name.
        source: "local".
        force_reload: accepted: it is read each time.
        kwargs: for the call.

    Raises:
        ValueError: **Unknown source**; **model should be a str**.
        RuntimeError: **Cannot find callable**; **downloads nothing**; **make sure config exists**.
    """
    return _entry(repo_dir, model, source)(**kwargs)


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    check_hash: bool = False,
    file_name: str | None = None,
    map_location: str | None = None,
) -> Any:
    """Return what is saved in a file that is on this machine already, by its address.

    Args:
        url: its address.
        model_dir: the folder; None: ``~/.cache/paddle/hub/weights``.
        check_hash: accepted: nothing is downloaded.
        file_name: what the file is called there; None: as in the address.
        map_location: accepted; there is only the CPU.

    Raises:
        RuntimeError: **downloads nothing**, if it is not there.
    """
    name = url if file_name is None else f"{url.rpartition('/')[0]}/{file_name}"
    return load_file(fetched(name, model_dir or home("hub/weights")))


guard_all(globals())
