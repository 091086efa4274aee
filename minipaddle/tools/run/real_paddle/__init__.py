"""One script on two engines: here, and on the real Paddle in another interpreter."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.run.module_function import names_a_function
from minipaddle.tools.words.language import say

__all__ = ["Compared", "RunFailed", "compare_arrays", "draws_numbers", "run_both"]

_DRIVER = Path(__file__).with_name("driver.py")
_LONGEST = 600
_DRAWN = re.compile(r"dropout|rand|shuffle|normal|uniform|bernoulli|multinomial", re.IGNORECASE)

_ROUNDING = 4 * float(np.finfo(np.float32).eps)
"""What no gradient is compared more finely than, as a part of the largest gradient of the run: about four units of
float32's last place. Where summands cancel, such as for a bias before a batch norm, only their rounding is left."""


class RunFailed(RuntimeError):
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
        RunFailed: if one of them fails.
    """
    if not Path(script).is_file() and not names_a_function(script):
        raise RunFailed(f"{script}: no such script")
    with tempfile.TemporaryDirectory() as folder:
        start, ours, theirs = (Path(folder) / name for name in ("start.npz", "ours.npz", "theirs.npz"))
        _run(Path(sys.executable), script, start, ours, "minipaddle")
        _run(python, script, start, theirs, engine)
        with np.load(ours) as a, np.load(theirs) as b:
            return compare_arrays(dict(a), dict(b))


def compare_arrays(ours: dict[str, Array], theirs: dict[str, Array]) -> list[Compared]:
    """Compare what two runs wrote down, name by name."""
    gradients = [
        np.abs(array[np.isfinite(array)]).max(initial=0)
        for arrays in (ours, theirs)
        for name, array in arrays.items()
        if name.endswith(".grad")
    ]
    floor = _ROUNDING * float(max(gradients, default=0.0))
    return [
        _compared(name, ours, theirs, floor if name.endswith(".grad") else 0.0)
        for name in dict.fromkeys([*ours, *theirs])
    ]


def draws_numbers(script: str) -> bool:
    """Whether a script seems to draw numbers at random, which two engines do not draw alike."""
    file = Path(script)
    return bool(_DRAWN.search(file.read_text("utf-8", "replace"))) if file.is_file() else True


def _run(python: Path, script: str, start: Path, out: Path, engine: str) -> None:
    command = [str(python), str(_DRIVER), engine, str(start), str(out), script]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunFailed(f"{python}: {error}") from error
    if done.returncode or not out.exists():
        tail = "\n".join(done.stderr.strip().splitlines()[-8:])
        raise RunFailed(f"the run on {engine} ended with exit code {done.returncode}:\n{tail}")


def _compared(name: str, a: dict[str, Array], b: dict[str, Array], floor: float) -> Compared:
    for arrays, other in ((a, "paddle"), (b, "minipaddle")):
        if name not in arrays:
            return Compared(name, float("inf"), say("only on {engine}", engine=other))
    one, two = a[name], b[name]
    if one.shape != two.shape:
        return Compared(name, float("inf"), f"minipaddle {list(one.shape)}, paddle {list(two.shape)}")
    gap = _gap(one.astype(np.complex128), two.astype(np.complex128), floor)
    return Compared(name, gap, f"{list(one.shape)}  {say('relative difference {gap}', gap=f'{gap:.2g}')}")


def _gap(one: Array, two: Array, floor: float) -> float:
    """Return the largest difference, as a part of the largest number; 0 if it is below `floor`."""
    finite = np.isfinite(one)
    if not np.array_equal(np.where(finite, 0, one), np.where(np.isfinite(two), 0, two), equal_nan=True):
        return float("inf")
    one, two = one[finite], two[finite]
    largest = float(np.abs(one - two).max(initial=0))
    scale = max(float(np.abs(one).max(initial=0)), float(np.abs(two).max(initial=0)), 1e-12)
    return 0.0 if largest <= floor else largest / scale
