"""`minipaddle run`: which paddle a script gets, what is said of its errors, modules, bad input, flags."""

import multiprocessing.spawn
import os
import signal
import subprocess

import pytest

from minipaddle.engine.names.refused import refusal
from tests.support.process import CLI, ROOT

TRAINING = """
    import paddle
    import paddle.nn.functional as F

    x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
    F.relu(x).sum().backward()
    print(paddle.__name__, x.grad.numpy().tolist())
"""


def test_paddle_is_minipaddle(run_cli, write_script):
    script = write_script(TRAINING)
    done = run_cli("run", script)
    assert (done.returncode, done.stdout) == (0, "minipaddle.paddle [1.0, 0.0]\n"), done.stderr
    assert done.stderr == f"minipaddle: ran {script} with minipaddle as paddle\n"


def test_a_script_without_paddle_waits_for_no_numpy(start_cli, write_script):
    script = write_script(
        "import sys\nprint([name for name in ('numpy', 'minipaddle.paddle.static') if name in sys.modules])"
    )
    assert start_cli("run", script).stdout == "[]\n"


def test_quiet(run_cli, write_script):
    assert run_cli("run", "--quiet", write_script(TRAINING)).stderr == ""


def test_an_installed_paddle_is_not_touched(start_cli, write_script, tmp_path):
    write_script("raise SystemExit('the other paddle was imported')", "paddle.py")
    done = start_cli("run", write_script(TRAINING), env={"PYTHONPATH": f"{tmp_path}:{ROOT}"})
    assert (done.returncode, done.stdout) == (0, "minipaddle.paddle [1.0, 0.0]\n"), done.stderr


def test_seed_makes_a_run_repeatable(run_cli, write_script):
    script = write_script("""
        import random, numpy, paddle
        print(random.random(), numpy.random.rand(), paddle.rand([2]).numpy().tolist())
    """)
    first, again, other = (run_cli("run", "--seed", n, script).stdout for n in ("7", "7", "8"))
    assert first == again != other


MISSING = {
    "attribute": ("import paddle\npaddle.too_tensor(1)", "paddle.too_tensor", "paddle.to_tensor"),
    "deep attribute": (
        "import paddle\npaddle.nn.functional.relux",
        "paddle.nn.functional.relux",
        "paddle.nn.functional.relu",
    ),
    "from import": ("from paddle.nn import Liner", "paddle.nn.Liner", "paddle.nn.Linear"),
    "from a file of a package": (
        "from paddle.nn.functional.common import lineer",
        "paddle.nn.functional.common.lineer",
        "paddle.nn.functional.common.linear",
    ),
    "module": ("import paddle.optimiser", "paddle.optimiser", "paddle.optimizer"),
    "method": ("import paddle\npaddle.ones([1]).summ()", "summ", "sum"),
}


@pytest.mark.parametrize(("source", "name", "nearest"), MISSING.values(), ids=MISSING.keys())
def test_a_missing_name_is_exit_code_4(run_cli, write_script, source, name, nearest):
    script = write_script(source)
    done = run_cli("run", script)
    assert done.returncode == 4
    assert f'File "{script}", line {len(source.splitlines())}' in done.stderr
    assert name in done.stderr
    assert nearest in done.stderr.replace(name, "")
    assert done.stderr.endswith(f"to see all such names: minipaddle coverage {script}\n")


