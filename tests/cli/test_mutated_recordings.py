"""Recordings with damage drawn from seeds: every command shows the intact part, or refuses in one line."""

import random
import re
import textwrap
import zipfile

import pytest

from tests.support.commands import run_command
from tests.support.mutator import HOSTILE_TEXT, mutated_archive, write_archive

EAGER = """
    import paddle

    class Double(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensor()
            return g * 2

    net = paddle.nn.Linear(2, 2)
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor([[1.0, 2.0]])
    for _ in range(2):
        loss = (Double.apply(net(x)) ** 2).mean()
        print(float(loss))
        loss.backward()
        opt.step()
        opt.clear_grad()
"""
STATIC = """
    import numpy as np
    import paddle
    from paddle import static

    paddle.enable_static()
    x = static.data("x", [None, 2], "float32")
    i = paddle.full([1], 0, "int64")
    n = paddle.full([1], 3, "int64")
    y = static.nn.fc(x, 2)
    _, y = static.nn.while_loop(lambda i, v: i < n, lambda i, v: [i + 1, v * 2], [i, y])
    loss = y.mean()
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    exe.run(feed={"x": np.ones((3, 2), "float32")}, fetch_list=[loss])
"""
LINES = ["where", "list", "tree", "why", "next", "why", "finish", "jac", "flow", "source", "back", "args"]
LINES += ["continue", "reads", "help"]
LINES += ["print loss", "tensor x", "display x", "goto 3", "info", "set x = 1"]
COMMANDS = {
    "step": ["step", "run.mpt", *(word for line in LINES for word in ("-c", line))],
    "step --json": ["step", "run.mpt", "--json", "-c", "where", "-c", "next", "-c", "why"],
    "graph": ["graph", "run.mpt"],
    "graph to SVG": ["graph", "run.mpt", "-o", "drawn.svg"],
    "graph to a page": ["graph", "run.mpt", "-o", "drawn.html"],
    "flow": ["flow", "run.mpt"],
    "nan": ["nan", "run.mpt"],
    "check": ["check", "run.mpt"],
    "diff": ["diff", "run.mpt", "whole.mpt"],
    "trace": ["trace", "run.mpt", "-o", "again.mpt"],
}
SEEDS_PER_COMMAND = 6
DANGEROUS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor or turn the line; without the line break, with which lines end."""


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """The members of two intact recordings."""
    folder = tmp_path_factory.mktemp("whole")
    members = []
    for number, text in enumerate((EAGER, STATIC)):
        (folder / f"{number}.py").write_text(textwrap.dedent(text))
        done = run_command("trace", f"{number}.py", "--passes", "all", "-o", f"{number}.mpt", cwd=folder)
        assert done.returncode == 0, done.stderr
        with zipfile.ZipFile(folder / f"{number}.mpt") as archive:
            members.append({name: archive.read(name) for name in archive.namelist()})
    return members


@pytest.mark.parametrize("seed", range(SEEDS_PER_COMMAND))
@pytest.mark.parametrize("command", COMMANDS)
def test_damage_of_any_kind_is_survived(recordings, tmp_path, command, seed):
    draw = random.Random(f"{command} {seed}")
    whole = draw.choice(recordings)
    damaged = whole
    for _ in range(draw.choice([1, 1, 3])):
        damaged = mutated_archive(damaged, draw)
    write_archive(tmp_path / "run.mpt", damaged)
    write_archive(tmp_path / "whole.mpt", whole)
    done = run_command(*COMMANDS[command], cwd=tmp_path)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode in (0, 2, 3), done.stderr
    files = [path.read_text("utf-8") for path in tmp_path.iterdir() if path.suffix in (".svg", ".html")]
    for text in (done.stdout, done.stderr, *files):
        assert DANGEROUS.search(text.replace("\r\n", "\n")) is None


@pytest.mark.parametrize("command", COMMANDS)
def test_names_that_would_move_the_cursor_are_written_out(recordings, tmp_path, command):
    hostile = {
        name: content.replace(b"Double", HOSTILE_TEXT.encode("unicode_escape"))
        if name.endswith((".json", ".jsonl"))
        else content.replace(b"Double", HOSTILE_TEXT.encode())
        for name, content in recordings[0].items()
    }
    hostile = {name: content.replace(rb"\x", rb"\u00") for name, content in hostile.items()}
    assert hostile != recordings[0]
    write_archive(tmp_path / "run.mpt", hostile)
    write_archive(tmp_path / "whole.mpt", recordings[0])
    done = run_command(*COMMANDS[command], cwd=tmp_path)
    assert done.returncode in (0, 2, 3), done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    files = [path.read_text("utf-8") for path in tmp_path.iterdir() if path.suffix in (".svg", ".html")]
    for text in (done.stdout, done.stderr, *files):
        assert DANGEROUS.search(text) is None
    if command == "step":
        assert r"a\x1b[31m\u202eb\x07\n\u2066\x9b" in done.stdout
