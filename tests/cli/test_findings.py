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


def test_ops(run_cli):
    assert "matmul" in run_cli("ops").stdout.split()
    one = json.loads(run_cli("ops", "tanh", "--json").stdout)
    assert one["gradients"][0]["keeps"] == ["out"]
    run_cli("ops", "tahn").ended(2, told="do you mean")


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


def test_every_common_operator_is_right_in_single_precision_too(run_cli):
    for name in ("tanh", "matmul", "softmax", "exp"):
        assert run_cli("check", name, "--dtype", "float32").returncode == 0


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


@pytest.mark.parametrize("command", ["flow", "nan", "check", "step", "trace", "graph"])
def test_a_pass_that_does_not_exist_is_refused(run_cli, write_script, command):
    run_cli(command, write_script(STEPS), "--pass", "9", input="").ended(
        2, told="there is no pass 9: the script ran 4 backward passes"
    )
