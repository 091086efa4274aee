"""The tools as `minipaddle` offers them: on a recording, and loaded only on first use."""

import subprocess
import sys

import pytest

import minipaddle
from minipaddle import paddle


@pytest.fixture
def run():
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with minipaddle.record() as run:
        (w * w).sum().backward()
    return run


@pytest.mark.parametrize("of", [lambda run: run, lambda run: run.trace], ids=["run", "trace"])
def test_the_tools_look_at_a_recording(run, of):
    picture = minipaddle.graph(of(run))
    assert "2 ops forward" in repr(picture)
    assert "multiply_grad" in picture.dot
    assert "numbers  w@GRAD[1] = 2 + 2 = 4" in repr(minipaddle.why(of(run), "w.grad"))
    assert minipaddle.check(of(run))[-1] == "3 gradients checked, 0 wrong"
    assert minipaddle.flow(of(run))[-1] == "pass 1: 1 parameter, all well"


def test_step_records_and_carries_out_commands(capsys):
    w = paddle.to_tensor([3.0], stop_gradient=False)
    with minipaddle.step(["goto w.grad", "print w.grad"]) as run:
        (w * w).backward()
    assert "6" in capsys.readouterr().out
    assert run.trace.passes == 1


def test_a_name_that_is_no_tool_is_refused():
    with pytest.raises(AttributeError, match=r"Paddle's names are in minipaddle\.paddle"):
        minipaddle.to_tensor


def test_the_package_loads_no_tool_before_one_is_asked_for():
    script = (
        "import sys, minipaddle; dir(minipaddle)\n"
        "print([name for name in sys.modules if name == 'numpy' or name.startswith('minipaddle.tools')])\n"
        "minipaddle.why; print('minipaddle.tools.debug.questions' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nTrue\n"
