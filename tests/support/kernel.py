"""A kernel of Jupyter's, whose cells tests run one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from jupyter_client.manager import KernelManager

from tests.support.process import ROOT, clean_environment


@dataclass
class Said:
    """What a cell has shown."""

    text: str = ""
    """Standard output."""
    errors: str = ""
    """Standard error, and the names and messages of errors."""
    shown: list[dict[str, Any]] = field(default_factory=list)
    """What was displayed: by kind (``image/svg+xml``)."""

    def of_kind(self, kind: str) -> str:
        """Return what was displayed in this kind, all of it."""
        return "".join(one.get(kind, "") for one in self.shown)


class Cells:
    """``run(source)`` runs a cell."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, source: str) -> Said:
        """Run a cell; return what it has shown."""
        said = Said()

        def hear(message: dict[str, Any]) -> None:
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "stream" and content["name"] == "stdout":
                said.text += content["text"]
            elif kind == "stream":
                said.errors += content["text"]
            elif kind == "error":
                said.errors += f"{content['ename']}: {content['evalue']}"
            elif kind in ("display_data", "execute_result"):
                said.shown.append(content["data"])

        self._client.execute_interactive(source, timeout=60, output_hook=hear)
        return said


@contextmanager
def kernel(**env: str) -> Iterator[Cells]:
    """Yield a kernel that runs this tree's minipaddle."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env={**clean_environment(), "PYTHONPATH": str(ROOT), **env}, cwd=os.getcwd())
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield Cells(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
