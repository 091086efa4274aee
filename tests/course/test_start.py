"""A student's process is a fork of one with minipaddle loaded: it is like a new one, and affects no other."""

import json
import os
import select
import signal
import subprocess
import sys
from multiprocessing import forkserver

import pytest

from minipaddle.tools.course import process
from minipaddle.tools.course.process import AS_USUAL, Ended, StudentProcess
from tests.support.process import ROOT

QUESTIONS = """
import os
def numbers(student): return [os.getppid(), os.getpid()]
def told(student): return student.told
def loops(student):
    while True: pass
def leaves(student): os._exit(3)
"""


def numbers(student): ...
def told(student): ...
def loops(student): ...
def leaves(student): ...


@pytest.fixture
def student(tmp_path):
    """`student(text)` is a process with a file of this text."""

    def run(text=""):
        return StudentProcess(tmp_path / "mine.py", text, QUESTIONS, AS_USUAL)

    return run


FACTS = """
import os, resource, signal, sys
def is_open(number):
    try: os.fstat(number)
    except OSError: return False
    return True
limits = [one for one in dir(resource) if one.startswith("RLIMIT_")]
told = {
    "its own group": os.getpgid(0) == os.getsid(0) == os.getpid(),
    "place": os.getcwd(),
    "environment": {name: said for name, said in os.environ.items() if name not in ("LINES", "COLUMNS")},
    "limits": [resource.getrlimit(getattr(resource, one)) for one in limits],
    "signals": [str(signal.getsignal(one)) for one in (signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE, signal.SIGTERM)],
    "where it looks for modules": sys.path,
    "arguments": sys.argv[1:],
    "main": vars(sys.modules["__main__"]).get("__file__"),
    "input": sys.stdin.read(),
    "encodings": [sys.stdout.encoding, sys.stdout.errors, sys.stderr.encoding],
}
told = str(told)
"""


def test_a_fork_is_as_a_new_interpreter(student, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_TEACHER", "42")
    monkeypatch.setattr(process, "STARTS", "forkserver")
    forkserver._forkserver._stop()  # another test may have started it, with that test's environment
    with student(FACTS) as forked:
        found = forked(told)
        server, _ = forked(numbers)
    monkeypatch.setattr(process, "STARTS", "spawn")
    with student(FACTS) as alone:
        assert found == alone(told)
        assert alone(numbers)[0] == os.getpid() != server
    assert "PATH" in found
    assert "SECRET" not in found


VANDAL = """
import builtins, os, random, sys
import numpy as np
import paddle
np.add = np.asarray = np.random.seed = None
paddle.Tensor.backward = paddle.to_tensor = None
paddle.enable_static()
os.environ["OMP_NUM_THREADS"] = "99"
for name in [name for name in sys.modules if name.startswith("minipaddle.tools.course")]:
    vars(sys.modules[name]).clear()
builtins.print = builtins.len = None
"""
WELL = """
import os
import numpy as np
import paddle
x = paddle.to_tensor([3.0], stop_gradient=False)
(x * x).backward()
told = [float(np.add(x.grad.numpy()[0], len("abc"))), os.environ["OMP_NUM_THREADS"]]
"""


def test_what_one_file_does_to_its_process_is_unknown_to_the_next(student):
    with student(WELL) as first:
        server, _ = first(numbers)
    with student(VANDAL) as vandal:
        assert vandal.ended
    with student(WELL) as second:
        assert second(told) == [9.0, "1"]
        assert second(numbers)[0] == server, "it is of the same family"


def test_random_numbers_are_of_each_file_alone(student):
    drawn = "import numpy as np, paddle, random\n"
    drawn += "told = [np.random.rand(), paddle.rand([1]).numpy()[0], random.random()]\n"
    with student(drawn) as one, student(drawn) as other:
        assert not set(map(float, one(told))) & set(map(float, other(told)))


def test_who_kills_the_server_touches_nobody(student):
    with student(WELL) as under_way, student() as leaving:
        server, _ = under_way(numbers)
        assert server != os.getpid()
        os.kill(server, signal.SIGKILL)
        assert under_way(told) == [9.0, "1"]
        with pytest.raises(Ended, match=r"^it ended the program before it answered \(exit code (3|255)\)$"):
            leaving(leaves)
        with student(WELL) as next_one:
            assert next_one(told) == [9.0, "1"]
    with student(WELL) as later:
        assert later(told) == [9.0, "1"]
        assert later(numbers)[0] not in (server, os.getpid()), "there is a new server"


GRADER = """
import sys
from pathlib import Path
from minipaddle.tools.course.process import Limits, StudentProcess
exec(sys.argv[2])
with StudentProcess(Path(sys.argv[1]), "", sys.argv[2], Limits(seconds=600)) as student:
    print(student(numbers), flush=True)
    student(loops)
"""


def test_with_the_grader_all_that_it_started_ends(tmp_path):
    grader = subprocess.Popen(
        [sys.executable, "-c", GRADER, tmp_path / "mine.py", QUESTIONS], stdout=subprocess.PIPE, cwd=ROOT
    )
    with grader:
        ends = [os.pidfd_open(number) for number in json.loads(grader.stdout.readline())]
        grader.kill()
        for end in ends:
            assert select.select([end], [], [], 60)[0], "it is still running"
            os.close(end)
