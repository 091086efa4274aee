"""One script on two engines: here, and on the real Paddle in another interpreter."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minipaddle.compat.entry import names_a_function

__all__ = ["Compared", "TwinFailed", "run_both"]

_DRIVER = Path(__file__).with_name("twin_driver.py")
_LONGEST = 600


class TwinFailed(RuntimeError):
    """One of the two runs did not come to its end; the message says which, and why."""


@dataclass
class Compared:
    """One array of both runs."""

    name: str
    gap: float
    """Largest difference, as a part of the largest number; infinite if only one run has it."""
    said: str


def run_both(script: str, python: Path, engine: str = "paddle") -> list[Compared]:
    """Run `script` here and under `python`, from the same parameters, and compare what both write down.

    ``module:function`` may stand for the script. `engine` is what the other side is: "paddle", or "minipaddle" to try
    the way.

    Raises:
        TwinFailed: if one of them fails.
    """
    if not Path(script).is_file() and not names_a_function(script):
        raise TwinFailed(f"{script}: no such script")
    with tempfile.TemporaryDirectory() as folder:
        start, ours, theirs = (Path(folder) / name for name in ("start.npz", "ours.npz", "theirs.npz"))
        _run(Path(sys.executable), script, start, ours, "minipaddle")
        _run(python, script, start, theirs, engine)
        with np.load(ours) as a, np.load(theirs) as b:
            return [_compared(name, a, b) for name in dict.fromkeys([*a.files, *b.files])]


def _run(python: Path, script: str, start: Path, out: Path, engine: str) -> None:
    command = [str(python), str(_DRIVER), engine, str(start), str(out), script]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TwinFailed(f"{python}: {error}") from error
    if done.returncode or not out.exists():
        tail = "\n".join(done.stderr.strip().splitlines()[-8:])
        raise TwinFailed(f"the run on {engine} ended with exit code {done.returncode}:\n{tail}")


def _compared(name: str, a: np.lib.npyio.NpzFile, b: np.lib.npyio.NpzFile) -> Compared:
    for files, other in ((a, "paddle"), (b, "minipaddle")):
        if name not in files:
            return Compared(name, float("inf"), f"only on {other}")
    one, two = a[name], b[name]
    if one.shape != two.shape:
        return Compared(name, float("inf"), f"minipaddle {list(one.shape)}, paddle {list(two.shape)}")
    scale = max(float(np.abs(one).max(initial=0)), float(np.abs(two).max(initial=0)), 1e-12)
    gap = float(np.abs(one.astype(float) - two.astype(float)).max(initial=0)) / scale
    if not np.array_equal(np.isnan(one), np.isnan(two)):
        gap = float("inf")
    return Compared(name, gap, f"{list(one.shape)}  relative difference {gap:.2g}")
