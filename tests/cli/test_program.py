"""`minipaddle program`: every Program of a script, as a tree, as Paddle's listing, as JSON."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.support.process import ROOT
from tests.support.terminal import in_a_terminal
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, type_in

LAYER = ROOT / "docs" / "images" / "tanh_layer.py"

GOLDEN = Path(__file__).parent / "golden" / "program.txt"


def program(run_cli, *arguments, **options):
    done = run_cli("program", *arguments, **options)
    return done, done.stdout.splitlines()


def test_what_training_added_is_marked(run_cli):
    done = run_cli("program", LAYER, "--diff-backward", "--name", "main")
    assert done.returncode == 0
    assert done.stdout == GOLDEN.read_text(encoding="utf-8")


def test_what_minimize_added_to_the_startup_program_is_marked(run_cli):
    _, lines = program(run_cli, LAYER, "--diff-backward", "--startup")
    assert lines[1:3] == ["before  1 op, 1 variable", "after   2 ops, 2 variables"]
    assert [(line[0], line.split()[3]) for line in lines[4:] if line[0] == "+"] == [("+", "fill_constant")]


def test_all_programs_are_shown_once_and_say_how_often_they_ran(run_cli, write_script):
    script = write_script("""
        import numpy as np
        import paddle

        paddle.enable_static()
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 3])
            y = paddle.static.nn.fc(x, 1)
        test = main.clone(for_test=True)
        other = paddle.static.Program()
        with paddle.static.program_guard(other):
            paddle.full([1], 2.0)
        exe = paddle.static.Executor()
        exe.run(startup)
        compiled = paddle.static.CompiledProgram(test)
        for one in (main, compiled, compiled):
            exe.run(one, feed={"x": np.ones((2, 3), "float32")}, fetch_list=[y.name])
    """)
    _, lines = program(run_cli, script)
    titles = [line for line in lines if line.startswith("Program")]
    assert titles == [
        "Program main · 1 block · 2 ops · run once",
        "Program startup · 1 block · 2 ops · run once",
        "Program test · 1 block · 2 ops · run 2 times",
        "Program other · 1 block · 1 op · not run",
    ]


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
    assert done.returncode == 2
    assert "there are main, startup_prog, test, main_2, startup_prog_2, test_2, program" in done.stderr


def test_functions_made_static_go_by_their_names(run_cli, write_script):
    script = write_script("""
        import paddle

        class Net(paddle.nn.Layer):
            def __init__(self):
                super().__init__()
                self.fc = paddle.nn.Linear(4, 1)

            @paddle.jit.to_static
            def forward(self, x):
                return self.fc(x)

        def make():
            @paddle.jit.to_static
            def scaled(x, by=2.0):
                return paddle.tanh(x) * by
            return scaled

        scaled = make()
        scaled(Net()(paddle.ones([2, 4]))).mean().backward()
        scaled(paddle.ones([3]), 4.0)
        scaled.get_concrete_program(paddle.ones([5]))
    """)
    _, lines = program(run_cli, script)
    titles = [line for line in lines if line.startswith("Program")]
    assert titles == [
        "Program Net.forward · 1 block · 2 ops · not run",
        "Program Net.forward.train · 1 block · 4 ops: 2 forward, 2 backward · run once",
        "Program scaled · 1 block · 2 ops · not run",
        "Program scaled.train · 1 block · 4 ops: 2 forward, 2 backward · run once",
        "Program scaled_2 · 1 block · 2 ops · run once",
        "Program scaled_3 · 1 block · 2 ops · not run",
    ]
    _, lines = program(run_cli, script, "--name", "scaled.train")
    places = [line.split()[-1] for line in lines[2:]]
    assert places == [f"{script.name}:15"] * 4, "of a gradient too, the user's line"


@pytest.mark.parametrize(
    "options", [(), ("--text",), ("--diff-backward",), ("--startup",), ("--name", "main")]
)
def test_a_recording_shows_what_the_script_shows(run_cli, tmp_path, options):
    run_cli("trace", LAYER, "-o", tmp_path / "run.mpt")
    _, of_script = program(run_cli, LAYER, *options)
    done, of_recording = program(run_cli, tmp_path / "run.mpt", *options)
    assert done.returncode == 0
    assert of_recording == of_script
    assert len(of_recording) > 3


def test_a_picture_of_the_program_in_a_recording(run_cli, tmp_path):
    run_cli("trace", LAYER, "-o", tmp_path / "run.mpt")
    assert (
        run_cli("graph", tmp_path / "run.mpt", "--unfold").stdout
        == run_cli("graph", LAYER, "--unfold").stdout
    )


def test_what_a_recording_cannot_hold_is_said(run_cli, write_script, tmp_path):
    script = write_script("""
        import paddle

        paddle.enable_static()
        x = paddle.static.data("x", [3])
        out = paddle.static.default_main_program().current_block().create_var("out", [3], "float32")
        paddle.static.py_func(lambda a: a, x, out)
        paddle.static.Executor().run(feed={"x": [1.0, 2.0, 3.0]}, fetch_list=[out])
    """)
    run_cli("trace", script, "-o", tmp_path / "run.mpt")
    done = run_cli("program", tmp_path / "run.mpt")
    assert done.returncode == 2
    assert "main calls functions of the script's (py_func), which no recording can hold" in done.stderr


@pytest.mark.parametrize(
    "damage", ['{"name": 3}', "[]", '{"format": "minipaddle program", "version": 1}', "\x00"]
)
def test_a_damaged_program_in_a_recording_is_refused(run_cli, tmp_path, damage):
    run_cli("trace", LAYER, "-o", tmp_path / "run.mpt")
    with zipfile.ZipFile(tmp_path / "run.mpt") as whole, zipfile.ZipFile(tmp_path / "bad.mpt", "w") as bad:
        for member in whole.namelist():
            bad.writestr(member, damage if member == "programs/0.json" else whole.read(member))
    done = run_cli("program", tmp_path / "bad.mpt")
    assert done.returncode == 2
    assert "is damaged" in done.stderr
    assert "Traceback" not in done.stderr


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


def test_the_listing_before_and_after(run_cli):
    done = run_cli("program", LAYER, "--text", "--diff-backward", "--name", "main")
    lines = done.stdout.splitlines()[1:]
    added = [line for line in lines if line.startswith("+")]
    assert any("var w@GRAD : " in line for line in added)
    assert not any("persist trainable param w " in line for line in added)
    assert not any("var _generated_var_0 : " in line for line in added)
    assert sum("op_role = 2," in line for line in added) == 1
    before = [line for line in lines if not line.startswith("+")]
    assert not any("@GRAD']} = matmul_v2_grad" in line for line in before)
    assert {line[0] for line in lines if line} == {"+", " "}


def test_one_block(run_cli):
    done, lines = program(run_cli, LAYER, "--block", "2")
    assert lines[1] == "block 2"
    assert [line.split()[2] for line in lines[2:]] == ["assign", "scale"]
    assert "Program startup" not in done.stdout
    done = run_cli("program", LAYER, "--block", "3")
    assert done.returncode == 2
    assert "no block 3" in done.stderr
    assert "block 2" in done.stderr


def test_variables_on_request(run_cli):
    _, lines = program(run_cli, LAYER, "--variables", "--startup")
    assert (
        lines[2] == "├ persist trainable param w : LOD_TENSOR.shape(2, 1).dtype(float32).stop_gradient(False)"
    )


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


def test_a_script_that_fails_shows_what_it_built(run_cli, write_script):
    script = write_script(
        "import paddle\npaddle.enable_static()\nx = paddle.full([1], 1.0)\nraise ValueError('mine')"
    )
    done = run_cli("program", script)
    assert done.returncode == 1
    assert "ValueError: mine" in done.stderr
    assert "fill_constant" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("eager.py",), 1, "built no Program"),
        (("run.mpt",), 2, "run.mpt"),
        (("nowhere.py",), 2, "nowhere.py"),
        ((str(LAYER), "--name", "train"), 2, "there are main, startup"),
    ],
)
def test_bad_input(run_cli, write_script, tmp_path, arguments, code, said):
    write_script("import paddle\npaddle.ones([1])", name="eager.py")
    done = run_cli("program", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_blocks_of_control_flow_and_functions_of_the_user(run_cli, write_script):
    script = write_script("""
        import paddle

        paddle.enable_static()
        x = paddle.static.data("x", [3])
        y = paddle.static.nn.cond(x.sum() > 0, lambda: x * 2, lambda: paddle.exp(x))
        i, n = paddle.full([1], 0, "int64"), paddle.full([1], 3, "int64")
        paddle.static.nn.while_loop(lambda i: i < n, lambda i: [i + 1], [i])
        def double(a):
            return 2 * a
        out = paddle.static.default_main_program().current_block().create_var("out", [3], "float32")
        paddle.static.py_func(double, y, out)
    """)
    _, lines = program(run_cli, script)
    trees = [line.split("  ")[0].strip() for line in lines if "block" in line and "Program" not in line]
    assert trees[0] == "block 0"
    assert [line for line in trees if line.endswith(("block 1", "block 2", "block 3"))] == [
        "│ └ block 1",
        "│ └ block 2",
        "│ └ block 3",
    ]
    assert any("py_func double" in line for line in lines)


def test_a_picture_of_the_program_itself(run_cli, tmp_path):
    done = run_cli("graph", LAYER, "--program")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "main · 3 ops forward, 3 backward, pass 1 of 1"
    assert "minipaddle: of main, startup: main" in done.stderr
    target = tmp_path / "a.dot"
    run_cli("graph", LAYER, "--unfold", "-o", target)
    assert "rule of matmul" in target.read_text(encoding="utf-8")


def test_a_picture_of_no_program(run_cli, write_script):
    done = run_cli("graph", write_script("import paddle\npaddle.ones([1])"), "--program")
    assert done.returncode == 1
    assert "built no Program" in done.stderr


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


LOOP = """
    import paddle
    paddle.enable_static()
    x = paddle.static.data("x", [2])
    i = paddle.full([1], 0, "int64")
    _, h = paddle.static.nn.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * {factor}), [i, x * 1.0])
    paddle.static.Executor().run(feed={{"x": [1.0, 2.0]}}, fetch_list=[h])
"""


def test_scripts_that_are_compared_know_nothing_of_each_other(run_cli, write_script):
    """Both build on the default Program."""
    first = write_script(LOOP.format(factor="3.0"), name="a.py")
    done = run_cli("diff", first, write_script(LOOP.format(factor="3.0"), name="b.py"))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "nothing differs")
    done = run_cli("diff", first, write_script(LOOP.format(factor="4.0"), name="c.py"))
    assert done.returncode == 3
    lines = [line for line in done.stdout.splitlines() if line.startswith("value")]
    assert "scale" in lines[0]
    assert lines[0].endswith("a.py:5 | c.py:5, iteration 1"), "in a loop, the iteration is told"
