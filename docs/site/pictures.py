"""The pictures of the pages in Chinese: drawn by the commands that the pages themselves show, with Chinese words."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docs.site.paths import ROOT

_PAGES = ("docs/gallery/README.md", "docs/gallery/textbook.md", "docs/misconceptions/README.md")
_COMMAND = re.compile(r"^\$ minipaddle (graph .*) -o (\S+\.svg)$", re.MULTILINE)
_SIGN = Path("docs/images/sign.svg")
"""On the first page, which shows no command."""


def commands() -> dict[Path, list[str]]:
    """Return what draws each picture that can be drawn anew, by its path: words to be typed in its folder."""
    found = {_SIGN: ["graph", "sign.py"]}
    for page in map(Path, _PAGES):
        for words, name in _COMMAND.findall((ROOT / page).read_text(encoding="utf-8")):
            folder = f"{Path(name).parent}/"
            found[page.parent / name] = [word.removeprefix(folder) for word in shlex.split(words)]
    return found


def draw_in_chinese(*places: Path) -> None:
    """Draw them into folders laid out as the repository is, over what is there.

    Raises:
        CalledProcessError: if a command fails.
    """
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, drawn in zip(commands(), pool.map(_drawn, *zip(*commands().items()))):
            for place in places:
                (place / name).write_bytes(drawn)


def _drawn(picture: Path, words: list[str]) -> bytes:
    target = ROOT / "build" / "site" / "pictures" / picture
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "minipaddle", *words, "--lang", "zh", "-o", target]
    spoken = os.environ | {"PYTHONIOENCODING": "utf-8"}
    subprocess.run(command, cwd=ROOT / picture.parent, env=spoken, check=True, capture_output=True)
    return target.read_bytes()
