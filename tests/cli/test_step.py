"""`minipaddle step` from outside: commands from everywhere, JSON, encodings, scripts that end badly."""

import json
import re

import pytest

from tests.support.scripts import SQUASH


@pytest.fixture
def script(write_script):
    return write_script(SQUASH)


def commands(*texts):
    return [part for text in texts for part in ("-c", text)]


# -- batch ---------------------------------------------------------------------------------------------------------


def test_a_gradient_with_its_formula_its_numbers_and_its_forward_line(run_cli, script):
    done = run_cli("step", script, *commands("goto W@GRAD", "why"))
    assert done.returncode == 0
    assert "matmul_grad    backward    from  h = x @ W    script.py:20" in done.stdout
    assert "rule     W@GRAD = x.T @ h@GRAD" in done.stdout
    assert re.search(r"numbers  W@GRAD\[\d, \d\] = \S+ \* \S+ = \S+", done.stdout)
    assert "x gets none: stop_gradient" in done.stdout


def test_the_script_prints_before_the_first_card(run_cli, script):
    lines = run_cli("step", script, *commands("q")).stdout.splitlines()
    assert lines[0] == "hello from the script"
    assert lines[1].startswith("┌ 0/")


def test_a_pylayer_is_stepped_into_both_ways(run_cli, script):
    out = run_cli("step", script, *commands("s", "s", "goto h@GRAD", "back")).stdout
    assert "into Squash.forward" in out
    assert "  tanh    forward    y = paddle.tanh(x)    script.py:7" in out
    assert "  multiply    backward    grad = dy * (1 - paddle.square(y))    script.py:14" in out


def test_back_shows_the_same_card_again(run_cli, script):
    out = run_cli("step", script, *commands("s", "bk")).stdout
    cards = out[out.index("┌ 0/") :].split("┌ ")[1:]
    assert cards[0] == cards[2] != cards[1]


def test_commands_from_a_file_then_from_options(run_cli, script, tmp_path):
    (tmp_path / "commands.txt").write_text("# a remark\n\ngoto z\n", encoding="utf-8")
    done = run_cli("step", script, "-x", tmp_path / "commands.txt", "-c", "print loss")
    assert done.returncode == 0
    assert done.stdout.index("Squash") < done.stdout.index("loss  []  float32")


def test_commands_from_a_pipe_end_with_it(run_cli, script):
    done = run_cli("step", script, input="n\n# a remark\nprint h\n")
    assert done.returncode == 0
    assert "h  [1, 2]  float32" in done.stdout


def test_after_quit_nothing_is_carried_out(run_cli, script):
    assert "rule" not in run_cli("step", script, *commands("quit", "why")).stdout


def test_tree_where_list_help_continue_finish(run_cli, script):
    out = run_cli(
        "step", script, *commands("tree", "where", "list", "help", "s", "s", "finish", "continue")
    ).stdout
    assert "loss  sum  []" in out
    assert "sum  loss []  script.py:22" in out
    assert "►  0/" in out
    assert "goto N | NAME | begin | end" in out
    assert out.rstrip().endswith("next: the end")


def test_help_of_one_command(run_cli, script):
    out = run_cli("step", script, *commands("help bk")).stdout
    assert "bk  back [N]" in out
    assert "step [N]" not in out


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("wyh", "*** no command 'wyh'; do you mean why?"),
        ("xyzzy", "*** no command 'xyzzy'; try help"),
        ("help wyh", "*** no help about 'wyh'; do you mean why?"),
        ("help dubble-where", "*** no help about 'dubble-where'; do you mean double-where"),
        ("goto W@GRDA", "*** no event makes a value called W@GRDA; do you mean W@GRAD"),
        ("goto 99", "*** events are numbered 0 to"),
        ("goto", "*** goto where?"),
        ("step many", "*** how often? 'many' is not a positive number"),
        ("next 0", "*** how often? '0' is not a positive number"),
        ("print", "*** print what?"),
        ("print Q + 1", "*** Q + 1: name 'Q' is not defined; values here: W, "),
        ("print W +", "*** W +: SyntaxError"),
        ("print W[7]", "*** W[7]: IndexError"),
        ("print 1/0", "*** 1/0: ZeroDivisionError"),
        ("print exit()", "*** exit(): SyntaxError: exit() is not for expressions"),
        ("finish", "*** the cursor is in no body to leave"),
    ],
)
def test_a_bad_command_is_answered_and_the_session_goes_on(run_cli, script, command, answer):
    done = run_cli("step", script, *commands(command, "print loss"))
    assert answer in done.stdout
    assert "loss  []  float32" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 2


