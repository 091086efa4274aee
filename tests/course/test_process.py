"""A student's process: a forbidden action gives a line and no points, and affects no other student."""

import errno
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.course import process, tasks
from minipaddle.tools.course.grading import grade
from minipaddle.tools.course.process import Limits

CUBE = next(task for task in tasks() if task.name == "task1_cube.py")
SOLVED = """
import paddle
class Cube(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x
    @staticmethod
    def backward(ctx, dy):
        {inside}
        (x,) = ctx.saved_tensor()
        return dy * 3 * x * x
"""
LIMITS = Limits(seconds=20, megabytes=2048, printed=100_000)


@pytest.fixture(params=["forkserver", "spawn"])
def graded(tmp_path, monkeypatch, request):
    """Grade a file with this text."""
    monkeypatch.setattr(process, "STARTS", request.param)

    def run(text, limits=LIMITS):
        file = tmp_path / "me" / CUBE.name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return grade(CUBE, file, 1, limits)

    return run


FORKED = pytest.mark.parametrize("graded", [process.STARTS], indirect=True)
"""The fence and the loader see the same in both: the other tests cover start, messages and end."""
BAD = {
    "it ends the program": "import sys; sys.exit(0)",
    "it ended the program before it answered (exit code 0)": "import os; os._exit(0)",
    "it uses the network": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "it prints without end": "while True: print('x' * 1000)",
    "it reads files that are not its own": "print(open('/etc/passwd').read())",
    "it starts or ends processes": "import subprocess; subprocess.run(['true'])",
    "it writes files": "open('mine.txt', 'w')",
    "it reaches into the interpreter": "import ctypes; ctypes.pythonapi.system(b'true')",
    "it takes more memory than there is for it": "x = bytearray(1 << 40)",
    "it writes where the answers go": "import os\n"
    "for number in range(3, 200):\n"
    "    try: os.write(number, b'{\"answer\": {}}\\n')\n"
    "    except OSError: pass",
}


@pytest.mark.parametrize("why", BAD)
def test_what_no_task_needs_is_a_line_and_no_points(graded, why):
    done = graded(f"BAD = {BAD[why]!r}\n{SOLVED.format(inside='')}\nexec(BAD)\n")
    assert (done.points, done.why, done.hint) == (0, why, why)


@FORKED
@pytest.mark.parametrize("why", BAD)
def test_nor_when_it_is_asked(graded, why):
    done = graded(f"BAD = {BAD[why]!r}\n{SOLVED.format(inside='exec(BAD)')}\n")
    assert (done.points, done.why, done.hint) == (0, why, why)


@FORKED
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import gc; gc.get_objects()", "it reaches into the interpreter"),
        ("import os; os.fork()", "it starts or ends processes"),
        ("import os; os.kill(os.getppid(), 0)", "it starts or ends processes"),
        (
            "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (9, 9))",
            "it changes the limits of processes",
        ),
        ("import os; os.system('true')", "it starts or ends processes"),
        ("import os; os.remove('mine.txt')", "it writes files"),
        ("import shutil; shutil.rmtree('.')", "it writes files"),
        ("import os; os.open('mine.txt', os.O_CREAT | os.O_WRONLY)", "it writes files"),
        ("import numpy as np; np.save('mine.npy', np.ones(3))", "it writes files"),
        ("import numpy as np; np.fromfile('/etc/passwd')", "it reads files that are not its own"),
        ("import os; list(os.scandir('/'))", "it reads files that are not its own"),
        ("import os; os.chdir('/')", "it reads files that are not its own"),
        ("import posix; posix.mkfifo('p')", "it writes files"),
        ("import os; os.mknod('q')", "it writes files"),
        ("import _posixsubprocess as p; p.fork_exec()", "it starts or ends processes"),
        ("import os; os.posix_spawn('/bin/true', ['true'], {})", "it starts or ends processes"),
        ("import signal; signal.pidfd_send_signal(0, 9)", "it starts or ends processes"),
        ("import os; os.listdir('..')", "it reads files that are not its own"),
        ("import _socket; _socket.socket()", "it uses the network"),
        ("import urllib.request as r; r.urlopen('http://127.0.0.1:9')", "it uses the network"),
    ],
)
def test_other_ways_out_of_its_fence(graded, text, why):
    """Also if the file expects to be refused."""
    assert graded(f"try:\n    {text}\nexcept BaseException:\n    pass\n").why == why


PAST_THE_HOOKS = """
import ctypes, os, resource, socket, subprocess, sys, threading
from minipaddle.tools.course.student import kernel
os.chdir(sys.argv[1])
opened = os.open(".", os.O_RDONLY)
raw = ctypes.CDLL(None, use_errno=True).syscall
told, parent = {}, os.getpid()
for what in sys.stdin.read().splitlines():
    if not (child := os.fork()):
        kernel.fence_files([sys.argv[1], sys.base_prefix])
        kernel.fence_calls()
        try:
            eval(what)
        except OSError as error:
            os._exit(error.errno)
        os._exit(0)
    told[what] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(told, sorted(os.listdir()))
"""


