"""Where the site takes its sources from, and where it is put."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "docs" / "site"
BUILT = ROOT / "build" / "site"
LANGUAGES = {"en": "en", "zh": "zh_CN"}  # the folder of the site: the language as Sphinx calls it


def source(folder: str) -> Path:
    """Return the folder with the sources of one language, laid out as the repository is."""
    return BUILT / "source" / folder
