"""The runner returns, however a script ends, and the process is unchanged."""

import os
import sys

import pytest

from minipaddle.importer import uninstall
from minipaddle.tools.run.runner import run_module, run_script
from minipaddle.tools.run.source import UnusableScript


@pytest.fixture(autouse=True)
def paddle_afterwards():
    """Take the name `paddle` back after each test."""
    yield
    uninstall()


def test_the_end_of_a_script_that_runs_through(write_script):
    end = run_script(write_script("import paddle"))
    assert (end.exit_code, end.exception, end.lacks_paddle_name) == (0, None, False)


@pytest.mark.parametrize(
    ("line", "code", "kind"),
    [
        ("raise ValueError('no')", 1, ValueError),
        ("import sys; sys.exit(3)", 3, SystemExit),
        ("import sys; sys.exit()", 0, SystemExit),
        ("import sys; sys.exit('gone')", 1, SystemExit),
        ("import sys; sys.exit(-1)", 255, SystemExit),
        ("raise KeyboardInterrupt", 130, KeyboardInterrupt),
        ("def f(:", 1, SyntaxError),
    ],
)
def test_the_end_of_one_that_does_not(write_script, line, code, kind):
    end = run_script(write_script(line))
    assert end.exit_code == code
    assert isinstance(end.exception, kind)


def test_what_it_changed_in_the_process_is_as_before(write_script, tmp_path):
    script = write_script("""
        import os, sys
        os.chdir("/")
        sys.argv.append("x"); sys.argv = None
        sys.path.clear()
        sys.stdout = sys.stderr = None
        sys.excepthook = print
    """)

    def state():
        return (
            sys.argv,
            list(sys.path),
            sys.stdout,
            sys.stderr,
            sys.excepthook,
            os.getcwd(),
            sys.modules["__main__"],
        )

    before = state()
    assert run_script(script).exit_code == 0
    assert state() == before


@pytest.mark.parametrize("source", ["sys.stdout.buffer", "sys.stdout.detach()"])
def test_standard_output_works_after_a_script_that_put_its_own_in_place(run_python, write_script, source):
    script = write_script(
        f"import io, sys\nsys.stdout = io.TextIOWrapper({source}, encoding='utf-8')\nprint('in')"
    )
    code = "import sys; from minipaddle.tools.run.runner import run_script; run_script(sys.argv[1]); print('after')"
    done = run_python("-c", code, script)
    assert (done.returncode, done.stdout) == (0, "in\nafter\n"), done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "paddle.no_such_name",
        "from paddle import no_such_name",
        "import paddle.no_such_module",
        "paddle.ones([1]).no_such_method",
        "paddle.Tensor.no_such_method",
        "paddle.optimizer.lr.StepDecay(0.1, 2).no_such_method",
    ],
)
def test_a_name_that_minipaddle_lacks(write_script, line):
    assert run_script(write_script(f"import paddle\n{line}")).lacks_paddle_name


@pytest.mark.parametrize(
    "line",
    [
        "'text'.no_such_method",
        "class Net(paddle.nn.Layer): pass\nNet().fc3",
        "paddle.nn.Sequential().fc3",
        "paddle.autograd.PyLayerContext().forgotten",
        "import no_such_thing",
        "raise AttributeError('own')",
    ],
)
def test_a_name_that_the_script_itself_lacks(write_script, line):
    end = run_script(write_script(f"import paddle\n{line}"))
    assert end.exit_code == 1
    assert not end.lacks_paddle_name


def test_unusable_scripts(tmp_path):
    with pytest.raises(UnusableScript, match="there is no file"):
        run_script(tmp_path / "nothing.py")
    with pytest.raises(UnusableScript, match="no_such_module"):
        run_module("no_such_module")
    with pytest.raises(UnusableScript, match="cannot be directly executed"):
        run_module("json")


def test_an_import_error_inside_a_module_is_the_modules(tmp_path, monkeypatch):
    (tmp_path / "broken_module.py").write_text("import no_such_thing", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    end = run_module("broken_module")
    assert end.exit_code == 1
    assert isinstance(end.exception, ModuleNotFoundError)
