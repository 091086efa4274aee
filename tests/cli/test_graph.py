"""`minipaddle graph`: the last backward pass of an unmodified script, as a file or as a tree."""

import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.drawn import SCRIPT
from tests.support.terminal import in_a_terminal

HAS_DOT = shutil.which("dot") is not None


def test_the_tree(run_cli, script):
    done = run_cli("graph", script)
    assert done.returncode == 0, done.stderr
    said, head, *tree = done.stdout.splitlines()
    assert said == "the script speaks"
    assert head == "script.py · 2 ops forward, 2 backward, pass 1 of 1"
    assert [line.split("  ")[0] for line in tree] == ["loss", "└ Double_3", "", "", ""]
    assert tree[-1].split() == ["└", "权重", "leaf", "[2]", "grad", "[2]", "2,", "2", "██"]
    assert "\x1b" not in done.stdout


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
    assert "-o x.html needs neither" in done.stderr
    assert not (tmp_path / f"a.{suffix}").exists()


@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_by_dot(run_cli, script, tmp_path, suffix, magic):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}", "--engine", "dot")
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


BAD_TARGETS = {
    "unknown suffix": ("a.jpg", "no picture format .jpg; there are: .svg, .png, .pdf, .dot"),
    "no suffix": ("picture", "no picture format without a suffix"),
    "directory": ("folder.svg", "is a directory"),
    "no such directory": ("nowhere/a.svg", "there is no directory"),
}


@pytest.mark.parametrize(("name", "message"), BAD_TARGETS.values(), ids=BAD_TARGETS.keys())
def test_a_bad_target_is_refused_before_the_script_runs(run_cli, script, tmp_path, name, message):
    (tmp_path / "folder.svg").mkdir()
    done = run_cli("graph", script, "-o", tmp_path / name)
    done.ended(2, told=message)
    assert "the script speaks" not in done.stdout


def test_a_place_that_cannot_be_written(run_cli, script):
    done = run_cli("graph", script, "-o", "/proc/a.svg")
    done.ended(2, told="/proc/a.svg")
    assert "the script speaks" not in done.stdout


def test_the_target_is_where_we_stood_when_it_was_named(run_cli, write_script, tmp_path):
    script = write_script(SCRIPT + "    import os\n    os.chdir('/')\n")
    done = run_cli("graph", script, "-o", "here.dot", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here.dot").exists()


def test_no_half_file_and_no_litter(run_cli, script, tmp_path):
    (tmp_path / "out").mkdir()
    assert run_cli("graph", script, "-o", tmp_path / "out" / "a.svg").returncode == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.svg"]


ENDINGS = {
    "raises": ("1 / 0", 1, "ZeroDivisionError"),
    "exits": ("import sys; sys.exit(3)", 3, ""),
    "lacks a name": ("paddle.no_such_thing", 4, "no_such_thing"),
}


@pytest.mark.parametrize(("last", "code", "message"), ENDINGS.values(), ids=ENDINGS.keys())
def test_what_ran_until_then_is_drawn(run_cli, write_script, tmp_path, last, code, message):
    script = write_script(SCRIPT + f"    {last}\n")
    done = run_cli("graph", script, "-o", tmp_path / "a.dot")
    assert done.returncode == code
    assert message in done.stderr
    assert "Double_grad" in (tmp_path / "a.dot").read_text(encoding="utf-8")


FORWARD_ONLY = {
    "no backward": (
        "x = paddle.to_tensor([1.0]) * 2",
        0,
        "backward has not run, so the forward run is drawn",
    ),
    "raises before backward": ("x = paddle.to_tensor([1.0]) * 2\n1 / 0", 1, "ZeroDivisionError"),
    "exits before backward": ("x = paddle.to_tensor([1.0]) * 2\nraise SystemExit(7)", 7, "drew"),
}


@pytest.mark.parametrize(("source", "code", "message"), FORWARD_ONLY.values(), ids=FORWARD_ONLY.keys())
def test_without_a_backward_pass_the_forward_run_is_drawn(
    run_cli, write_script, tmp_path, source, code, message
):
    script = write_script(f"import paddle\n{source}\n")
    done = run_cli("graph", script, "-o", tmp_path / "a.dot")
    assert done.returncode == code
    assert message in done.stderr
    assert "x [1] 2" in (tmp_path / "a.dot").read_text(encoding="utf-8")
    tree = run_cli("graph", script)
    assert tree.returncode == code
    assert "backward not run yet" in tree.stdout
    assert "x  scale  [1]" in tree.stdout


FRUITLESS = {
    "nothing at all": ("print('hello')", 1, "there is nothing to show"),
    "raises at once": ("1 / 0", 1, "ZeroDivisionError"),
    "exits at once": ("raise SystemExit(7)", 7, ""),
}


@pytest.mark.parametrize(("source", "code", "message"), FRUITLESS.values(), ids=FRUITLESS.keys())
def test_nothing_to_draw(run_cli, write_script, tmp_path, source, code, message):
    done = run_cli("graph", write_script(f"import paddle\n{source}\n"), "-o", tmp_path / "a.svg")
    assert done.returncode == code
    assert message in done.stderr
    assert not (tmp_path / "a.svg").exists()
    assert "minipaddle/tools/picture" not in done.stderr


def test_a_pass_that_is_not_there(run_cli, script):
    run_cli("graph", script, "--pass", "9").ended(
        2, told="there is no pass 9: the script ran 1 backward pass"
    )


def test_no_such_script(run_cli, tmp_path):
    run_cli("graph", tmp_path / "none.py", "-o", tmp_path / "a.svg").ended(2, told="none.py")


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
    assert "\x1b[2m" in seen  # dim, where somebody watches
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()
    assert len(plain) > 20
    assert max(map(len, plain)) <= 80
