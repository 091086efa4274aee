"""`minipaddle graph`: the last backward pass of an unmodified script, as a file or as a tree."""

import os
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.process import CLI, ROOT
from tests.support.terminal import in_a_terminal

HAS_DOT = shutil.which("dot") is not None

SCRIPT = """
    import paddle
    from paddle.autograd import PyLayer

    class Double(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    权重 = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    loss = Double.apply(权重).sum()
    loss.backward()
    print("the script speaks")
"""


@pytest.fixture
def script(write_script):
    return write_script(SCRIPT)


@pytest.fixture
def no_graphviz(tmp_path, monkeypatch):
    """Return an environment whose PATH has no `dot`, and in which pygraphviz is there and cannot be imported."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pygraphviz.py").write_text("raise ImportError('libX11.so.6')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    return {
        "PATH": str(tmp_path / "empty"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "lib"), str(ROOT)]),
    }


def test_the_tree(run_cli, script):
    done = run_cli("graph", script)
    assert done.returncode == 0, done.stderr
    said, head, *tree = done.stdout.splitlines()
    assert said == "the script speaks"
    assert head == "script.py · 2 ops forward, 2 backward, pass 1 of 1"
    assert [line.split("  ")[0] for line in tree] == ["loss", "└ Double_3", "", "", ""]
    assert tree[-1].split() == ["└", "权重", "leaf", "[2]", "grad", "[2]", "2,", "2", "██"]
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("suffix", ["svg", "dot"])
def test_pictures_that_are_always_there(run_cli, script, tmp_path, no_graphviz, suffix):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}", env=no_graphviz)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / f"a.{suffix}").read_text(encoding="utf-8")
    assert "权重" in text
    assert ("minipaddle[svg]" in done.stderr) == (suffix == "svg")
    if suffix == "svg":
        ET.fromstring(text)


def test_a_bitmap_needs_graphviz(run_cli, script, tmp_path, no_graphviz):
    done = run_cli("graph", script, "-o", tmp_path / "a.png", env=no_graphviz)
    assert done.returncode == 5
    assert 'png needs Graphviz; for the layered picture: pip install "minipaddle[svg]"' in done.stderr
    assert not (tmp_path / "a.png").exists()


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
    assert done.returncode == 0
    assert (
        "dot: ended with exit code 134: trouble in init_rank; trying again with straight lines" in done.stderr
    )
    assert "engine: tape" in done.stderr
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_ids_are_the_same_in_every_drawing(run_cli, script, tmp_path):
    names = ["tape.svg", "a.dot"]
    for name in names:
        assert run_cli("graph", script, "--engine", "tape", "-o", tmp_path / name).returncode == 0
    text = (tmp_path / "a.dot").read_text(encoding="utf-8")
    ids = [
        group.get("id") for group in ET.parse(tmp_path / "tape.svg").iter() if group.get("class") == "node"
    ]
    assert ids
    for id_ in ids:
        assert f' id="{id_}" ' in text


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
    assert done.returncode == 2
    assert message in done.stderr
    assert "the script speaks" not in done.stdout


def test_a_place_that_cannot_be_written(run_cli, script):
    done = run_cli("graph", script, "-o", "/proc/a.svg")
    assert done.returncode == 2
    assert "/proc/a.svg" in done.stderr
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
    assert "minipaddle/viz" not in done.stderr


def test_a_pass_that_is_not_there(run_cli, script):
    done = run_cli("graph", script, "--pass", "9")
    assert done.returncode == 2
    assert "there is no pass 9: the script ran 1 backward pass" in done.stderr


def test_no_such_script(run_cli, tmp_path):
    done = run_cli("graph", tmp_path / "none.py", "-o", tmp_path / "a.svg")
    assert done.returncode == 2
    assert "none.py" in done.stderr


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "cp1252"])
def test_every_encoding_gets_a_tree(start_cli, script, encoding):
    done = start_cli("graph", script, env={"PYTHONIOENCODING": encoding})
    assert done.returncode == 0, done.stderr
    assert "grad [2] 2, 2" in done.stdout
    assert ("`- " in done.stdout) == (encoding != "gbk")


def test_a_script_with_a_name_full_of_signs(run_cli, write_script, tmp_path):
    script = write_script(SCRIPT, name='a "b" <c> & \\d 梯度.py')
    for name in ("a.svg", "b.svg", "c.dot"):
        engine = "tape" if name == "b.svg" else "auto"
        done = run_cli("graph", script, "-o", tmp_path / name, "--engine", engine)
        assert done.returncode == 0, done.stderr
        assert "failed" not in done.stderr
        assert "exit code" not in done.stderr
    for name in ("a.svg", "b.svg"):
        texts = {text.text for text in ET.parse(tmp_path / name).iter() if text.text}
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


@pytest.mark.parametrize(
    ("suffix", "beginning"),
    [("html", "<!DOCTYPE html>"), ("mmd", "flowchart TB"), ("json", '{\n "schema": "minipaddle-graph"')],
)
def test_formats_that_need_no_engine(run_cli, script, tmp_path, no_graphviz, suffix, beginning):
    done = run_cli("graph", script, "-o", tmp_path / f"a.{suffix}", env=no_graphviz)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / f"a.{suffix}").read_text(encoding="utf-8")
    assert text.startswith(beginning)
    assert "权重" in text or "\\u6743\\u91cd" in text  # JSON is written in ASCII
    assert ("minipaddle[svg]" in done.stderr) == (suffix == "html")


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
    "colour": (["--color-by", "grad"], ["norm of the gradient, from"], []),
    "expression": (["--color-by", "py:abs(out).max()"], ["colour: abs(out).max(), from"], []),
    "saved": (["--saved"], ["kept for backward by", " B)"], []),
    "values": (["--values", "none"], ["tanh"], ["norm"]),
    "all values": (["--values", "full"], ["\\n[[", "float32"], []),
    "stack": (["--layout", "stack"], ["sum_grad"], ['dir="back"']),
    "tape": (["--layout", "tape"], ['constraint="false"'], ['dir="back"']),
    "safe": (["--share-safe"], ["tanh"], ["norm 0"]),
}


@pytest.mark.parametrize(("options", "there", "away"), SEEN.values(), ids=SEEN.keys())
def test_what_an_option_shows(run_cli, write_script, tmp_path, options, there, away):
    target = tmp_path / "a.dot"
    done = run_cli("graph", write_script(NET), "-o", target, *options)
    assert done.returncode == 0, done.stderr
    text = target.read_text(encoding="utf-8")
    assert [word for word in there if word not in text] == []
    assert [word for word in away if f'label="{word}' in text or word in text.partition("[label")[0]] == []


WRONG = {
    "focus": (["--focus", "nothing±1"], "focus: no node is called 'nothing'"),
    "collapse": (["--collapse", "("], "collapse '(' is no regular expression"),
    "highlight": (["--highlight", "*"], "highlight '*' is no regular expression"),
    "colour": (["--color-by", "mood"], "color-by 'mood': there are role, grad"),
    "expression": (["--color-by", "py:nope"], "colour expression 'nope': NameError"),
    "attack": (["--color-by", "py:().__class__"], ".__class__ is not for expressions"),
}


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=WRONG.keys())
def test_an_option_that_can_not_be_carried_out(run_cli, script, tmp_path, options, said):
    done = run_cli("graph", script, "-o", tmp_path / "a.svg", *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "a.svg").exists()


def test_a_bad_option_is_refused_before_the_script_runs(run_cli, script):
    done = run_cli("graph", script, "--collapse", "(")
    assert "the script speaks" not in done.stdout


def test_forward_alone_needs_no_backward(run_cli, write_script, tmp_path):
    source = "import paddle\nx = paddle.to_tensor([1.0], stop_gradient=False)\ny = paddle.tanh(x * 2)\n"
    done = run_cli("graph", write_script(source), "--view", "forward", "-o", tmp_path / "a.dot")
    assert done.returncode == 0, done.stderr
    assert "backward not run yet" in done.stderr
    assert "tanh" in (tmp_path / "a.dot").read_text(encoding="utf-8")


def test_a_recording_may_stand_for_the_script(run_cli, script, tmp_path):
    recorded = run_cli("trace", script, "-o", tmp_path / "run.mpt")
    assert recorded.returncode == 0, recorded.stderr
    done = run_cli("graph", tmp_path / "run.mpt", "-o", tmp_path / "a.html")
    assert done.returncode == 0, done.stderr
    assert "the script speaks" not in done.stdout
    assert "Double_grad" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_same_run_gives_the_same_page_twice(run_cli, script, tmp_path):
    for name in ("a.html", "b.html"):
        assert run_cli("graph", script, "-o", tmp_path / name, "--engine", "tape").returncode == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


DOT_THAT_HANGS = """#!{python}
import os, signal
held = os.open({pipe!r}, os.O_WRONLY)  # whoever reads it meets its end when nobody who holds it lives
os.write(held, b"begun")
os.fork()
signal.pause()
"""


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.html"])
def test_an_interrupted_drawing_leaves_no_half_file_and_no_process(script, tmp_path, no_graphviz, name):
    """Ctrl-C while engines draw: a page has several views, and `dot` may be a script that starts another program."""
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
        assert child.wait(timeout=25) == 130  # sooner than an engine counts as hanging
        assert set(engines.read()) <= set(b"begun")  # it ends: they have
    assert target.read_text(encoding="utf-8") == "before"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".minipaddle")]


def test_open(run_cli, script, tmp_path):
    """What the browser is asked to open is written down by a program that stands for it."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', encoding="utf-8")
    browser.chmod(0o755)
    done = run_cli("graph", script, "--open", env={"BROWSER": str(browser)})
    assert done.returncode == 0, done.stderr
    (url,) = (tmp_path / "opened").read_text(encoding="utf-8").split()
    page = Path(url.removeprefix("file://"))
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_backward_side_needs_a_backward_pass(run_cli, write_script):
    done = run_cli("graph", write_script("import paddle\npaddle.ones([1]) * 2\n"), "--view", "backward")
    assert done.returncode == 1
    assert "the script ran no backward pass: call loss.backward()" in done.stderr


def test_a_tree_to_share_has_no_numbers(run_cli, write_script):
    lines = "x = paddle.to_tensor([0.125], stop_gradient=False)\n(x * 3.0).exp().backward()\n"
    done = run_cli("graph", write_script(f"import paddle\n{lines}"), "--share-safe")
    assert "grad [1]\n" in done.stdout
    assert not re.search(r"\d\.\d", done.stdout)


def test_the_page_of_the_documentation_lists_every_option(run_cli):
    said = re.findall(r"--[a-z][a-z-]*", run_cli("graph", "--help").stdout)
    page = (ROOT / "docs" / "graph.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`-.*?) \|", page[page.index("## Options") : page.index("## The page")], re.MULTILINE
    )
    assert set(said) - {"--help"} == {option for row in rows for option in re.findall(r"--[a-z][a-z-]*", row)}
