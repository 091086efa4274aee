"""`minipaddle program`: every Program of a script, as a tree, as Paddle's listing, as JSON."""

import json
import re

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
    _, lines = program(run_cli, LAYER, "--startup")
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
    data = json.loads(run_cli("program", script, "--json").stdout)
    assert [one["name"] for one in data["programs"]] == [
        *("main", "startup_prog", "test", "main_2", "startup_prog_2", "test_2", "program")
    ]
    _, lines = program(run_cli, script, "--name", "main_2")
    assert "fc_1.w_0 [2, 3]" in lines[2]
    _, lines = program(run_cli, script, "--startup")
    assert [line.split(" ·")[0] for line in lines if line.startswith("Program")] == [
        "Program startup_prog",
        "Program startup_prog_2",
    ]
    done, _ = program(run_cli, script, "--name", "main_3")
    done.ended(2, told="there are main, startup_prog, test, main_2, startup_prog_2, test_2, program")


@pytest.mark.parametrize("command", [("program",), ("graph", "--program")])
def test_a_recording_has_no_program(run_cli, tmp_path, command):
    run_cli("trace", LAYER, "-o", tmp_path / "run.mpt")
    run_cli(*command, tmp_path / "run.mpt").ended(
        2, told="a recording has what ran, and no Program: name the script"
    )


def test_the_listing_is_paddles_own(run_cli, write_script):
    script = write_script("""
        import paddle

        paddle.enable_static()
        paddle.exp(paddle.static.data("x", [2]))
        print(paddle.static.default_main_program(), end="")
    """)
    done = run_cli("program", script, "--text")
    own, _, listed = done.stdout.partition("// Program main · 1 block · 1 op · not run\n")
    assert own == listed
    assert "{Out=['exp_0.tmp_0']} = exp(inputs={X=['x']}" in own


def test_as_data(run_cli):
    done = run_cli("program", LAYER, "--json")
    data = json.loads(done.stdout)
    assert (data["schema"], data["version"]) == ("minipaddle-programs", 1)
    main, startup = data["programs"]
    assert (main["name"], main["runs"], startup["name"]) == ("main", 1, "startup")
    first, forward, backward = main["blocks"]
    assert (forward["backward"], backward["forward"], backward["parent"]) == (2, 1, 0)
    pylayer = first["operators"][1]
    assert pylayer["blocks"] == [1, 2]
    assert pylayer["attrs"]["blocks"] == [1, 2]
    assert pylayer["line"] == 17
    assert [op["type"] for op in first["operators"] if op["added"]][-1] == "sgd"
    assert not any(op["added"] for op in backward["operators"])
    assert first["operators"][2]["role"] == ["forward", "loss"]
    parameter = next(one for one in first["variables"] if one["name"] == "w")
    assert parameter["parameter"]
    assert parameter["shape"] == [2, 1]


def test_the_scripts_own_output_leaves_json_alone(run_cli, write_script):
    script = write_script(
        "import paddle\npaddle.enable_static()\npaddle.full([1], 1.0)\nprint('mine')", name="talks.py"
    )
    done = run_cli("program", script, "--json")
    assert json.loads(done.stdout)["programs"][0]["blocks"][0]["operators"][0]["type"] == "fill_constant"
    assert "mine" in done.stderr


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


def test_the_page_lists_the_keys(run_cli):
    (schema,) = [part for part in PAGE.split("\n\n") if part.startswith("`--json` prints")]
    data = json.loads(run_cli("program", LAYER, "--json").stdout)
    first = data["programs"][0]
    block = first["blocks"][0]
    for level in (data, first, block, block["variables"][0], block["operators"][0]):
        assert set(level) <= set(re.findall(r"`(\w+)`", schema))
