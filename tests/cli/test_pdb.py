"""Breakpoints of pdb in the user's own backward work: it is plain Python, called by plain Python."""

import os
import pty
import select
import subprocess

import pytest

from tests.support.process import CLI, clean_environment

SCRIPT = """
    import paddle

    class Cube(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            slope = 3 * x * x
            STOP
            return dy * slope

    w = paddle.to_tensor([2.0, -1.0], stop_gradient=False)
    loss = Cube.apply(w).sum()
    loss.backward()
    print("gradient", w.grad.numpy().tolist())
"""


@pytest.mark.parametrize("stop", ["breakpoint()", "import pdb; pdb.set_trace()"])
def test_pdb_stops_in_backward_fed_by_a_pipe(start_cli, write_script, stop):
    script = write_script(SCRIPT.replace("STOP", stop))
    start_cli(
        "run", script, input="p slope.numpy().tolist()\nwhere\nargs\nslope = slope * 2\ncontinue\n"
    ).ended(0, "(Pdb) [12.0, 3.0]", f"{script}(14)backward()", "gradient [24.0, 6.0]")


def test_pdb_steps_on_from_backward_at_a_terminal(write_script):
    script = write_script(SCRIPT.replace("STOP", "breakpoint()"))
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*CLI, "run", str(script)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=clean_environment({"TERM": "dumb"}),
        start_new_session=True,
    )
    os.close(slave)
    seen = ""

    def until(words):
        nonlocal seen
        while words not in seen:
            assert select.select([master], [], [], 60)[0], seen
            seen += os.read(master, 4096).decode()
        before, _, seen = seen.partition(words)
        return before

    assert "return dy * slope" in until("(Pdb) ")
    for typed, said in (
        ("p dy.numpy().tolist()", "[1.0, 1.0]"),
        ("u", "loss.backward()"),
        ("d", "-> return dy"),
    ):
        os.write(master, f"{typed}\n".encode())
        answer = until("(Pdb) ")
        while typed == "u" and said not in answer:  # up, through the engine, to the script's line
            os.write(master, b"u\n")
            answer = until("(Pdb) ")
        while typed == "d" and said not in answer:
            os.write(master, b"d\n")
            answer = until("(Pdb) ")
        assert said in answer
    os.write(master, b"c\n")
    until("gradient [12.0, 3.0]")
    assert process.wait(60) == 0
    os.close(master)


def test_pdb_stops_while_a_script_is_recorded(start_cli, write_script):
    script = write_script(SCRIPT.replace("STOP", "breakpoint()"))
    start_cli(
        "step", script, "-c", "goto w@GRAD", "-c", "print w@GRAD", input="p slope.numpy().tolist()\nc\n"
    ).ended(0, "(Pdb) [12.0, 3.0]", "[12.  3.]")


def test_pdb_itself_runs_a_script_with_minipaddle(start_cli, write_script, tmp_path):
    script = write_script(SCRIPT.replace("STOP", "pass"))
    typed = f"b {script}:14\nc\np slope.numpy().tolist()\ncl 1\nc\nq\n"
    done = start_cli("run", "-m", "pdb", "--", script, input=typed, cwd=tmp_path)
    assert "(Pdb) [12.0, 3.0]" in done.stdout, done.stdout + done.stderr
