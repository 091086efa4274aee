"""What all tests share: one BLAS thread, repeatable property tests, programs run as a user runs them."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.browser import BROWSER, DRIVER, HOW_TO_GET_A_BROWSER, INSIST
from tests.support.commands import run_command

ROOT = Path(__file__).resolve().parent.parent

# Set before a test imports NumPy: tests share the machine, and a sum has one order only.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
os.environ.update(ONE_THREAD)

# A busy machine is no finding (deadline), and a red test must be red again for the next reader (derandomize).
hypothesis.settings.register_profile("minipaddle", deadline=None, derandomize=True)
hypothesis.settings.load_profile("minipaddle")


# A suite that runs in the background ignores Ctrl-C, and so would the programs that it starts: those are sent one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    """Say what was left out where there is no browser."""
    if not (BROWSER and DRIVER) and not INSIST:
        terminalreporter.write_line(f"left out: tests/viz/page ({HOW_TO_GET_A_BROWSER})")


Completed = subprocess.CompletedProcess[str]
Run = Callable[..., Completed]

KEPT = ("PATH", "HOME", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment that is the same on every machine, with this checkout importable."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | ONE_THREAD | {"LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)} | dict(extra or {})


def run_in_subprocess(
    *command: str | Path,
    input: str | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    timeout: float = 120,
) -> Completed:
    """Run a program away from the tests' own state; without `input` its standard input is empty."""
    return subprocess.run(
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


@pytest.fixture(scope="session")
def run_python() -> Run:
    """`run_python("-c", "print(1)")` runs a fresh interpreter."""

    def run(*arguments: str | Path, **options: Any) -> Completed:
        return run_in_subprocess(sys.executable, *arguments, **options)

    return run


@pytest.fixture(scope="session")
def run_cli() -> Run:
    """`run_cli("graph", script, input=None, env=None, cwd=None)` runs the command line as a user does."""

    return run_command


@pytest.fixture(scope="session")
def start_cli() -> Run:
    """`start_cli("graph", script, ...)` does the same in a new process."""

    def run(*arguments: str | Path, **options: Any) -> Completed:
        return run_in_subprocess(sys.executable, ROOT / "cli.py", *arguments, **options)

    return run


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[..., Path]:
    """`write_script("import paddle ...", name="script.py")` puts a dedented script into `tmp_path`."""

    def write(source: str, name: str = "script.py") -> Path:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def modes_are_restored():
    """A test that leaves static mode (or any other) switched on spoils those after it: it is told so."""
    from minipaddle.core.mode import EAGER, current

    before = current.get()
    yield
    after = current.get()
    current.set(EAGER)
    assert after is before, "the test left another mode behind"
