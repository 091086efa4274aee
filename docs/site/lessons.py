"""The lessons as notebooks with their outputs: each is run once for every language, in a kernel of its own."""

from __future__ import annotations

import logging
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from docs.site import chinese
from docs.site.paths import BUILT, ROOT
from minipaddle.tools.cli.notebook.lesson import notebook_of

TUTORIALS = ROOT / "tutorials"
_SECONDS = 120
logging.getLogger("traitlets").setLevel(logging.WARNING)


def run_all(language: str) -> dict[str, nbformat.NotebookNode]:
    """Return the notebook of every lesson with its outputs, by the stem of its file; a cell that fails raises."""
    scripts = sorted(TUTORIALS.glob("[0-9]*.py"))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(zip([path.stem for path in scripts], pool.map(partial(_run, language), scripts)))


def blank(language: str, script: Path) -> nbformat.NotebookNode:
    """Return the notebook of a lesson, not yet run."""
    text = script.read_text(encoding="utf-8").replace(f"tutorials/{script.name}", script.name)
    if language == "zh":
        text = chinese.script(text, script)
    return nbformat.reads(notebook_of(text, language), as_version=4)


def _run(language: str, script: Path) -> nbformat.NotebookNode:
    place = BUILT / "run" / language / script.stem
    place.mkdir(parents=True, exist_ok=True)
    notebook = blank(language, script)
    os.environ.setdefault("NO_COLOR", "1")  # what is shown is text, not a terminal
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name="python3",
        extra_arguments=["--Application.log_level=ERROR"],
        resources={"metadata": {"path": str(place)}},
    )
    return client.execute()
