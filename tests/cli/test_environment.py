"""A command in an Environment acts as in a process of its own, and leaves no trace in this process."""

import io
import os
import sys
import warnings

import pytest

from minipaddle import paddle
from minipaddle.tools.cli import main
from tests.support.environment import Environment

CHANGES_EVERYTHING = """
    import os, sys, warnings
    import numpy, paddle
    import neighbour

    print("in", os.getcwd() == os.environ["HERE"], sys.argv[1:], sys.stdin.read(), neighbour.value)
    print(os.environ.get("HOME"))
    print("梯度 ∂", file=sys.stderr)
    warnings.warn("old", DeprecationWarning)
    print(paddle.to_tensor([1.0 / 3]), paddle.nn.Linear(2, 2).parameters()[0].name, paddle.in_dynamic_mode())
    print(paddle.static.default_main_program().global_block().ops, paddle.get_flags("FLAGS_cudnn_deterministic"))
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * x).sum().backward()

    neighbour.value = 2
    paddle.set_default_dtype("float64")
    paddle.set_printoptions(precision=2)
    paddle.set_flags({"FLAGS_cudnn_deterministic": True})
    paddle.seed(1)
    paddle.enable_static()
    paddle.static.data("x", [1]) + 1
    with paddle.static.name_scope("scope"):
        print((paddle.static.data("y", [1]) + 1).block.ops[-1].attr("op_namescope"))
    warnings.simplefilter("error")
    os.environ["MINE"] = "here"
    os.environ.pop("LANG")
    os.chdir("/")
    sys.path.insert(0, "/nowhere")
    sys.argv = ["no", "more"]
"""

COMMANDS = {
    "run": ["run", "script.py", "--", "-v", "x"],
    "run a module": ["run", "-m", "script"],
    "graph": ["graph", "script.py"],
    "graph to a file": ["graph", "script.py", "-o", "a.dot"],
    "step": ["step", "script.py", "-c", "step", "-c", "why", "-c", "nonsense"],
    "step, JSON": ["step", "script.py", "--json", "-c", "step", "-c", "why"],
    "trace": ["trace", "script.py", "-o", "run.mpt"],
    "program": ["program", "script.py"],
    "flow": ["flow", "script.py"],
    "nan": ["nan", "script.py"],
    "check": ["check", "script.py"],
    "diff": ["diff", "script.py", "other.py"],
    "diff, the other way": ["diff", "other.py", "script.py"],
    "ops": ["ops", "tanh"],
    "coverage": ["coverage", "script.py"],
    "lesson": ["lesson"],
    "help": ["graph", "--help"],
    "version": ["--version"],
    "no such command": ["grpah"],
    "no such option": ["graph", "--colour", "script.py"],
    "no such script": ["run", "skript.py"],
}


@pytest.fixture
def folder(tmp_path, write_script):
    """A folder with scripts that change everything that can be changed."""
    write_script("value = 1\n", "neighbour.py")
    write_script(CHANGES_EVERYTHING)
    write_script("import paddle\nimport neighbour\nprint(neighbour.value, paddle.ones([2]))\n", "other.py")
    return tmp_path


def told(done):
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        *((words, "utf-8") for words in COMMANDS.values()),
        (COMMANDS["graph"], "ascii"),
        (COMMANDS["step"], "gbk"),
    ],
    ids=[*COMMANDS, "graph, ASCII", "step, GBK"],
)
def test_it_is_as_in_a_process_of_its_own(run_cli, start_cli, folder, words, encoding):
    options = {
        "cwd": folder,
        "input": "typed\n",
        "env": {"HERE": str(folder), "PYTHONIOENCODING": encoding, "HOME": "/nobody"},
    }
    assert told(run_cli(*words, **options)) == told(start_cli(*words, **options))


def test_the_second_command_knows_nothing_of_the_first(run_cli, folder):
    options = {"cwd": folder, "env": {"HERE": str(folder)}}
    first, second = (run_cli("run", "script.py", **options) for _ in range(2))
    assert told(first) == told(second)
    first.ended(0, "in True [] ")


def state():
    """Return the state that a command could change, and the threads that wait."""
    return (
        *(sys.stdin, sys.stdout, sys.stderr, sys.argv, [*sys.path], os.getcwd(), dict(os.environ)),
        *(set(sys.modules), sys.excepthook, [*warnings.filters]),
        *(
            paddle.get_default_dtype(),
            paddle.in_dynamic_mode(),
            paddle.get_flags("FLAGS_cudnn_deterministic"),
        ),
        *(repr(paddle.to_tensor([1.0 / 3])), str(paddle.static.default_main_program())),
    )


def test_nothing_of_it_is_left(run_cli, folder):
    options = {"cwd": folder, "env": {"HERE": str(folder)}}
    run_cli("run", "script.py", **options)  # its imports are loaded
    before = state()
    assert run_cli("run", "script.py", **options).returncode == 0
    assert state() == before


def test_numbers_drawn_in_a_command_are_not_missed_outside(run_cli, write_script):
    paddle.seed(5)
    expected = paddle.rand([2]).tolist()
    paddle.seed(5)
    assert run_cli("run", write_script("import paddle\npaddle.seed(1)\npaddle.rand([3])\n")).returncode == 0
    assert paddle.rand([2]).tolist() == expected


def test_an_environment_is_asked_for_everything(tmp_path):
    """Without the tests' helper: an Environment is enough to run the whole command line."""
    script = tmp_path / "script.py"
    script.write_text("import os\nprint(input(), os.environ['WHO'])\nraise SystemExit(7)\n")
    stdin, stdout, stderr = io.StringIO("hello\n"), io.StringIO(), io.StringIO()
    environment = Environment(["run", "script.py"], stdin, stdout, stderr, tmp_path, {"WHO": "Ada"})
    with pytest.raises(SystemExit) as end, environment.in_effect():
        main()
    assert end.value.code == 7
    assert stdout.getvalue() == "hello Ada\n"
    assert stderr.getvalue() == "minipaddle: script.py ended with exit code 7\n"
