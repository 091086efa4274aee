"""The script of a debug session: a process of its own, which records it and ends.

What it prints goes to the editor's console. So a script can print, wait, start threads or end the process, and the
connection to the editor stays.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import IO, Any

from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.file import load
from minipaddle.tools.words.language import language

_OPTIONS = {"passes": "--passes", "pass": "--pass", "seed": "--seed", "maxMb": "--max-mb"}
"""Keys of a launch configuration, and the options of ``minipaddle trace`` that they stand for."""


class Launched:
    """A script that is being recorded, or a recording that is read.

    `printed` is called with ``stdout`` or ``stderr`` and text, and `ended` at the end, both in threads of their own.
    Raises NoMove if the configuration names nothing that can be run.
    """

    def __init__(
        self, config: dict[str, Any], printed: Callable[[str, str], None], ended: Callable[[], None]
    ) -> None:
        program, module = config.get("program"), config.get("module")
        if not isinstance(program or module, str):
            raise NoMove(
                "launch what? the configuration needs a `program` (a script or an .mpt), or a `module`"
            )
        self._folder = tempfile.TemporaryDirectory(prefix="minipaddle-dap-", ignore_cleanup_errors=True)
        self.process: subprocess.Popen[str] | None = None
        directory = config.get("cwd") or os.getcwd()
        if program and program.lower().endswith(".mpt"):
            self._file = Path(directory, program)
            Thread(target=ended, daemon=True).start()
            return
        self._file = Path(self._folder.name, "run.mpt")
        self.process = subprocess.Popen(
            [*_interpreter(), "trace", "-o", str(self._file), *_options(config, program, module)],
            cwd=directory,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **config.get("env", {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=os.name != "nt",
        )
        Thread(target=self._watch, args=(printed, ended), daemon=True).start()

    def _watch(self, printed: Callable[[str, str], None], ended: Callable[[], None]) -> None:
        process = self.process
        assert process is not None and process.stdout is not None and process.stderr is not None
        errors = Thread(target=self._pass_on, args=(process.stderr, "stderr", printed), daemon=True)
        errors.start()
        self._pass_on(process.stdout, "stdout", printed)
        errors.join()
        process.wait()
        ended()

    def _pass_on(self, stream: IO[str], category: str, printed: Callable[[str, str], None]) -> None:
        with stream:
            for line in stream:
                if str(self._file) not in line:  # "wrote ...": the user did not ask for this file
                    printed(category, line)

    @property
    def exit_code(self) -> int:
        """The script's exit code; 0 for a recording."""
        return self.process.returncode or 0 if self.process is not None else 0

    def trace(self) -> Trace:
        """Return the recording, after the end. Raises NoMove if there is none, BadRecording if it cannot be read."""
        if not self._file.exists():
            if self.process is None:
                raise NoMove("{path}: there is no such recording", path=self._file)
            raise NoMove(
                "the script ended with exit code {code} before anything was recorded", code=self.exit_code
            )
        return load(self._file)

    def stop(self) -> None:
        """End the process, with all that it has started, and delete the recording's temporary file."""
        if self.process is not None and self.process.poll() is None:
            _kill(self.process)
        self._folder.cleanup()


def _interpreter() -> list[str]:
    return [sys.executable, "-X", "utf8", "-m", "minipaddle"]


def _options(config: dict[str, Any], program: str | None, module: str | None) -> list[str]:
    given = [f"{option}={config[key]}" for key, option in _OPTIONS.items() if config.get(key) is not None]
    target = ["-m", module] if module else [str(program)]
    return [*given, f"--lang={language()}", *target, "--", *map(str, config.get("args") or ())]


def _kill(process: "subprocess.Popen[str]") -> None:
    if os.name == "nt":
        process.kill()
    else:
        os.killpg(process.pid, 9)
    process.wait()
