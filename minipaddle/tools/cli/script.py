"""The script on the command line, and how it is run."""

from __future__ import annotations

import random
import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from minipaddle.tools.cli.console import fail

if TYPE_CHECKING:
    from minipaddle.tools.run.runner import ScriptEnd


class Script:
    """The script on the command line, its arguments, and its environment.

    With `stdout_is_ours`, the script's own output goes to standard error.
    """

    def __init__(
        self, words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool = False
    ) -> None:
        self.words, self.module, self.seed, self.stdout_is_ours = words or [], module, seed, stdout_is_ours

    @property
    def name(self) -> str:
        """The script or module as the user wrote it."""
        return f"-m {self.module}" if self.module else "".join(self.words[:1])

    @property
    def recording(self) -> Path | None:
        """Return the path if the script is a recording (.mpt), else None."""
        is_one = self.module is None and self.name.lower().endswith(".mpt")
        return Path(self.name) if is_one else None

    def run(self) -> ScriptEnd:
        """Run the script or module, print its error as Python would, and return how it ended.

        Raises UnusableScript if it does not exist. Exits with USAGE if none was named.
        """
        if not self.name:
            fail("name the script to run: SCRIPT [-- ARGS], or a module: -m MODULE [-- ARGS]")
        from minipaddle.tools.run.runner import run_module, run_script

        if self.seed is not None:
            _seed_all(self.seed)
        with redirect_stdout(sys.stderr) if self.stdout_is_ours else nullcontext():
            if self.module is not None:
                end = run_module(self.module, self.words)
            else:
                end = run_script(self.name, self.words[1:])
        end.show()
        return end


def _seed_all(seed: int) -> None:
    import numpy as np

    import minipaddle

    random.seed(seed)
    np.random.seed(seed)
    minipaddle.paddle.seed(seed)
