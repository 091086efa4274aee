"""Commands on a whole run: flow, nan, check, ops. What they find decides the exit code."""

import json
import os
import signal
import subprocess

import pytest

from tests.support.process import CLI, clean_environment
from tests.support.scripts import CUBE

DEEP = """
    import paddle
    from paddle import nn

    paddle.seed(3)
    net = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(3, 3), nn.Sigmoid())], nn.Linear(3, 1))
    for parameter in net.parameters():
        parameter.set_value(parameter * 0.1)
    net(paddle.ones([2, 3])).mean().backward()
"""
NAN = """
    import paddle

    x = paddle.to_tensor([4.0, 0.0], stop_gradient=False)
    y = paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))
    y.sum().backward()
"""
STATIC = """
    import numpy as np
    import paddle

    paddle.enable_static()
    x = paddle.static.data("x", [3])
    x.stop_gradient = False
    y = paddle.static.nn.static_pylayer(lambda a: a * a * a, [x], lambda dy: dy * 3)
    loss = paddle.sum(y)
    paddle.static.append_backward(loss)
    exe = paddle.static.Executor()
    exe.run(paddle.static.default_startup_program())
    exe.run(feed={"x": np.array([1.0, 2.0, -1.5], "float32")}, fetch_list=[loss])
"""


@pytest.mark.parametrize(
    ("command", "source", "words"),
    [
        (("flow", "--low", "1e-5"), DEEP, ["vanishing  <- starts here (", "parameters, "]),
        (("nan",), NAN, ["sqrt_grad", "born", "it reaches x.grad"]),
        (("check",), CUBE, ["Cube_grad  x  wrong", "missing factor x"]),
        (("check",), STATIC, ["pylayer_grad  x  wrong"]),
    ],
)
def test_a_finding_is_exit_code_3(run_cli, write_script, tmp_path, command, source, words):
    script = write_script(source)
    done = run_cli(command[0], script, *command[1:])
    assert done.returncode == 3, done.stderr
    for word in words:
        assert word in done.stdout
    run_cli("trace", script, "-o", tmp_path / "run.mpt")
    again = run_cli(command[0], tmp_path / "run.mpt", *command[1:])
    assert again.returncode == 3
    assert again.stdout == done.stdout


@pytest.mark.parametrize(
    ("command", "source"), [("flow", NAN.replace("0.0]", "1.0]")), ("nan", CUBE), ("check", NAN)]
)
def test_no_finding_is_exit_code_0(run_cli, write_script, command, source):
    assert run_cli(command, write_script(source)).returncode == 0


@pytest.mark.parametrize(
    ("command", "source", "key"), [("flow", DEEP, "flow"), ("nan", NAN, "nan"), ("check", CUBE, "check")]
)
def test_json_is_one_object(run_cli, write_script, command, source, key):
    done = run_cli(
        command,
        write_script(source.replace("import paddle\n", "import paddle\n    print('hello')\n", 1)),
        "--json",
    )
    assert key in json.loads(done.stdout)
    assert "hello" in done.stderr


def test_check_of_one_operator(run_cli):
    done = run_cli("check", "tanh")
    assert done.returncode == 0
    assert "tanh_grad  x  ok" in done.stdout


