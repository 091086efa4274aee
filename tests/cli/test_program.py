"""`minipaddle program`: every Program of a script, as a tree."""

import pytest

from tests.support.process import ROOT
from tests.support.terminal import in_a_terminal
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, type_in

LAYER = ROOT / "docs" / "images" / "tanh_layer.py"


def program(run_cli, *arguments, **options):
    done = run_cli("program", *arguments, **options)
    return done, done.stdout.splitlines()


def test_programs_without_a_variable_are_called_by_what_they_are(run_cli):
    _, lines = program(run_cli, LAYER)
    titles = [line.split(" · ")[0] for line in lines if line.startswith("Program")]
    assert titles == ["Program main", "Program startup"]
    _, lines = program(run_cli, LAYER, "--name", "startup")
    assert [line for line in lines if line.startswith("Program")] == [
        "Program startup · 1 block · 2 ops · run once"
    ]


TWICE = """
    import paddle

    paddle.enable_static()

    def build(size):
        main, startup_prog = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup_prog):
            loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 2]), size))
            test = main.clone(for_test=True)
            paddle.static.append_backward(loss)
        return main, startup_prog, test

    exe = paddle.static.Executor()
    for size in (2, 3):
        main, startup_prog, test = build(size)
        exe.run(startup_prog)
    exe.run(main.clone(for_test=True), feed={"x": [[0.0, 1.0]]})
"""


def test_programs_of_one_name_are_told_apart(run_cli, write_script):
    script = write_script(TWICE)
    _, lines = program(run_cli, script)
    titles = [line.split(" ·")[0] for line in lines if line.startswith("Program")]
    names = ["main", "startup_prog", "test", "main_2", "startup_prog_2", "test_2", "program"]
    assert titles == [f"Program {name}" for name in names]
    _, lines = program(run_cli, script, "--name", "main_2")
    assert "fc_1.w_0 [2, 3]" in lines[2]
    done, _ = program(run_cli, script, "--name", "main_3")
    done.ended(2, told="there are main, startup_prog, test, main_2, startup_prog_2, test_2, program")


@pytest.mark.parametrize("command", [("program",), ("graph", "--program")])
def test_a_recording_has_no_program(run_cli, tmp_path, command):
    run_cli("trace", LAYER, "-o", tmp_path / "run.mpt")
    run_cli(*command, tmp_path / "run.mpt").ended(
        2, told="a recording has what ran, and no Program: name the script"
    )


def test_the_tree_fits_a_terminal_and_says_what_comes_out():
    seen = in_a_terminal(80, "program", LAYER, "--diff-backward")
    plain = [line.rstrip() for line in seen.replace("\x1b[2m", "").replace("\x1b[0m", "").splitlines()]
    assert max(map(len, plain)) <= 80
    assert any(
        "tanh" in line and "tanh_0.tmp_0 [-1, 1]" in line and "tanh_layer.py:8" in line for line in plain
    )


def test_plain_ascii(run_cli):
    done = run_cli("program", LAYER, env={"PYTHONIOENCODING": "ascii"})
    assert "|- 0  matmul_v2" in done.stdout
    assert "?" not in done.stdout
    assert " -> " in done.stdout


PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", range(len(BLOCK.findall(PAGE))))
def test_the_page_is_true(number, tmp_path):
    lay_out(tmp_path)
    for command, said in exchanges(BLOCK.findall(PAGE)[number]):
        printed = type_in(command, tmp_path)
        assert agrees(said, printed), "\n".join([f"$ {command}", *printed])
