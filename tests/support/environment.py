"""The environment of a command as one object: arguments, streams, working directory, environment variables.

A script of the user's runs in the process of the command and looks into `sys` and `os`. So an environment is put there
for as long as the command runs, and the commands look there too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

__all__ = ["Environment"]


@dataclass(frozen=True)
class Environment:
    """The surroundings of one command."""

    arguments: Sequence[str]
    """What stands behind ``minipaddle`` on the command line."""
    stdin: TextIO
    stdout: TextIO
    """Its `encoding` decides which signs pictures in text are made of."""
    stderr: TextIO
    directory: Path
    """Where relative paths begin; it exists."""
    variables: Mapping[str, str]
    """All environment variables: those of this process are not visible beside them."""

    @contextmanager
    def in_effect(self) -> Iterator[None]:
        """Make it the environment of this process within a ``with`` block; no other thread may do so meanwhile."""
        streams, arguments = (sys.stdin, sys.stdout, sys.stderr), sys.argv
        directory, variables = os.getcwd(), dict(os.environ)
        sys.stdin, sys.stdout, sys.stderr = self.stdin, self.stdout, self.stderr
        sys.argv = [arguments[0], *self.arguments]
        _set_variables(self.variables)
        os.chdir(self.directory)
        try:
            yield
        finally:
            os.chdir(directory)
            _set_variables(variables)
            sys.argv = arguments
            sys.stdin, sys.stdout, sys.stderr = streams


def _set_variables(wanted: Mapping[str, str]) -> None:
    """Let `wanted` be all environment variables of this process (and of those that it starts)."""
    for name in [name for name in os.environ if name not in wanted]:
        del os.environ[name]
    os.environ.update(wanted)
