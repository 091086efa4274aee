"""An engine for one evening: the files and lines that ``y = x * w; y.backward()`` enters."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from minipaddle import paddle

PACKAGE = Path(paddle.__file__).parents[1]
FILES, LINES = 9, 1600
FILES_AT_FIRST, LINES_AT_FIRST = 9, 1400
PAGE = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")


def entered(function: Callable[[], object]) -> dict[str, int]:
    """Return the files of the package whose functions `function` calls, each with its number of lines."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        found.add(
            frame.f_code.co_filename.partition(" of ")[0]
        )  # compiled text counts as the file that wrote it

    before = sys.gettrace()
    sys.settrace(note)
    try:
        function()
    finally:
        sys.settrace(before)
    ours = [Path(name) for name in found if Path(name).is_relative_to(PACKAGE)]
    return {
        str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines()) for path in ours
    }


def once() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    again.clear()
    again.update(entered(lambda: (x * w).backward()))
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 4.0]


again: dict[str, int] = {}


def passed(run_python: Callable[..., Any], times: int, plain: str) -> dict[str, int]:
    """Return the files of the last call, in a new process: a first call may load more."""
    code = f"import tests.autograd.test_path as path, json; {'path.once(); ' * times}print(json.dumps(path.again))"
    done = run_python("-c", code, env={"MINIPADDLE_PLAIN": plain})
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


def test_a_product_and_its_gradient_run_through_few_files(run_python):
    files = passed(run_python, 2, "")
    assert "engine/fast/quick.py" in files
    assert "engine/fast/walk.py" in files
    assert len(files) <= FILES, files
    assert sum(files.values()) <= LINES, files


def test_the_first_time_of_the_plain_engine_is_what_the_architecture_page_leads_through(run_python):
    first = passed(run_python, 1, "1")
    page = re.findall(r"^\| \d+ \| \[`(\S+)`\]", PAGE, re.MULTILINE)
    assert len(page) == 10
    assert {"engine/operator/plan.py", "engine/walk/walk.py"} <= {*first} <= {*page}
    assert len(first) <= FILES_AT_FIRST, first
    assert sum(first.values()) <= LINES_AT_FIRST, first
