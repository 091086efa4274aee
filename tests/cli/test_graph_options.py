"""`minipaddle graph`: its options, its output formats, and the errors of impossible options."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.process import CLI, ROOT


@pytest.mark.parametrize(
    ("suffix", "beginning"), [("html", "<!DOCTYPE html>"), ("json", '{\n "schema": "minipaddle-graph"')]
)
def test_formats_that_need_no_engine(run_cli, script, tmp_path, no_graphviz, suffix, beginning):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}", env=no_graphviz)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / f"a.{suffix}").read_text(encoding="utf-8")
    assert text.startswith(beginning)
    assert "权重" in text or "\\u6743\\u91cd" in text  # JSON is written in ASCII
    assert "install Graphviz" not in done.stderr


NET = """
    import paddle

    net = paddle.nn.Sequential(*[paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Tanh()) for _ in range(3)])
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    loss = net(paddle.ones([1, 2])).sum()
    loss.backward()
    optimizer.step()
"""

SEEN = {
    "view": (["--view", "backward"], ["tanh_grad"], ["uniform", "full"]),
    "depth": (["--depth", "0"], ["net: Sequential", "net: Sequential backward"], ["0.0: Linear"]),
    "collapse": (["--collapse", r"^1: "], ["1: Sequential", "0.0: Linear"], ["1.0: Linear"]),
    "focus": (["--focus", "2.0.bias±1"], ["2.0.bias", "add"], ["0.0.bias"]),
    "direction": (["--direction", "LR"], ["rankdir=LR"], ["rankdir=TB"]),
    "theme": (["--theme", "dark"], ['bgcolor="#14181d"'], ['bgcolor="#ffffff"']),
    "highlight": (["--highlight", "^sum$"], ["► sum", 'penwidth="3"'], ["► mean"]),
    "saved": (["--saved"], ["kept for backward by", " B)"], []),
    "values": (["--values", "none"], ["tanh"], ["norm "]),
    "all values": (["--values", "full"], ["\\n[[", "float32"], []),
    "tape": (["--layout", "tape"], ['constraint="false"'], ['dir="back"']),
}


@pytest.mark.parametrize(("options", "there", "away"), SEEN.values(), ids=SEEN.keys())
def test_what_an_option_shows(run_cli, write_script, tmp_path, options, there, away):
    target = tmp_path / "a.dot"
    done = run_cli("graph", write_script(NET), "-o", target, *options)
    assert done.returncode == 0, done.stderr
    text = target.read_text(encoding="utf-8")
    assert [word for word in there if word not in text] == []
    assert [word for word in away if f'label="{word}' in text or word in text.partition("[label")[0]] == []


def test_a_recording_may_stand_for_the_script(run_cli, script, tmp_path):
    recorded = run_cli("trace", script, "-o", tmp_path / "run.mpt")
    assert recorded.returncode == 0, recorded.stderr
    done = run_cli("graph", tmp_path / "run.mpt", "-o", tmp_path / "a.html")
    assert done.returncode == 0, done.stderr
    assert "the script speaks" not in done.stdout
    assert "Double_grad" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_same_run_gives_the_same_page_twice(run_cli, script, tmp_path):
    for name in ("a.html", "b.html"):
        assert run_cli("graph", script, "-o", tmp_path / name).returncode == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


DOT_THAT_HANGS = """#!{python}
import os, signal
held = os.open({pipe!r}, os.O_WRONLY)  # whoever reads it meets its end when nobody who holds it lives
os.write(held, b"begun")
os.fork()
signal.pause()
"""


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_an_interrupted_drawing_leaves_no_half_file_and_no_process(script, tmp_path, no_graphviz, name):
    """Ctrl-C while engines draw: `dot` may be a script that starts another program."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = Path(no_graphviz["PATH"]) / "dot"
    program.write_text(DOT_THAT_HANGS.format(python=sys.executable, pipe=str(pipe)), encoding="utf-8")
    program.chmod(0o755)
    target = tmp_path / name
    target.write_text("before", encoding="utf-8")
    child = subprocess.Popen(
        [*CLI, "graph", str(script), "-o", str(target)],
        env={**os.environ, **no_graphviz},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with pipe.open("rb") as engines:
        assert engines.read(5) == b"begun"
        os.killpg(child.pid, signal.SIGINT)
        assert child.wait(timeout=25) == 130  # before an engine counts as hanging
        assert set(engines.read()) <= set(b"begun")  # an end after the begin: they ran
    assert target.read_text(encoding="utf-8") == "before"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".minipaddle")]


def test_open(run_cli, script, tmp_path):
    """A program that stands for the browser writes down the file that it should open."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', encoding="utf-8")
    browser.chmod(0o755)
    done = run_cli("graph", script, "--show", env={"BROWSER": str(browser)})
    assert done.returncode == 0, done.stderr
    (url,) = (tmp_path / "opened").read_text(encoding="utf-8").split()
    page = Path(url.removeprefix("file://"))
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_page_of_the_documentation_lists_every_option(run_cli):
    said = re.findall(r"--[a-z][a-z-]*", run_cli("graph", "--help").stdout)
    page = (ROOT / "docs" / "graph.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`-.*?) \|", page[page.index("## Options") : page.index("## The page")], re.MULTILINE
    )
    assert set(said) - {"--help"} == {option for row in rows for option in re.findall(r"--[a-z][a-z-]*", row)}
