"""The history of the lines typed at a prompt, kept between sessions, and the commands that the user wants first.

Both are for people at a terminal only; a prompt that is fed by a pipe neither reads nor writes them.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MOST = 1000


def history_file() -> Path | None:
    """Return the file of the history: ``MINIPADDLE_HISTORY`` (None if that is empty), or one in the state directory.

    That is ``minipaddle/history`` in ``$XDG_STATE_HOME`` (``~/.local/state``), on Windows in ``%LOCALAPPDATA%``.
    """
    told = os.environ.get("MINIPADDLE_HISTORY")
    if told is not None:
        return Path(told).expanduser() if told else None
    local, state = os.environ.get("LOCALAPPDATA"), os.environ.get("XDG_STATE_HOME", "")
    if os.name == "nt" and local:
        return Path(local) / "minipaddle" / "history"
    try:
        base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    except RuntimeError:  # nobody's home
        return None
    return base / "minipaddle" / "history"


@contextmanager
def lines_kept() -> Iterator[None]:
    """Keep the lines typed in a ``with`` block for the next session, where that is possible."""
    path = history_file()
    try:
        import readline
    except ImportError:  # Windows
        path = None
    if path is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield
        return
    readline.clear_history()  # the script may have asked for lines
    with suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        readline.set_history_length(_MOST)
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            readline.write_history_file(path)
            path.chmod(0o600)


def first_commands() -> list[str]:
    """Return the commands in ``.minipaddlerc`` in the home directory, such as aliases; `#` begins a remark.

    Never from the working directory: a script that somebody gave you must not bring commands along.
    """
    if not sys.stdin.isatty():
        return []
    try:
        text = (Path.home() / ".minipaddlerc").read_text(encoding="utf-8")
    except (OSError, RuntimeError, UnicodeDecodeError):
        return []
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
