"""`minipaddle graph`: the last backward pass of an unmodified script, as a file or as a tree."""

import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.drawn import SCRIPT
from tests.support.terminal import in_a_terminal

HAS_DOT = shutil.which("dot") is not None


def test_dot_text_is_always_there(run_cli, script, tmp_path, no_graphviz):
    done = run_cli("graph", script, "-o", tmp_path / "a.dot", env=no_graphviz)
    assert done.returncode == 0, done.stderr
    assert "权重" in (tmp_path / "a.dot").read_text(encoding="utf-8")
    assert "Graphviz" not in done.stderr


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_drawing_needs_graphviz(run_cli, script, tmp_path, no_graphviz, suffix):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}", env=no_graphviz)
    assert done.returncode == 5
    assert f"{suffix} needs Graphviz: install Graphviz (the program dot)" in done.stderr
    assert "-o x.html does not need it" in done.stderr
    assert not (tmp_path / f"a.{suffix}").exists()


@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_by_dot(run_cli, script, tmp_path, suffix, magic):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}")
    assert done.returncode == (0 if HAS_DOT else 5), done.stderr
    assert (tmp_path / f"a.{suffix}").exists() == HAS_DOT
    if HAS_DOT:
        assert (tmp_path / f"a.{suffix}").read_bytes().startswith(magic)
        assert "engine: dot" in done.stderr


def test_a_dot_that_crashes_is_told_of(run_cli, script, tmp_path, no_graphviz):
    program = Path(no_graphviz["PATH"]) / "dot"
    program.write_text("#!/bin/sh\necho 'trouble in init_rank' >&2\nexit 134\n", encoding="utf-8")
    program.chmod(0o755)
    done = run_cli("graph", script, "-o", tmp_path / "a.svg", env=no_graphviz)
    assert done.returncode == 5
    assert (
        "dot: ended with exit code 134: trouble in init_rank; trying again with straight lines" in done.stderr
    )
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "cp1252"])
def test_every_encoding_gets_a_tree(start_cli, script, encoding):
    done = start_cli("graph", script, env={"PYTHONIOENCODING": encoding})
    done.ended(0, "grad [2] 2, 2")
    assert ("`- " in done.stdout) == (encoding != "gbk")


def test_a_script_with_a_name_full_of_signs(run_cli, write_script, tmp_path):
    script = write_script(SCRIPT, name='a "b" <c> & \\d 梯度.py')
    for name in ("a.svg", "c.dot"):
        done = run_cli("graph", script, "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert "failed" not in done.stderr
        assert "exit code" not in done.stderr
    texts = {text.text for text in ET.parse(tmp_path / "a.svg").iter() if text.text}
    assert any('a "b" <c> & \\d 梯度.py' in text for text in texts)


def test_the_tree_fits_a_terminal(write_script):
    lines = [f"linear{i} = paddle.nn.Linear(4, 4)" for i in range(6)]
    calls = [f"x = paddle.tanh(linear{i}(x))" for i in range(6)]
    source = "\n".join(["import paddle", *lines, "x = paddle.ones([2, 4])", *calls, "x.sum().backward()"])
    seen = in_a_terminal(80, "graph", write_script(source))
    assert "\x1b[2m" in seen  # dim, at a terminal
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()
    assert len(plain) > 20
    assert max(map(len, plain)) <= 80
