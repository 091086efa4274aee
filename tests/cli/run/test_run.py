"""`minipaddle run`: the paddle that a script gets, its errors, modules, bad input, flags."""

import multiprocessing.spawn
import signal
import subprocess

import pytest

from tests.support.process import CLI, ROOT

TRAINING = """
    import paddle
    import paddle.nn.functional as F

    x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
    F.relu(x).sum().backward()
    print(paddle.__name__, x.grad.numpy().tolist())
"""


def test_a_script_without_paddle_waits_for_no_numpy(start_cli, write_script):
    script = write_script(
        "import sys\nprint([name for name in ('numpy', 'minipaddle.paddle.static') if name in sys.modules])"
    )
    assert start_cli("run", script).stdout == "[]\n"


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


# ---- bad input


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
