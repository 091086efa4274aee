"""The debugger from Python: `record()` and `step()` around a few lines, and the tape of earlier lines."""

import re
import subprocess
import sys

import numpy as np

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import breakpoint, pm, record, step
from minipaddle.tools.record import Recorder, load


def parts():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    return x, w


def test_backward_alone_has_its_forward(capsys):
    x, w = parts()
    h = x * w
    loss = paddle.tanh(h).sum()
    with step(["goto x@GRAD", "why", "check"]) as run:
        loss.backward()
    said = capsys.readouterr().out
    assert "rule     x@GRAD = h@GRAD * w" in said
    assert "multiply_grad  x  ok" in said
    assert [event.kind for event in run.trace.events if event.kind == "op"] == ["op"] * 3
    (stored,) = [
        run.trace.values[event.outputs[0]]
        for event in run.trace.events
        if event.kind == "store" and (event.into, event.about) == ("grad", 0)
    ]
    np.testing.assert_array_equal(x.grad.numpy(), stored.array)


def test_a_recording_in_python(tmp_path):
    x, w = parts()
    with record() as run:
        loss = (x * w).sum()
        loss.backward()
    run.save(tmp_path / "run.mpt")
    assert len(load(tmp_path / "run.mpt").events) == len(run.trace.events)
    assert "<html" in run.graph().html()


def test_a_block_that_raises_is_recorded_up_to_there():
    x, w = parts()
    try:
        with record() as run:
            x * w
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    assert [event.title for event in run.trace.events] == ["multiply"]


def test_the_prompt_opens_after_the_block(monkeypatch, capsys):
    x, w = parts()
    typed = iter(["step", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    with step():
        (x * w).sum().backward()
    assert "1/" in capsys.readouterr().out


SHARED = paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def test_variables_of_the_module_have_their_names_in_a_function():
    y = (SHARED * 2).sum()
    with record() as run:
        y.backward()
    assert next(value.name for value in run.trace.values) == "SHARED"


def test_a_recording_around_loses_nothing(capsys):
    """Such as the recording of `minipaddle step` on a script that uses this module itself."""

    def script(block):
        x, w = parts()
        h = x * w
        with block():
            h.sum().backward()
        return x + h

    def of(block):
        recorder = Recorder(__file__)
        with watching(recorder):
            script(block)
        return [(event.kind, event.title) for event in recorder.finish().events]

    assert of(record) == of(lambda: step(["step"])) == of(lambda: watching(Recorder("inner")))
    assert of(record).count(("store", "x")) == 1
    assert ("op", "add") in of(record)


LIVING = """
from minipaddle import paddle
import minipaddle.tools.debug as gd
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
h = x * 3
for i in range(2):
    print("turn", i)
    loss = (h * h).sum()
    gd.breakpoint(["jac", "list 99", "locals", "p h"])
    loss.backward(retain_graph=True)
def wrong(a, k):
    b = a * k
    return b + paddle.ones([3])
wrong(x, 5)
"""


def test_a_running_script_is_looked_at_and_goes_on(tmp_path):
    script = tmp_path / "living.py"
    script.write_text(LIVING)
    command = [sys.executable, "-i", str(script)]
    ran = subprocess.run(
        command,
        input="gd.pm(['p b', 'p k', 'up', 'locals'])\n" * 2,
        capture_output=True,
        text=True,
        timeout=60,
    )
    first, second = ran.stdout.split("turn 1")
    assert "x.grad" not in first
    assert first.startswith("turn 0\nrecording begins here; ")
    assert re.search("^i +0$", first, re.MULTILINE)  # Python's variables are those of now
    assert "scale    forward" in first  # h = x * 3, from the tape
    assert first.count("multiply    forward") == 1
    assert "x.grad" in second
    assert second.count("multiply    forward") == 2  # what `jac` computed is not recorded
    assert re.search("^i +1$", second, re.MULTILINE)  # lines are followed from the first call on
    assert "raised ValueError" in second
    assert "recording begins" not in second
    assert second.count("[ 5. 10.]\n5\n") == second.count("►  <module>") == 2  # twice in a row
    assert second.count("raised ValueError") == 2
    assert "Exception ignored" not in ran.stderr


def test_an_error_is_looked_at_without_a_recording(capsys):
    x, w = parts()
    pm([])
    assert capsys.readouterr().out == "there was no error\n"

    def wrong(a, k=7):
        b = a * w
        return b + paddle.ones([3])

    try:
        wrong(x)
    except ValueError:
        pm(["p b", "p k", "back"])
    said = capsys.readouterr().out
    assert said.startswith("nothing was recording: ")
    assert "raised ValueError" in said
    assert "b  [2]" in said
    assert "\n7\n" in said


def test_a_recorded_block_is_what_a_breakpoint_shows(capsys):
    x, w = parts()
    with record() as run:
        x * w
        breakpoint(["list"])
        x + w
    assert capsys.readouterr().out.count("multiply    forward") == 2  # the card, and the list
    assert [event.title for event in run.trace.events] == ["multiply", "add"]


def test_the_prompt_leaves_a_script_alone_without_input_in_threads_and_where_nothing_ran(tmp_path):
    script = tmp_path / "threads.py"
    script.write_text("""
import threading
from minipaddle import paddle
import minipaddle.tools.debug as gd
def work(k):
    for i in range(2):
        gd.breakpoint()
        y = paddle.ones([2]) * k
    print(f"went on {k}\\n", end="")
threads = [threading.Thread(target=work, args=(k,)) for k in (3, 4)]
for one in threads: one.start()
for one in threads: one.join()
""")
    command = f"exec {sys.executable} {script} <&-"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("recording begins here; ") == ran.stdout.count("nothing to show yet") == 2
    assert sorted(re.findall(r"out y  \[2\]  (\d), ", ran.stdout)) == ["3", "4"]
    assert sorted(re.findall("went on (.)", ran.stdout)) == ["3", "4"]