def test_ops(run_cli):
    assert "matmul" in run_cli("ops").stdout.split()
    one = json.loads(run_cli("ops", "tanh", "--json").stdout)
    assert one["gradients"][0]["keeps"] == ["out"]
    wrong = run_cli("ops", "tahn")
    assert wrong.returncode == 2
    assert "do you mean" in wrong.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("diff", "a.py"), "compare with what"),
        (("nan", "a.py", "--except", "("), "--except ("),
        (("flow", "nowhere.py"), "nowhere.py"),
        (("check",), "name the script"),
    ],
)
def test_what_is_wrong_is_said(run_cli, arguments, said):
    done = run_cli(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_debugger_speaks_chinese(run_cli, write_script):
    script = write_script(CUBE)
    for options, env in ((("--lang", "zh"), {}), ((), {"LANG": "zh_CN.UTF-8"})):
        done = run_cli("step", script, *options, "-c", "continue", "-c", "step", env=env)
        assert "这是记录的结尾" in done.stdout
    ascii = run_cli(
        "step", script, "--lang", "zh", "-c", "continue", "-c", "step", env={"PYTHONIOENCODING": "ascii"}
    )
    assert "this is the end of the recording" in ascii.stdout


def test_ctrl_c_keeps_what_was_recorded(write_script):
    script = write_script(
        "import paddle\nx = paddle.ones([2])\nprint('going', flush=True)\nwhile True:\n    x = x + 1\n"
    )
    process = subprocess.Popen(
        [*CLI, "step", str(script), "-c", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
        start_new_session=True,
    )
    assert process.stdout.readline() == "going\n"
    os.kill(process.pid, signal.SIGINT)
    said, errors = process.communicate(timeout=120)
    assert "KeyboardInterrupt" in errors
    assert "full" in said
    assert process.returncode == 130


PY_FUNC = """
    import numpy as np
    import paddle

    paddle.enable_static()
    x = paddle.static.data("x", [3], "float32")
    x.stop_gradient = False
    out = paddle.static.default_main_program().current_block().create_var(name="out", dtype="float32", shape=[3])
    cube = paddle.static.py_func(lambda a: np.array(a) ** 3, x, out, backward_func=lambda a, o, g: FORMULA)
    loss = paddle.sum(cube)
    paddle.static.append_backward(loss)
    exe = paddle.static.Executor()
    exe.run(feed={"x": np.array([1.0, 2.0, -1.5], "float32")}, fetch_list=[loss])
"""


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("3 * np.array(g) * np.array(a) ** 2", 0),
        ("3 * np.array(g) * np.array(a)", 3),
        ("-3 * np.array(g) * np.array(a) ** 2", 3),
    ],
)
def test_a_py_func_is_checked(run_cli, write_script, formula, code):
    done = run_cli("check", write_script(PY_FUNC.replace("FORMULA", formula)))
    assert done.returncode == code, done.stdout
    if code:
        assert "missing factor x" in done.stdout or "wrong sign" in done.stdout


@pytest.mark.parametrize(
    ("expression", "birth"),
    [
        ("paddle.log(x)", "log  "),
        ("paddle.static.nn.cond(paddle.sum(x) > 0, lambda: paddle.sqrt(x), lambda: x)", "sqrt_grad"),
        (
            "paddle.static.nn.static_pylayer(lambda a: a * 2, [x], lambda dy: dy / paddle.zeros_like(dy))",
            "divide",
        ),
        ("paddle.where(x > 0, 1 / x, paddle.zeros_like(x))", "divide"),
    ],
)
def test_in_a_program_the_birth_is_named_too(run_cli, write_script, expression, birth):
    script = write_script(
        f"""
        import numpy as np
        import paddle

        paddle.enable_static()
        x = paddle.static.data("x", [2], "float32")
        x.stop_gradient = False
        loss = paddle.sum({expression})
        paddle.static.append_backward(loss)
        exe = paddle.static.Executor()
        exe.run(feed={{"x": np.array([4.0, 0.0], "float32")}}, fetch_list=[loss])
        """
    )
    done = run_cli("nan", script, "--inf")
    assert done.returncode == 3
    born = next(line for line in done.stdout.splitlines() if "  born  " in line)
    assert birth in born


DEEP = """
    import paddle
    a = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    b = paddle.to_tensor([3.0, 0.5], stop_gradient=False)
    (paddle.tanh(a * 5) * b).sum().backward()
"""


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("culprit", lambda row: not row["begins"]),
        ("pass", lambda row: row["i"]),
        ("size", lambda row: row["rms"]),
        ("name", lambda row: row["for"]),
    ],
)
def test_the_table_of_flow_is_sorted_as_asked(run_cli, write_script, order, key):
    done = run_cli("flow", write_script(DEEP), "--low", "1e-2", "--sort", order, "--json")
    rows = json.loads(done.stdout)["flow"]
    assert len(rows) >= 4
    assert [key(row) for row in rows] == sorted(key(row) for row in rows)


SINGLE = """
    import numpy as np
    import paddle

    class Scale(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            weights = paddle.to_tensor(np.float32([[2.0, 1.0], [0.5, 3.0]]))
            return paddle.matmul(x.astype("float32"), weights)  # float32 whatever comes in

        @staticmethod
        def backward(ctx, dy):
            return FACTOR * paddle.matmul(dy, paddle.to_tensor(np.float32([[2.0, 0.5], [1.0, 3.0]])))

    x = paddle.to_tensor([[1.0, -2.0], [0.25, 100.0]], stop_gradient=False)
    Scale.apply(x).sum().backward()
"""


