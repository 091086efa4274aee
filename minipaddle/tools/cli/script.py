"""The script on the command line: how it is run, and how it runs again as it ran first."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from minipaddle.tools.cli.console import fail

if TYPE_CHECKING:
    from minipaddle.tools.record.sources.eager.recorder import Recorder
    from minipaddle.tools.run.runner import ScriptEnd


class Script:
    """What stands on the command line, and what the script finds when it begins.

    With `stdout_is_ours` its own output goes to standard error.
    """

    def __init__(
        self, words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool = False
    ) -> None:
        self.words, self.module, self.seed, self.stdout_is_ours = words or [], module, seed, stdout_is_ours
        self._typed: Typed | None = None

    @property
    def name(self) -> str:
        """The script or module as the user wrote it."""
        return f"-m {self.module}" if self.module else "".join(self.words[:1])

    @property
    def recording(self) -> Path | None:
        """The recording that stands in the place of the script; None if a script does."""
        is_one = self.module is None and self.name.lower().endswith(".mpt")
        return Path(self.name) if is_one else None

    def run(self) -> ScriptEnd:
        """Run the script, function or module, show what ended it as Python would, and return how it ended.

        Raises:
            UnusableScript: if there is none of that name. Exits with USAGE if none was named.
        """
        if not self.name:
            fail(
                "name the script to run: SCRIPT [-- ARGS], a function: MODULE:FUNCTION, or a module: -m MODULE "
                "[-- ARGS]"
            )
        end = self._run()
        end.show()
        return end

    def _run(self) -> ScriptEnd:
        from minipaddle.tools.run.module_function import names_a_function
        from minipaddle.tools.run.runner import run_function, run_module, run_script

        if self.seed is not None:
            _sow(self.seed)
        elsewhere = (
            contextlib.redirect_stdout(sys.stderr) if self.stdout_is_ours else contextlib.nullcontext()
        )
        with self._input(), elsewhere:
            if self.module is not None:
                return run_module(self.module, self.words)
            run = run_function if names_a_function(self.name) else run_script
            return run(self.name, self.words[1:])

    # -- again -----------------------------------------------------------------------------------------------------

    def remember(self) -> None:
        """Keep what the script will find: random numbers, standard input, and which modules there were."""
        import numpy as np

        from minipaddle.ops.random import generator

        self._modules = set(sys.modules)
        self._random = random.getstate(), np.random.get_state(), generator.engine().state
        if sys.stdin is not None and not sys.stdin.isatty():
            self._typed = Typed(sys.stdin)

    def run_again(self, recorder: Recorder) -> ScriptEnd:
        """Run it from the start, as a new process would, while `recorder` watches.

        Raises:
            UnusableScript: if it is not there any more.
        """
        import numpy as np

        from minipaddle.engine.watch.watched_mode import watching
        from minipaddle.ops.random import generator
        from minipaddle.tools.run.clean_start import begun_anew, forget_modules_of_scripts

        forget_modules_of_scripts(self._modules)
        with begun_anew(), watching(recorder):
            random.setstate(self._random[0])
            np.random.set_state(self._random[1])
            generator.engine().state = self._random[2]
            return self._run()

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        """Give the script its standard input from the first line on within a ``with`` block."""
        before = sys.stdin
        if self._typed is not None:
            self._typed.place, sys.stdin = 0, cast(TextIO, self._typed)
        try:
            yield
        finally:
            sys.stdin = before


def _sow(seed: int) -> None:
    import numpy as np

    import minipaddle

    random.seed(seed)
    np.random.seed(seed)
    minipaddle.paddle.seed(seed)


class Typed:
    """Standard input that keeps the lines it has given, to give them again; at a terminal the user is asked instead."""

    def __init__(self, source: TextIO) -> None:
        self.source = source
        self.lines: list[str] = []
        self.place = 0

    def readline(self, size: int = -1) -> str:
        """Return the next line, or `size` characters of it."""
        if self.place == len(self.lines):
            self.lines.append(self.source.readline())
        line = self.lines[self.place]
        if 0 <= size < len(line):
            self.lines[self.place : self.place + 1] = [line[:size], line[size:]]
        self.place += 1
        return self.lines[self.place - 1]

    def read(self, size: int = -1) -> str:
        """Return `size` characters, or all there are."""
        found = ""
        while (size < 0 or len(found) < size) and (
            line := self.readline(size - len(found) if size >= 0 else -1)
        ):
            found += line
        return found

    def readlines(self) -> list[str]:
        """Return all lines."""
        return list(self)

    def __iter__(self) -> Typed:
        return self

    def __next__(self) -> str:
        if line := self.readline():
            return line
        raise StopIteration

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)
