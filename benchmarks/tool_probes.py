"""What tools.py measures, each in a fresh process: `python -m benchmarks.tool_probes NAME` prints JSON."""

import gc
import resource
import subprocess
import sys
import tempfile
import time
from inspect import getsource
from pathlib import Path
from statistics import median

import minipaddle
from benchmarks.engines import ROOT
from benchmarks.network import network
from benchmarks.probes import answer, memory, ready, seconds
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder, load, save
from minipaddle.tools.words.terminal import UNICODE

ROUNDS = 11
ANSWERS = 21
SCRIPTS = 7
BUDGETS = {"plain": None, "statistics": 0, "values": 256, "values and variables": 256}
BLOCK = 10
"""Events of a block: two parameters made, three operators, their gradients, two gradients that reach a parameter."""


def recording(case, steps):
    """Time some steps of a case plainly and recorded, in turns; return the medians of the ratios.

    They are ratios to the plain run; with Python's variables, to the run recorded without them.

    To the recorded run belongs all that it takes until events and numbers are there.
    """
    step, ratios = ready(case), {name: [] for name in BUDGETS if name != "plain"}
    seconds(step, 3)
    for turn in range(ROUNDS):
        ways = list(BUDGETS)[:: 1 if turn % 2 else -1]
        taken = {way: _recorded_seconds(step, int(steps), way) for way in ways}
        for name, found in ratios.items():
            found.append(taken[name] / taken["values" if name.endswith("variables") else "plain"])
    return {name: median(found) for name, found in ratios.items()}


def _recorded_seconds(step, steps, way):
    """Time `steps` steps, plainly or while they are recorded in some way."""
    gc.collect()
    start = time.process_time()
    if BUDGETS[way] is None:
        seconds(step, steps)
    else:
        recorder = Recorder(max_mb=BUDGETS[way])
        with watching(recorder), recorder.lines.followed(way.endswith("variables")):
            seconds(step, steps)
        recorder.finish()
    return time.process_time() - start


def script(case, steps):
    """Run a training script by `minipaddle run` and `minipaddle trace`, in turns; return the median of the ratios.

    Starting Python, loading the engine and making the network count on both sides, writing the file on one.
    """
    text = f"""\
from benchmarks.cases.{case} import setup

step = setup()
for _ in range({steps}):
    step()
"""
    with tempfile.TemporaryDirectory() as directory:
        path, target = Path(directory, "train.py"), Path(directory, "train.mpt")
        path.write_text(text)
        cli = [sys.executable, str(ROOT / "cli.py")]
        traced = [*cli, "trace", str(path), "--passes", "all", "--max-mb", "0", "-o", str(target)]
        ratios = []
        for _ in range(SCRIPTS):
            plain = _timed(lambda: subprocess.run([*cli, "run", str(path)], check=True, capture_output=True))
            ratios.append(_timed(lambda: subprocess.run(traced, check=True, capture_output=True)) / plain)
        return {"ratio": median(ratios)}