@pytest.mark.parametrize(("factor", "code"), [("1.0", 0), ("1.1", 3)])
def test_what_works_in_single_precision_only_is_checked_in_it(run_cli, write_script, factor, code):
    script = write_script(SINGLE.replace("FACTOR", factor))
    done = run_cli("check", script, "--dtype", "float32")
    assert done.returncode == code, done.stdout
    assert "unchecked" not in done.stdout


def test_every_common_operator_is_right_in_single_precision_too(run_cli):
    for name in ("tanh", "matmul", "softmax", "exp"):
        assert run_cli("check", name, "--dtype", "float32").returncode == 0


OUTSIDE = """
    import numpy as np
    import paddle

    class Cube(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return paddle.to_tensor(x.numpy() ** 3)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensor()
            return dy * 3 * x * x

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    Cube.apply(x).sum().backward()
"""


def test_code_outside_of_paddle_is_checked_in_a_script_and_unchecked_in_a_recording(
    run_cli, write_script, tmp_path
):
    script = write_script(OUTSIDE)
    assert "Cube_grad  x  ok" in run_cli("check", script).stdout
    run_cli("trace", script, "-o", "run.mpt", cwd=tmp_path)
    done = run_cli("check", "run.mpt", cwd=tmp_path)
    assert done.returncode == 0  # what is not known is no finding
    assert "unchecked  Cube.forward computes outside of paddle's operators (NumPy, say)" in done.stdout
    assert "check the script itself" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 gradients checked, 0 wrong, 1 unchecked"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nan", "--except", "("], "--except"),
        (["check", "--node", "("], "--node"),
        (["flow", "--sort", "x"], "sort"),
    ],
)
def test_bad_options_are_refused(run_cli, write_script, arguments, words):
    done = run_cli(arguments[0], write_script(DEEP), *arguments[1:])
    assert done.returncode == 2
    assert words in done.stderr


def test_ops_leads_to_paddle_s_pages(run_cli):
    pages = "https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle"
    assert f"{pages}/tanh_en.html" in run_cli("ops", "tanh").stdout
    entry = json.loads(run_cli("ops", "adam", "--json").stdout)
    assert (entry["paddle"], entry["type"]) == (f"{pages}/optimizer/Adam_en.html", "adam")
    assert entry["source"].startswith("minipaddle/ops/optimizer_steps/adam.py:")


STEPS = """
    import paddle

    w = paddle.create_parameter([2], "float32")
    optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
    for i in range(4):
        (w * w).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
"""
STATIC_STEPS = """
    import numpy as np
    import paddle

    paddle.enable_static()
    x = paddle.static.data("x", [2, 3])
    loss = paddle.mean(paddle.static.nn.fc(x, 2))
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = paddle.static.Executor()
    exe.run(paddle.static.default_startup_program())
    for i in range(4):
        exe.run(feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss])
"""


@pytest.mark.parametrize(("source", "parameters"), [(STEPS, 1), (STATIC_STEPS, 2)], ids=["eager", "static"])
@pytest.mark.parametrize("number", [1, 2, 4])
def test_flow_of_a_later_step(run_cli, write_script, source, parameters, number):
    done = run_cli("flow", write_script(source), "--pass", str(number))
    assert done.stdout.splitlines()[-1] == f"pass {number}: {parameters} parameters, all well"
    assert done.returncode == 0


def test_flow_at_the_begin_of_a_later_step(run_cli, write_script):
    done = run_cli("step", write_script(STEPS), "--pass", "3", "-c", "flow", "-c", "tree")
    assert "pass 3: 1 parameters, all well" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("command", ["flow", "nan", "check", "step", "trace", "graph"])
def test_a_pass_that_does_not_exist_is_refused(run_cli, write_script, command):
    done = run_cli(command, write_script(STEPS), "--pass", "9", input="")
    assert done.returncode == 2
    assert "there is no pass 9: the script ran 4 backward passes" in done.stderr


def test_flow_of_one_pass_of_a_recording(run_cli, write_script, tmp_path):
    run_cli("trace", write_script(STEPS), "-o", tmp_path / "a.mpt", "--passes", "all")
    assert "pass 2: 1 parameters" in run_cli("flow", tmp_path / "a.mpt", "--pass", "2").stdout
    done = run_cli("flow", tmp_path / "a.mpt", "--pass", "9")
    assert (done.returncode, "the script ran 4 backward passes" in done.stderr) == (2, True)