def test_the_ends_of_the_recording_are_said_and_no_mistake(run_cli, script):
    done = run_cli("step", script, *commands("back", "continue", "step"))
    assert "this is the beginning of the recording" in done.stdout
    assert "this is the end of the recording" in done.stdout
    assert done.returncode == 0


def test_expressions_over_values(run_cli, script):
    out = run_cli(
        "step", script, *commands("goto end", "p np.round(x.T @ h@GRAD - W@GRAD, 6)", "p W.grad[0, 1] > 0")
    ).stdout
    assert "[[0. 0.]\n [0. 0.]]" in out
    assert out.rstrip().endswith("True")


def test_long_arrays_are_shortened(run_cli, write_script):
    script = write_script("import paddle\nx = paddle.arange(5000).astype('float32')\ny = x * 2\n")
    out = run_cli("step", script, *commands("goto y", "print y")).stdout
    assert "..." in out
    assert len(out) < 1500


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


def test_a_script_that_raises_is_walkable_up_to_the_error(run_cli, write_script):
    script = write_script(
        "import paddle\nx = paddle.to_tensor([1.0, 2.0])\ny = x * 2\nz = y @ paddle.ones([3, 3])\n"
    )
    done = run_cli("step", script, *commands("goto y", "continue", "why"))
    assert done.returncode == 1
    assert "raised ValueError" in done.stdout
    assert "matmul" in done.stderr


def test_an_exit_code_of_the_script_is_kept(run_cli, write_script):
    script = write_script("import sys, paddle\ny = paddle.ones([2]) * 2\nsys.exit(7)\n")
    done = run_cli("step", script, *commands("print y"))
    assert (done.returncode, "[2. 2.]" in done.stdout) == (7, True)


def test_a_script_without_backward_is_walkable(run_cli, write_script):
    script = write_script("import paddle\ny = paddle.ones([2]) * 2\n")
    done = run_cli("step", script, *commands("goto y", "why", "where"))
    assert done.returncode == 0
    assert "nothing is recorded here" in done.stdout
    assert "no backward" in run_cli("step", script, *commands("tree")).stdout.lower()


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("raise ValueError('at once')\n", 1, "at once"),
        ("import sys\nsys.exit(5)\n", 5, ""),
        ("print('no paddle')\n", 1, "applied no operator"),
        ("x = = 1\n", 1, "SyntaxError"),
    ],
)
def test_nothing_to_walk(run_cli, write_script, source, code, words):
    done = run_cli("step", write_script(source), *commands("why"))
    assert done.returncode == code
    assert words in done.stderr
    assert "┌" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.py"], "nowhere.py"),
        ([], "name the script"),
        (["-x", "nowhere.txt"], "nowhere.txt: No such file"),
    ],
)
def test_missing_files_are_named(run_cli, script, arguments, words):
    done = run_cli("step", *([script] if "-x" in arguments else []), *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "hello" not in done.stdout


def test_standard_input_is_the_scripts_first(run_cli, write_script):
    script = write_script("import paddle\nfactor = float(input())\ny = paddle.ones([2]) * factor\n")
    done = run_cli("step", script, input="3\nprint y\n")
    assert "[3. 3.]" in done.stdout
    assert "[4. 4.]" in run_cli("step", script, *commands("print y"), input="4\n").stdout


def test_without_memory_every_command_still_answers(run_cli, script):
    every = [
        "goto W@GRAD",
        "why",
        "where",
        "list",
        "tree",
        "print W",
        "next",
        "back",
        "continue",
        "print loss * 2",
    ]
    done = run_cli("step", script, "--max-mb", "0", *commands(*every))
    assert "memory limit" not in done.stderr  # none was asked for
    assert "rule     W@GRAD = x.T @ h@GRAD" in done.stdout
    assert "W  [2, 2]  float32" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("path", "reason"),
    [("gone/run.mpt", "there is no directory gone"), ("run.zip", "the name of a recording ends with .mpt")],
)
def test_a_place_for_the_recording_that_cannot_be_is_refused_before_the_script_runs(
    run_cli, script, path, reason
):
    done = run_cli("step", script, "--record", path, *commands("q"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"minipaddle: {path}: {reason}\n"
