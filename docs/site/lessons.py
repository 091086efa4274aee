"""The lessons as notebooks with their outputs: each is run once, in a kernel, beside the script that it is made of."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from docs.site.paths import BUILT, ROOT
from minipaddle.cli.notebook.lesson import notebook_of

TUTORIALS = ROOT / "tutorials"
_SECONDS = 120


def run_all() -> dict[str, nbformat.NotebookNode]:
    """Return the notebook of every lesson with its outputs, by the stem of its file; a cell that fails raises."""
    scripts = sorted(TUTORIALS.glob("[0-9]*.py"))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(zip([path.stem for path in scripts], pool.map(_run, scripts)))


def _run(script: Path) -> nbformat.NotebookNode:
    place = BUILT / "run" / script.stem
    place.mkdir(parents=True, exist_ok=True)
    text = script.read_text(encoding="utf-8").replace(f"tutorials/{script.name}", script.name)
    (place / script.name).write_text(text, encoding="utf-8")
    notebook = nbformat.reads(notebook_of(text), as_version=4)
    os.environ.setdefault("NO_COLOR", "1")  # what is shown is text, not a terminal
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name="python3",
        extra_arguments=["--Application.log_level=ERROR"],
        resources={"metadata": {"path": str(place)}},
    )
    return client.execute()