def test_what_passes_the_hooks_ends_at_the_system(tmp_path, run_python):
    """Each in a child without any audit hook: an end by SIGSYS, or a refusal; what a task needs is let through."""
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")
    ended = """os.fork()
os.execv('/bin/true', ['true'])
os.posix_spawn('/bin/true', ['true'], {})
os.system('true')
subprocess.run(['true'])
socket.socket()
os.kill(parent, 0)
raw(234 if os.uname().machine == 'x86_64' else 131, parent, parent, 0)
resource.prlimit(parent, resource.RLIMIT_CPU, (9, 9))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.chmod('mine.py', 0)
os.utime('mine.py')"""
    refused = """os.mkfifo('p')
os.mknod('q')
os.mkdir('d')
open('mine.py', 'w')
os.remove('mine.py')
os.rename('mine.py', 'other.py')
os.symlink('mine.py', 'other.py')
os.listdir('/tmp')
os.open('../../../../../etc/passwd', os.O_RDONLY, dir_fd=opened)
open('/etc/passwd')"""
    allowed = """open('mine.py').read()
threading.Thread(target=len, args=('',)).start()
resource.getrlimit(resource.RLIMIT_CPU)
__import__('colorsys')"""
    done = run_python("-c", PAST_THE_HOOKS, tmp_path, input="\n".join((ended, refused, allowed)))
    codes = {ended: -signal.SIGSYS, refused: errno.EACCES, allowed: 0}  # on a Linux that has both
    wanted = {what: code for lines, code in codes.items() for what in lines.splitlines()}
    assert done.stdout == f"{wanted} ['mine.py']\n"


@FORKED
def test_an_end_by_the_system_has_a_line(graded):
    text = "import signal\nsignal.raise_signal(signal.SIGSYS)"
    assert graded(text).why == "it asks the system for what no task needs"


def test_a_system_without_the_fence_is_told_so(tmp_path, monkeypatch, run_cli):
    (tmp_path / CUBE.name).write_text("x = 1", encoding="utf-8")
    for missing in (False, True):
        monkeypatch.setattr("minipaddle.tools.course.student.kernel.missing", lambda told=missing: told)
        assert ("only Python's audit hooks watch" in run_cli("grade", tmp_path).stderr) is missing


@pytest.mark.parametrize("inside", ["", "while True: pass"])
def test_what_does_not_end_is_ended(graded, inside):
    last = "" if inside else "while True: pass"
    done = graded(f"{SOLVED.format(inside=inside)}\n{last}\n", LIMITS._replace(seconds=1))
    assert (done.points, done.why) == (0, "it does not come to an end within 1 seconds")


@FORKED
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(:\n    pass\n", "SyntaxError: invalid syntax (task1_cube.py, line 1)"),
        ("x = 1\n1 / 0\n", "ZeroDivisionError: division by zero (task1_cube.py, line 2)"),
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("input()", "EOFError: EOF when reading a line (task1_cube.py, line 1)"),
        ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E\n", "E (task1_cube.py, line 3)"),
        ("raise ValueError('\\x1b[31mred')\n", r"ValueError: \x1b[31mred (task1_cube.py, line 1)"),
    ],
)
def test_a_file_that_cannot_be_loaded(graded, text, why):
    done = graded(text)
    assert done.points == 0
    assert done.why.startswith(why)
    assert "\n" not in done.why


