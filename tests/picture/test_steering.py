"""Names and source that would steer a terminal, or turn the direction of what is read, are written out everywhere."""

import re

import pytest

RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")

SCRIPT = """
import paddle
Evil = type("a\\x1b[31m\\u202eb", (paddle.autograd.PyLayer,), {
    "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, dy: dy * 2)})
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
x.name = "n\\x1b]0;title\\x07\\u2066m"
y = Evil.apply(x)  # \u202e turned \x1b[2J
y.sum().backward()
"""


@pytest.fixture
def evil(tmp_path):
    script = tmp_path / "evil.py"
    script.write_text(SCRIPT, encoding="utf-8")
    return script


@pytest.mark.parametrize("suffix", ["svg", "html", "dot", "json"])
def test_in_files(run_cli, evil, tmp_path, suffix):
    drawn = tmp_path / f"drawn.{suffix}"
    done = run_cli("graph", evil, "-o", drawn)
    assert done.returncode == 0, done.stderr
    text = drawn.read_text(encoding="utf-8")
    assert not RAW.search(text), RAW.findall(text)
    if suffix != "json":  # which has names as they are, in JSON's own escapes
        assert "x1b[31m" in text or "x1b#91;31m" in text or "#92;x1b" in text


@pytest.mark.parametrize(
    "command",
    [
        ["graph"],
        ["step", "-c", "list 1", "-c", "goto y", "-c", "why", "-c", "source", "-c", "tree", "-c", "where"],
        ["step", "-c", "end", "-c", "back", "-c", "print y", "-c", "break a\x1b[31m"],
        ["nan"],
        ["flow"],
        ["check"],
    ],
    ids=lambda command: " ".join(command[:1]),
)
def test_in_the_terminal(run_cli, evil, command):
    done = run_cli(command[0], evil, *command[1:])
    assert not RAW.search(done.stdout), RAW.findall(done.stdout)
    assert not RAW.search(done.stderr), RAW.findall(done.stderr)
