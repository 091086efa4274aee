"""Programs in processes of their own: for what only a process shows (signals, terminals, encodings, a first import)."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["CLI", "ONE_THREAD", "ROOT", "Completed", "clean_environment", "run_in_subprocess"]

ROOT = Path(__file__).resolve().parents[2]
CLI = [sys.executable, str(ROOT / "cli.py")]
"""How a process is started that is the command line."""


class Completed(subprocess.CompletedProcess[str]):
    """A program that has ended: its exit code, and what it wrote."""

    def ended(self, code: int, *said: str, told: str | tuple[str, ...] = ()) -> None:
        """Check the exit code, that each of `said` was written and of `told` to standard error, and no traceback."""
        wrote = f"exit code {self.returncode}\n{self.stdout}\n{self.stderr}"
        assert self.returncode == code, wrote
        assert "Traceback" not in self.stderr, wrote
        assert [word for word in said if word not in self.stdout] == [], wrote
        told = (told,) if isinstance(told, str) else told
        assert [word for word in told if word not in self.stderr] == [], wrote


# Tests share the machine, and a sum has one order only.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
_KEPT = ("PATH", "HOME", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return environment variables that are the same on every machine, with this checkout importable."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | ONE_THREAD | {"LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)} | dict(extra or {})


def run_in_subprocess(
    *command: str | Path,
    input: str | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    timeout: float = 120,
) -> Completed:
    """Run a program away from the tests' own state; without `input` its standard input is empty."""
    done = subprocess.run(
        [str(part) for part in command],
        input=input or "",
        env=clean_environment(env),
        cwd=cwd,
        timeout=timeout,
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    return Completed(done.args, done.returncode, done.stdout, done.stderr)
