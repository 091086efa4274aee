"""An engine for one evening: the files and lines that ``y = x * w; y.backward()`` enters."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.paths import path_of
from minipaddle import paddle

FILES, LINES = 9, 1600
FILES_AT_FIRST, LINES_AT_FIRST = 9, 1400
PAGE = (Path(paddle.__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")


def once() -> tuple[list[str], int]:
    """Return the files that a product and its gradient enter, and how long they are together."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    path = path_of(lambda: (x * w).backward())
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 4.0]
    return path.files, path.lines


def passed(run_python: Callable[..., Any], times: int, plain: str) -> tuple[list[str], int]:
    """Return files and lines of the last call, in a new process: a first call may load more."""
    code = f"from tests.autograd.test_path import once, json; print(json.dumps([once() for _ in range({times})][-1]))"
    done = run_python("-c", code, env={"MINIPADDLE_PLAIN": plain})
    assert done.returncode == 0, done.stderr
    files, lines = json.loads(done.stdout)
    return files, lines


def test_a_product_and_its_gradient_run_through_few_files(run_python):
    files, lines = passed(run_python, 2, "")
    assert {"engine/fast/quick.py", "engine/fast/walk.py"} <= {*files}
    assert len(files) <= FILES, files
    assert lines <= LINES, files


def test_the_first_time_of_the_plain_engine_is_what_the_architecture_page_leads_through(run_python):
    first, lines = passed(run_python, 1, "1")
    page = re.findall(r"^\| \d+ \| \[`(\S+)`\]", PAGE, re.MULTILINE)
    assert len(page) == 10
    assert {"engine/operator/plan.py", "engine/walk/walk.py"} <= {*first} <= {*page}
    assert len(first) <= FILES_AT_FIRST, first
    assert lines <= LINES_AT_FIRST, first
