"""`minipaddle step` from outside: sources of commands, JSON, encodings, scripts that end badly."""

import json

import pytest

from tests.support.scripts import SQUASH


@pytest.fixture
def script(write_script):
    return write_script(SQUASH)


def commands(*texts):
    return [part for text in texts for part in ("-c", text)]


# -- batch ---------------------------------------------------------------------------------------------------------


def test_commands_from_a_file_then_from_options(run_cli, script, tmp_path):
    (tmp_path / "commands.txt").write_text("# a remark\n\ngoto z\n", encoding="utf-8")
    done = run_cli("step", script, "-x", tmp_path / "commands.txt", "-c", "print loss")
    assert done.returncode == 0
    assert done.stdout.index("Squash") < done.stdout.index("loss  []  float32")


def test_commands_from_a_pipe_end_with_it(run_cli, script):
    run_cli("step", script, input="n\n# a remark\nprint h\n").ended(0, "h  [1, 2]  float32")


# -- JSON ----------------------------------------------------------------------------------------------------------


def objects(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_json_is_all_there_is_on_standard_output(run_cli, script):
    done = run_cli(
        "step", script, "--json", *commands("goto W@GRAD", "why", "print W", "print 1+1", "back 99", "nope")
    )
    first, gradient, why, value, plain, back, error = objects(done)
    assert "hello from the script" in done.stderr
    assert (first["i"], first["kind"], first["op"], first["src"]) == (0, "op", "matmul", ["script.py", 20])
    assert (gradient["kind"], gradient["src"], gradient["at"]) == (
        "grad_op",
        ["script.py", 20],
        ["script.py", 23],
    )
    assert gradient["rule"] == why["why"]["rule"] == ["W@GRAD = x.T @ h@GRAD"]
    assert value["shape"] == [2, 2]
    assert value["data"] == [[0.5, -0.25], [0.25, 1.0]]
    assert plain == {"id": 4, "print": "2"}
    assert back["i"] == 0
    assert "nope" in error["error"]
    assert done.returncode == 2


def test_json_has_no_nan(run_cli, write_script):
    script = write_script("import paddle\nx = paddle.to_tensor([0.0, 1.0])\ny = paddle.log(x) * 0\n")
    done = run_cli("step", script, "--json", *commands("goto y"))
    assert "NaN" not in done.stdout
    assert objects(done)[-1]["out"][0]["data"] == ["nan", 0.0]


# -- encodings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "cp1252"])
def test_every_encoding_carries_the_cards(start_cli, script, encoding):
    done = start_cli(
        "step", script, *commands("goto W@GRAD", "list", "why", "tree"), env={"PYTHONIOENCODING": encoding}
    )
    assert done.returncode == 0
    assert "?" not in done.stdout.replace("do you mean", "")


@pytest.mark.parametrize("encoding", ["gbk", "ascii"])
@pytest.mark.parametrize("command", [["flow"], ["nan"], ["check"], ["graph"], ["program"], ["ops", "tanh"]])
def test_every_encoding_carries_every_command(run_cli, script, command, encoding):
    place = [] if command[0] == "ops" else [script]
    for lang in ([], ["--lang", "zh"] if command[0] in ("flow", "nan", "check") else []):
        done = run_cli(*command, *place, *lang, env={"PYTHONIOENCODING": encoding})
        assert done.returncode in (0, 1 if command[0] == "program" else 0), done.stderr
        assert "Traceback" not in done.stderr
        assert "?" not in done.stdout.replace("do you mean", "")


def test_no_color_and_no_escapes_in_a_pipe(run_cli, script):
    for env in ({}, {"NO_COLOR": "1"}):
        assert "\x1b" not in run_cli("step", script, *commands("why"), env=env).stdout


# -- scripts that do not end well ----------------------------------------------------------------------------------


def test_standard_input_is_the_scripts_first(run_cli, write_script):
    script = write_script("import paddle\nfactor = float(input())\ny = paddle.ones([2]) * factor\n")
    done = run_cli("step", script, input="3\nprint y\n")
    assert "[3. 3.]" in done.stdout
    assert "[4. 4.]" in run_cli("step", script, *commands("print y"), input="4\n").stdout


def test_without_memory_every_command_still_answers(run_cli, script):
    every = ("goto W@GRAD", "why", "where", "list", "tree", "print W", "next", "back", "continue")
    done = run_cli("step", script, "--max-mb", "0", *commands(*every, "print loss * 2"))
    assert "memory limit" not in done.stderr  # none was asked for
    assert "rule     W@GRAD = x.T @ h@GRAD" in done.stdout
    assert "W  [2, 2]  float32" in done.stdout
    assert "Traceback" not in done.stderr