REFUSED = {
    "module": "import paddle.sparse.nn",
    "from import": "from paddle import sparse",
    "attribute": "import paddle\npaddle.sparse.sparse_coo_tensor([[0]], [1.0])",
    "method": "import paddle\npaddle.ones([1]).to_sparse_coo(1)",
    "method of a variable": "import paddle\npaddle.enable_static()\npaddle.ones([1]).to_sparse_csr()",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_name_says_what_it_is_and_where_it_works(run_cli, write_script, source):
    done = run_cli("run", write_script(source))
    assert done.returncode == 4
    assert f": {refusal('paddle.sparse')}" in done.stderr
    assert "nearest" not in done.stderr


def test_errors_of_the_engine_end_at_the_users_line(run_cli, write_script):
    script = write_script("import paddle\n\nx = paddle.ones([2, 3])\ny = paddle.matmul(x, x)\n")
    done = run_cli("run", script)
    assert done.returncode == 1
    assert f'File "{script}", line 4' in done.stderr
    assert f"{os.sep}minipaddle{os.sep}" not in done.stderr


def test_ctrl_c(write_script, run_cli):
    done = run_cli("run", write_script("print('up', flush=True)\nraise KeyboardInterrupt"))
    assert (done.returncode, done.stdout) == (130, "up\n")
    assert "KeyboardInterrupt" in done.stderr


def test_a_real_interrupt(write_script):
    script = write_script("import sys\nprint('up', flush=True)\nsys.stdin.read()")
    process = subprocess.Popen(
        [*CLI, "run", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "up\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "KeyboardInterrupt" in errors
    assert "cli.py" not in errors


# ---- modules
SPAWNED = """
    import multiprocessing
    import paddle

    def work(answers, number):
        x = paddle.to_tensor([float(number)], stop_gradient=False)
        (x * x).sum().backward()
        answers.put((paddle.__name__, x.grad.tolist()))

    if __name__ == "__main__":
        context = multiprocessing.get_context("spawn")
        answers = context.Queue()
        process = context.Process(target=work, args=(answers, 3))
        process.start()
        print(answers.get(timeout=100))
        process.join()
"""


def test_a_process_that_the_script_spawns_has_the_same_paddle(start_cli, write_script):
    done = start_cli("run", write_script(SPAWNED))
    assert done.stdout == "('minipaddle.paddle', [6.0])\n", done.stderr


def test_multiprocessing_is_as_it_was_after_the_script(run_cli, write_script):
    before = multiprocessing.spawn.get_preparation_data
    run_cli("run", write_script("import multiprocessing.spawn"))
    assert multiprocessing.spawn.get_preparation_data is before


def test_pytest_with_somebodys_tests(start_cli, write_script, tmp_path):
    write_script(
        """
        import paddle

        def test_gradient():
            x = paddle.to_tensor(3.0, stop_gradient=False)
            (x * x).backward()
            assert float(x.grad) == 6.0

        def test_that_fails():
            assert paddle.ones([1]).shape == [2]
    """,
        "test_somebody.py",
    )
    done = start_cli(
        "run", "-m", "pytest", "--", "-q", "-p", "no:cacheprovider", "test_somebody.py", cwd=tmp_path
    )
    assert "1 failed, 1 passed" in done.stdout, done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["no_such_module", "json", "paddle.no_such_module"])
def test_a_module_that_cannot_be_run(run_cli, name):
    done = run_cli("run", "-m", name)
    assert done.returncode == 2
    assert done.stderr.startswith("minipaddle: ")
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_module_that_raises(run_cli, write_script, tmp_path):
    script = write_script("import no_such_thing", "tool.py")
    done = run_cli("run", "-m", "tool", cwd=tmp_path)
    assert done.returncode == 1
    assert f'File "{script}", line 1' in done.stderr
    assert "runpy" not in done.stderr


# ---- bad input
def test_a_script_that_is_not_there(run_cli, write_script, tmp_path):
    write_script("", "train.py")
    done = run_cli("run", "trian.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "minipaddle: there is no file trian.py; nearest: train.py\n"


UNUSABLE = {
    "binary": (b"\x7fELF\0\0\0", "binary data"),
    "latin-1 in line 1": ("# é\nx = 1".encode("latin-1"), "cannot be decoded"),
    "latin-1 in line 4": ("x = 1\n\n\n# é".encode("latin-1"), "no utf-8 text in line 4"),
    "unknown encoding": (b"# -*- coding: klingon -*-\n", "klingon"),
}


@pytest.mark.parametrize(("data", "reason"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_file_that_is_not_python(run_cli, tmp_path, data, reason):
    script = tmp_path / "picture.py"
    script.write_bytes(data)
    done = run_cli("run", script)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_directory(run_cli, write_script, tmp_path):
    write_script("", "main.py")
    done = run_cli("run", tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"minipaddle: {tmp_path} is a directory: name the script in it; nearest: {tmp_path / 'main.py'}\n"
    )


def test_no_script_at_all(run_cli):
    done = run_cli("run")
    assert done.returncode == 2
    assert "name the script" in done.stderr


def test_an_option_of_the_script_before_the_dashes(run_cli, write_script):
    done = run_cli("run", write_script("print('ran')"), "--lr", "0.1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no option --lr" in done.stderr
    assert "minipaddle run SCRIPT -- --lr" in done.stderr


# ---- terminals
def test_gbk_output(start_cli, write_script):
    script = write_script("print('梯度 ∂')", "训练.py")
    done = start_cli("run", script, env={"PYTHONIOENCODING": "gbk"})
    assert done.returncode == 0, done.stderr
    gradient = "梯度".encode("gbk").decode("utf-8", "backslashreplace")
    assert done.stdout == f"{gradient} ?\n"
    assert "训练.py".encode("gbk").decode("utf-8", "backslashreplace") in done.stderr


def test_no_colour(start_cli, write_script):
    script = write_script("import paddle\npaddle.too_tensor(1)")
    for command in ("run", "coverage"):
        done = start_cli(command, script, env={"NO_COLOR": "1", "FORCE_COLOR": "1"})
        assert done.returncode == 4
        assert "\x1b[3" not in done.stdout + done.stderr


# ---- flags
def test_flags_are_set_before_the_script_runs(run_cli, write_script):
    script = write_script(
        "import paddle\nprint(paddle.get_flags(['FLAGS_check_nan_inf', 'FLAGS_benchmark']))\n"
    )
    done = run_cli("run", "--quiet", "--flags", "check_nan_inf=1", "--flags", "FLAGS_benchmark=False", script)
    assert done.stdout == "{'FLAGS_check_nan_inf': True, 'FLAGS_benchmark': False}\n"
    bad = run_cli("run", script, "--flags", "nonsense")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "a flag is set by NAME=VALUE" in bad.stderr


def test_a_flag_makes_the_first_nan_raise(run_cli, write_script):
    script = write_script("import paddle\npaddle.log(paddle.to_tensor([0.0]) - 1)\n")
    assert run_cli("run", script).returncode == 0
    assert run_cli("run", script, "--flags", "check_nan_inf=true").returncode == 1
