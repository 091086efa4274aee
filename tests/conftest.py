"""Shared by all tests: one BLAS thread, repeatable property tests, commands and scripts run as a user runs them."""

import gc
import os
import signal
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"  # trio's plugin takes longer than importing hypothesis

import hypothesis
import hypothesis.internal.conjecture.providers
import pytest

from tests.support.browser import BROWSER, DRIVER, HOW_TO_GET_A_BROWSER, INSIST, started
from tests.support.process import CLI, ONE_THREAD, Completed, run_in_subprocess

os.environ.update(ONE_THREAD)  # before a test imports NumPy

# A busy machine is no finding (deadline), and a red test must be red again for the next reader (derandomize).
hypothesis.settings.register_profile("minipaddle", deadline=None, derandomize=True)
hypothesis.settings.load_profile("minipaddle")
hypothesis.settings.register_profile("quick", max_examples=20)  # of `make quick`
# Nor may examples depend on which files a worker happens to have loaded, whose constants Hypothesis tries: seconds of
# parsing, too.
hypothesis.internal.conjecture.providers._get_local_constants = lambda: (
    hypothesis.internal.conjecture.providers._local_constants
)


# A suite that runs in the background ignores Ctrl-C, and so would the programs that it starts: those are sent one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    """`--case exp`: for tests with many cases, run only the cases whose name contains this."""
    parser.addoption("--case", default="", help="run only the cases whose name has this in it")


def pytest_configure(config):
    """Store the value of that option."""
    from tests.support import cases

    cases.only = config.getoption("--case")


def pytest_terminal_summary(terminalreporter):
    """Report the tests left out where there is no browser."""
    if not (BROWSER and DRIVER) and not INSIST:
        terminalreporter.write_line(
            f"left out: tests/picture/page, tests/site/test_search.py ({HOW_TO_GET_A_BROWSER})"
        )


Run = Callable[..., Completed]


@pytest.fixture(scope="session")
def run_python() -> Run:
    """`run_python("-c", "print(1)")` runs a fresh interpreter."""

    def run(*arguments: str | Path, **options: Any) -> Completed:
        return run_in_subprocess(sys.executable, *arguments, **options)

    return run


@pytest.fixture(scope="session")
def run_cli() -> Run:
    """`run_cli("graph", script, input=None, env=None, cwd=None)` runs the command line, in this process."""
    from tests.support.commands import run_command

    return run_command


@pytest.fixture(scope="session")
def start_cli() -> Run:
    """`start_cli("graph", script, ...)` does the same in a new process: for behaviour of Python and the system."""

    def run(*arguments: str | Path, **options: Any) -> Completed:
        return run_in_subprocess(*CLI, *arguments, **options)

    return run


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of pages; see tests/support/page.py."""
    driver = started(paints=False)
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def painting():
    """The browser for tests that drag the mouse, click twice or change the window: it paints."""
    driver = started()
    yield driver
    driver.quit()


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[..., Path]:
    """`write_script("import paddle ...", name="script.py")` puts a dedented script into `tmp_path`."""

    def write(source: str, name: str = "script.py") -> Path:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
        return path

    return write


def pytest_collection_finish():
    """Exempt the thousands of tests from garbage collection, so that a test which collects is quick."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def by_itself():
    """Fail a test that leaves a mode or a setting behind: it would spoil those after it."""
    from tests.support.alone import alone

    with alone():
        yield


@pytest.fixture(autouse=True, scope="session")
def variables_are_known_by_identity():
    """`==` of Variables appends an operator: no room may use it, also not through `in` or `index`."""
    import minipaddle
    from minipaddle.paddle.static.program import Variable

    package = Path(minipaddle.__file__).parent
    machine = (
        "paddle/static",
        "paddle/jit",
        *(f"tools/{one}" for one in ("record", "picture", "explain", "checks", "page", "debug")),
    )
    rooms = tuple(f"{package / room}{os.sep}" for room in machine)

    def watched(compare: Callable[..., Any]) -> Callable[..., Any]:
        def compared(self: Any, other: Any) -> Any:
            asked_in = sys._getframe(1).f_code.co_filename
            assert not asked_in.startswith(rooms), f"{asked_in} compares Variables: a Program grows by it"
            return compare(self, other)

        return compared

    with pytest.MonkeyPatch.context() as patch:
        for name in ("__eq__", "__ne__"):
            patch.setattr(Variable, name, watched(getattr(Variable, name)))
        yield
