"""The scripts in docs/course and docs/your-tape.md, with their names; `slides.py` says how they are written."""

from __future__ import annotations

import re
from pathlib import Path

from docs.site.paths import ROOT

ROOM = ROOT / "docs" / "course"
ENGINE = ROOT / "docs" / "your-tape.md"
_SCRIPT = re.compile(r"^```python (\S+\.py).*\n((?:.*\n)*?)```$", re.MULTILINE)


def pages() -> list[Path]:
    """Return the pages of the meetings, in their order."""
    return sorted(ROOM.glob("meeting_*.md"))


def scripts() -> dict[str, str]:
    """Return the scripts of all pages by their names, each put together of its pieces."""
    found: dict[str, str] = {}
    for page in [*pages(), ENGINE]:
        for name, code in _SCRIPT.findall(page.read_text(encoding="utf-8")):
            found[name] = f"{found[name]}\n\n{code}" if name in found else code
    return found
