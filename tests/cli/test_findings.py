"""Commands on a whole run: flow, nan, check, ops. Their findings decide the exit code."""

import json
import os
import signal
import subprocess

import pytest

from tests.support.commands import run_command
from tests.support.process import CLI, clean_environment
from tests.support.scripts import CUBE

DEEP = """
    import paddle
    a = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    b = paddle.to_tensor([3.0, 0.5], stop_gradient=False)
    (paddle.tanh(a * 5) * b).sum().backward()
"""
NAN = """
    import paddle

    x = paddle.to_tensor([4.0, 0.0], stop_gradient=False)
    paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x)).sum().backward()
"""


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


def test_every_common_operator_is_right_in_single_precision_too(run_cli):
    for name in ("tanh", "matmul", "softmax", "exp"):
        assert run_cli("check", name, "--dtype", "float32").returncode == 0


def test_ops_leads_to_paddle_s_pages(run_cli):
    pages = "https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle"
    assert f"{pages}/tanh_en.html" in run_cli("ops", "tanh").stdout
    entry = json.loads(run_cli("ops", "adam", "--json").stdout)
    assert (entry["paddle"], entry["type"]) == (f"{pages}/optimizer/Adam_en.html", "adam")
    assert entry["source"].startswith("minipaddle/ops/optimizer_steps/adam.py:")


def test_a_script_that_catches_everything_ends_its_recording_and_the_answer_says_so(run_cli, write_script):
    script = """
        import paddle
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        opt = paddle.optimizer.SGD(0.1, parameters=[w])
        for _ in range(3):
            try:
                (w * w).sum().backward()
                opt.step()
                opt.clear_grad()
            except ValueError:
                pass
    """
    plain = run_cli("flow", write_script(script))
    caught = run_cli("flow", write_script(script.replace("ValueError", "BaseException")))
    assert (plain.returncode, plain.stdout) == (caught.returncode, caught.stdout)
    assert "and ended the script there; --pass" in plain.stderr
    assert "recorded training step 1 (" in caught.stderr
    assert "the script caught the exception that ends it" in caught.stderr
    assert "ended the script there" not in caught.stderr


NAN_DATA = {
    "a column that is the same everywhere": "(table - table.mean(axis=0)) / table.std(axis=0)",
    "a logarithm of less than nothing": "np.log(table - 2)",
}


@pytest.mark.parametrize("made", NAN_DATA.values(), ids=NAN_DATA)
def test_data_that_come_with_nan_have_the_line_at_which_numpy_warned(made, tmp_path):
    (tmp_path / "train.py").write_text(
        "import warnings\nimport numpy as np\nimport paddle\nwarnings.simplefilter('always')\n"
        f"table = np.float32([[1, 5], [1, 7]])\ntable = {made}\n"
        "net = paddle.nn.Linear(2, 1)\nnet(paddle.to_tensor(table)).mean().backward()\n"
    )
    done = run_command("flow", tmp_path / "train.py")
    assert "NaN into the recording; NumPy said at train.py:6: invalid value" in done.stdout


def test_a_warning_about_data_that_are_finite_is_not_told(tmp_path):
    (tmp_path / "train.py").write_text(
        "import warnings\nimport numpy as np\nimport paddle\nwarnings.simplefilter('always')\n"
        "table = np.nan_to_num(np.float32([[0, 5]]) / np.float32([[0, 1]]))\n"
        "net = paddle.nn.Linear(2, 1)\nnet(paddle.to_tensor(table)).mean().backward()\n"
    )
    done = run_command("flow", tmp_path / "train.py")
    assert (done.returncode, "NumPy said" in done.stdout) == (0, False)