def prompt(events):
    """Time the answers at the prompt to some commands, each in the middle of a recording: medians."""
    trace = trained(int(events) // BLOCK)
    prompt = Prompt(Session(trace), UNICODE, lambda line: None)
    middle = len(trace.events) // 2
    made = next(value.name for value in trace.values if (value.producer or 0) >= middle)
    moves = {"step": "step", "back": "back", "goto N": "goto 9", "goto NAME": f"goto {made}"}
    wrong = {"goto NAME, missing": "goto matmul_x", "break var:NAME, missing": "break var:matmul_x"}
    found = {name: median(_answers(prompt, command)) for name, command in (moves | wrong).items()}
    prompt.run("begin")
    prompt.run("break if norm > 1e9")
    found["continue, if norm > 1e9"] = _timed(lambda: prompt.run("continue"))
    return {"events": len(trace.events), "seconds": found}


def _answers(prompt, command):
    for _ in range(ANSWERS):
        prompt.run("goto 4000")
        yield _timed(lambda: prompt.run(command))


def _timed(work):
    """Return the seconds that the processor was at work, here and in the commands that were called."""
    start = time.process_time() + _of_children()
    work()
    return time.process_time() + _of_children() - start


def _of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opening(megabytes):
    """Save a recording of about so many megabytes, and open it: the median of some times."""
    trace = trained(int(megabytes) // 2, size=512)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "run.mpt")
        save(trace, path)
        return {
            "megabytes": path.stat().st_size / 1e6,
            "seconds": median(_timed(lambda: load(path)) for _ in range(5)),
        }


def model(operators):
    """Build the graph of a recording with so many operators, forward and backward: CPU seconds, the least of some."""
    trace = trained(int(operators) // 6)
    gc.collect()
    taken = []
    for _ in range(3):
        start = time.process_time()
        mirror(trace)
        taken.append(time.process_time() - start)
    return {"seconds": min(taken)}


def drawn(nodes):
    """Draw all of a graph of about so many nodes as SVG, beginning with the recording: the median of some times."""
    trace = trained(int(nodes) // BLOCK)
    picture = Picture(mirror(trace), trace, Options(fold="none"))
    taken = [_timed(lambda: Picture(mirror(trace), trace, Options(fold="none")).svg()) for _ in range(5)]
    return {"nodes": len(picture.graph.nodes), "seconds": median(taken)}


def folded(events):
    """Draw a long recording, folded, as SVG; return the seconds, and by how much memory grew at most."""
    trace = trained(int(events) // BLOCK)
    before = memory()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    taken = _timed(lambda: Picture(mirror(trace), trace).svg())
    return {"events": len(trace.events), "seconds": taken, "megabytes": _peak() - before, "peak": _peak()}


def _peak():
    """Largest resident memory of this process in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def page(nodes, rounds=3):
    """Run the command that makes a page of an ordinary training script whose graph has about so many nodes."""
    script = f"""\
import paddle

{getsource(network)}
loss, parameters = network(paddle, {int(nodes) // BLOCK})
optimizer = paddle.optimizer.SGD(0.1, parameters=list(parameters.values()))
loss.backward()
optimizer.step()
"""
    with tempfile.TemporaryDirectory() as directory:
        path, target = Path(directory, "train.py"), Path(directory, "train.html")
        path.write_text(script)
        command = [sys.executable, str(ROOT / "cli.py"), "graph", str(path), "-o", str(target)]
        run = [
            _timed(lambda: subprocess.run(command, check=True, capture_output=True))
            for _ in range(int(rounds))
        ]
        return {"seconds": median(run), "megabytes": target.stat().st_size / 1e6}


def check(side, rounds):
    """Run a step of a ResNet-18 by `minipaddle run` and by `check`, in turns; return the median of the ratios."""
    script = ROOT / "benchmarks" / "resnet18.py"
    ratios = []
    for _ in range(int(rounds)):
        run, checked = (
            _timed(lambda command=command: subprocess.run(command, check=True, capture_output=True))
            for command in (
                [sys.executable, str(ROOT / "cli.py"), name, str(script), "--", side]
                for name in ("run", "check")
            )
        )
        ratios.append(checked / run)
    return {"ratio": median(ratios), "run": run, "check": checked}


def commands(steps, rounds):
    """Run a step of a recurrent net by `minipaddle run` and by each command, in turns; return the median ratios."""
    cli, script = [sys.executable, str(ROOT / "cli.py")], str(ROOT / "benchmarks" / "recurrent.py")
    ratios = {name: [] for name in ("flow", "nan", "check", "graph", "graph -o x.svg", "graph -o x.html")}
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(int(rounds)):
            plain = _run_in(directory, [*cli, "run", script, "--", steps])
            for name, found in ratios.items():
                command, *options = name.split()
                found.append(_run_in(directory, [*cli, command, script, *options, "--", steps]) / plain)
    return {name: median(found) for name, found in ratios.items()}


def _run_in(directory, command):
    return _timed(lambda: subprocess.run(command, check=True, capture_output=True, cwd=directory))


def trained(blocks, size=4):
    """Record the network, its gradients included."""
    recorder = Recorder("network.py", max_mb=4000, max_events=10**6)
    with watching(recorder):
        loss, parameters = network(minipaddle.paddle, blocks, size)
        loss.backward()
    del loss, parameters
    return recorder.finish()


if __name__ == "__main__":
    answer(recording, script, prompt, opening, model, drawn, folded, page, check, commands)