CHEATS = {
    "numpy": "import numpy as np\nnp.allclose = np.array_equal = lambda *a, **k: True\n"
    "np.asarray = lambda *a, **k: 1\n",
    "builtins": "import builtins\nbuiltins.all = builtins.bool = builtins.abs = lambda *a: True\n",
    "the course": "import minipaddle.tools.course.claims as claims\nclaims.close = lambda *a: True\n"
    "claims.claim = None\nimport minipaddle.tools.course.grading as grading\n"
    "grading.Grade.points = property(lambda self: 100)\n",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_the_judge_cannot_be_replaced(graded, cheat):
    wrong = SOLVED.format(inside="").replace("dy * 3 * x * x", "dy * x").replace("x * x * x", "x + 1")
    done = graded(CHEATS[cheat] + wrong)
    assert done.points == 0
    assert done.hint


def test_the_grader_cannot_be_read(graded):
    text = f"text = open({str(Path(str(CUBE.grader)))!r}).read()\n"
    assert graded(text).why == "it reads files that are not its own"


def test_a_file_beside_it_may_be_imported_and_no_other(graded, tmp_path):
    beside = tmp_path / "me" / "helper.py"
    beside.parent.mkdir()
    beside.write_text("FACTOR = 3\n", encoding="utf-8")
    text = "from helper import FACTOR\n" + SOLVED.format(inside="").replace("dy * 3", "dy * FACTOR")
    assert graded(text).points == 100
    (tmp_path / "you.py").write_text("FACTOR = 3\n", encoding="utf-8")
    text = "import sys\nsys.path.insert(0, '..')\nfrom you import FACTOR\n"
    assert graded(text).why == "it reads files that are not its own"


def test_what_it_prints_is_kept_and_cut(graded):
    done = graded(SOLVED.format(inside="") + "print('here I am')\nprint('x' * 50_000)\n")
    assert done.points == 100
    assert done.printed.startswith("here I am\n")
    assert len(done.printed) < 5000


@pytest.mark.parametrize("line", ["b'x' * (1 << 20) + b'\\n'", "b'\\n'"])
def test_the_channel_is_read_up_to_a_limit(graded, line):
    flood = (
        f"import os\nwhile True:\n    for number in range(3, 200): \n        try: os.write(number, {line})\n"
    )
    flood += "        except OSError: pass\n"
    assert graded(flood).why == "it writes where the answers go"


def test_a_link_is_no_file_of_ones_own(tmp_path):
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / CUBE.name
    other.write_text(SOLVED.format(inside=""), encoding="utf-8")
    (tmp_path / "me").mkdir()
    (tmp_path / "me" / CUBE.name).symlink_to(other)
    (tmp_path / "you").symlink_to(tmp_path / "other")
    for name in ("me", "you"):
        assert grade(CUBE, tmp_path / name / CUBE.name, 1).why == "it is a link, and no file of its own"


def test_a_recording_that_takes_long_to_check_is_not_checked(graded):
    text = SOLVED.format(inside="for _ in range(3000): dy = dy + 0").replace("3 * x * x", "2 * x * x")
    assert graded(text).why == "it computes far more than the task needs"


def test_memory_is_watched_where_the_system_has_no_limit(graded, monkeypatch):
    """As on Windows and macOS: the size is measured from outside, and the process is ended."""
    monkeypatch.setattr("minipaddle.tools.course.process.sys.platform", "another")
    asked = []
    monkeypatch.setattr(
        "minipaddle.tools.course.process._memory_of", lambda pid: asked.append(pid) or 1 << 40
    )
    assert (
        graded(SOLVED.format(inside="") + "while True: pass").why
        == "it takes more memory than there is for it"
    )
    assert len(asked) == 1


def test_the_trying_out_part_does_not_run(graded):
    assert graded(SOLVED.format(inside="") + "if __name__ == '__main__':\n    1 / 0\n").points == 100


@FORKED
def test_answers_of_another_kind_are_no_points(graded):
    for answer in ("None", "'text'", "print", "[[1], [2, 3]]", "float('nan')"):
        text = f"class Cube:\n    @staticmethod\n    def apply(x):\n        return Answer({answer})\n"
        text += "class Answer:\n    def __init__(self, a): self.a = a\n    def numpy(self): return self.a\n"
        text += "    def backward(self, dy): pass\n"
        done = graded(text)
        assert (done.points, done.why) == (0, ""), answer


def test_the_same_seed_gives_the_same_answer(graded):
    wrong = SOLVED.format(inside="").replace("dy * 3 * x * x", "dy * 2 * x * x")
    hint = graded(wrong).hint
    assert graded(wrong).hint == hint
    assert "is right" in hint


def test_nothing_is_left_running(graded):
    done = graded(SOLVED.format(inside="") + "import os\nprint('pid', os.getpid())\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.printed.split()[1]), 0)


def test_numbers_go_both_ways_unchanged(graded):
    from minipaddle.tools.course.messages import NotPlain, Other, from_line, to_line

    data = {
        "x": np.arange(6.0).reshape(2, 3),
        "y": [1, 2.5, None, True, "text", b"raw", paddle.ones([2]).size],
        "z": (np.float32(2),),
    }
    back = from_line(to_line(data))
    assert back["y"] == data["y"]
    assert back["x"].dtype == np.float64
    assert (back["x"] == data["x"]).all()
    assert back["z"][0].dtype == np.float32
    assert from_line(to_line([print, ..., np.array([print])])) == [
        Other("builtin_function_or_method"),
        Other("ellipsis"),
        Other("ndarray"),
    ]
    for bad in (b"", b"{", b'{"array": "AAAA", "dtype": "O", "shape": [1]}', b"[" * 100_000):
        with pytest.raises(NotPlain):
            from_line(bad)
    with pytest.raises(NotPlain):
        from_line(b'{"array": "AAAA", "dtype": "<f8", "shape": [100]}')
