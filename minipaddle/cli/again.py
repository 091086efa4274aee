"""A script that can run again as it ran first: with the same arguments, random numbers and standard input."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO, cast

from minipaddle.cli.script import run_user_script, start_script

if TYPE_CHECKING:
    from minipaddle.compat.runner import ScriptEnd
    from minipaddle.trace.sources.eager.recorder import Recorder


class Script:
    """What stands on the command line, and what the script finds when it begins."""

    def __init__(
        self, words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool, again: bool
    ) -> None:
        import numpy as np

        from minipaddle.ops.random import generator

        self.words, self.module, self.seed, self.stdout_is_ours = words, module, seed, stdout_is_ours
        self._modules = set(sys.modules)
        self._random = random.getstate(), np.random.get_state(), generator.engine().state
        self._typed = Typed(sys.stdin) if again and sys.stdin is not None and not sys.stdin.isatty() else None

    def run(self) -> ScriptEnd:
        """Run it, show what ended it as Python would, and return how it ended."""
        with self._input():
            return run_user_script(self.words, self.module, self.seed, self.stdout_is_ours)

    def run_again(self, recorder: Recorder) -> ScriptEnd:
        """Run it from the start, as a new process would, while `recorder` watches."""
        import numpy as np

        from minipaddle.compat.anew import begun_anew, forget_modules_of_scripts
        from minipaddle.core.watching import watching
        from minipaddle.ops.random import generator

        forget_modules_of_scripts(self._modules)
        with begun_anew(), self._input(), watching(recorder):
            random.setstate(self._random[0])
            np.random.set_state(self._random[1])
            generator.engine().state = self._random[2]
            return start_script(self.words, self.module, self.seed, self.stdout_is_ours)

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
