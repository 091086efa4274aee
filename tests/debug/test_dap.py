"""The debugger in an editor: a client of the Debug Adapter Protocol launches scripts, sets breakpoints and moves."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from select import select
from textwrap import dedent

import pytest

from minipaddle.tools.debug.dap import adapter
from minipaddle.tools.debug.dap.adapter import OPTIONS
from minipaddle.tools.record.file import load
from minipaddle.tools.words.terminal import UNICODE
from tests.support.dap import Editor, editor
from tests.support.process import ROOT

SCRIPT = dedent("""\
    import sys
    import paddle
    from paddle.autograd import PyLayer

    class Double(PyLayer):
        @staticmethod
        def forward(ctx, z):
            return z * 2

        @staticmethod
        def backward(ctx, dy):
            scale = 2
            return dy * scale

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(2, 1)

        def forward(self, x):
            h = self.fc(x)
            return Double.apply(h)

    def rate_of(step):
        halved = step > 1
        return 0.05 if halved else 0.1

    net = Net()
    x = paddle.to_tensor([[1.0, 1.0]])
    w = paddle.to_tensor([0.0, 2.0], stop_gradient=False)
    losses = {"all": [], "run": sys.argv[1:]}
    for step in range(3):
        rate = rate_of(step)
        y = (net(x).sum() + w * w).sum()
        y.backward()
        losses["all"].append(round(float(y), 2) * 0)
        print("step", step)
    # the last line makes a NaN
    z = paddle.log(w - 2.5)
    """)
COMMAND = [sys.executable, "-m", "minipaddle"]


def line_of(text):
    return next(number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.strip() == text)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("dap") / "net.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture(scope="module")
def recording(program):
    path = program.with_suffix(".mpt")
    command = [*COMMAND, "trace", str(program), "--passes", "all", "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


class Recorded:
    """A script whose recording is there, without another process: launching is not what is tested."""

    def __init__(self, config, folder):
        self.file = config["program"]

    def trace(self, wire):
        return load(Path(self.file))

    def end(self):
        pass


@pytest.fixture
def recorded(monkeypatch):
    monkeypatch.setattr(adapter, "Script", Recorded)


@pytest.fixture
def vscode(recording, recorded):
    """An editor at the first line of the recording."""
    with editor() as one:
        one.launch(recording)
        one.begin()
        yield one


# -- a walk ------------------------------------------------------------------------------------------------------------


def test_a_script_is_launched_and_walked_both_ways(program):
    with editor() as vscode:
        vscode.launch(program, passes="all", args=["a", 2], seed=3)
        assert [vscode.event("output")["output"] for _ in range(3)] == ["step 0\n", "step 1\n", "step 2\n"]
        forward, backward = line_of("h = self.fc(x)"), line_of("return dy * scale")
        vscode.set_lines(program, forward, backward)
        vscode.begin()
        assert vscode.frames() == [("<module>", 1)]
        way = [vscode.move("continue") for _ in range(4)]
        assert way == [
            ("breakpoint", "Net.forward  net", forward),
            ("breakpoint", "Double.backward", backward),
            ("breakpoint", "add_grad  fc", forward),
            ("breakpoint", "Net.forward  net", forward),
        ]
        outer = "<module>", line_of("y = (net(x).sum() + w * w).sum()")
        assert vscode.frames() == [("Net.forward  net", forward), outer]
        assert "'run': ['a', '2']" in vscode.scope("locals", 2)["losses"]
        assert vscode.move("reverseContinue") == way[2]
        assert vscode.frames()[1] == ("<module>", line_of("y.backward()"))
        assert vscode.move("reverseContinue") == way[1]
        vscode.ask("disconnect")
        vscode.event("terminated")


def test_steps_go_by_lines_at_a_line_and_by_operators_in_between(vscode, program):
    head = line_of("for step in range(3):")
    vscode.set_lines(program, head + 1, condition="step == 1")
    assert vscode.move("continue") == ("breakpoint", "<module>", head + 1)
    assert vscode.move("stepIn") == ("step", "rate_of", line_of("halved = step > 1"))
    assert vscode.scope("locals")["step"] == "1"
    assert vscode.move("next")[1:] == ("rate_of", line_of("return 0.05 if halved else 0.1"))
    assert vscode.scope("locals")["halved"] == "False"
    assert vscode.move("stepOut")[1:] == ("<module>", head + 2)
    assert vscode.move("stepIn")[1:] == ("Net.forward  net", line_of("h = self.fc(x)"))
    assert vscode.move("stepIn")[1:] == ("matmul  fc", line_of("h = self.fc(x)"))
    assert vscode.move("next")[1:] == ("add  fc", line_of("h = self.fc(x)"))
    assert vscode.move("stepBack")[1:] == ("matmul  fc", line_of("h = self.fc(x)"))
    assert vscode.move("stepOut")[1:] == ("Net.forward  net", line_of("return Double.apply(h)"))
    assert vscode.move("stepBack")[1:] == ("Net.forward  net", line_of("h = self.fc(x)"))
    assert vscode.move("stepOut")[1:] == ("<module>", line_of("y.backward()"))
    assert vscode.move("stepIn")[1:] == ("sum_grad", line_of("y = (net(x).sum() + w * w).sum()"))
    assert vscode.move("stepOut")[1:] == ("<module>", line_of("y.backward()") + 1)
    vscode.set_lines(program, line_of("scale = 2"))
    assert vscode.move("next")[1:] == ("<module>", line_of("y.backward()") + 2)
    assert [vscode.move("next")[2] for _ in range(4)] == [head, head + 1, head + 2, head + 3]
    assert vscode.move("next") == ("breakpoint", "Double.backward", line_of("scale = 2"))  # on the way
    assert vscode.move("stepOut")[1:] == ("Double_grad  net", line_of("return Double.apply(h)"))


def test_the_end_is_told_and_a_second_time_ends_the_session(vscode):
    assert vscode.move("stepBack") == ("step", "<module>", 1)
    assert vscode.move("continue")[1] == "log"
    assert vscode.move("next")[1] == "log"
    assert "the end" in vscode.stops[-1]["text"]
    assert vscode.move("stepBack")[1] == "scale"
    assert vscode.move("reverseContinue") == ("step", "<module>", 1)
    assert vscode.move("continue")[1] == "log"
    vscode.ask("continue", threadId=1)
    vscode.event("terminated")
    assert vscode.refused("threads") == "nothing has been launched"


# -- variables ---------------------------------------------------------------------------------------------------------


def test_variables_are_tensors_with_shapes_and_rows_and_pythons_own_with_parts(vscode):
    vscode.console("goto w.grad")
    assert vscode.scope("gradients")["w.grad"] == "[2] float32 0, 4"
    assert vscode.scope("inputs") == {"w@GRAD": "[2] float32 0, 4"}
    tensors = vscode.scope("tensors")
    assert tensors["x"] == "[1, 2] float32 1, 1"
    assert "w.grad" not in tensors
    found = vscode.ask("evaluate", expression="w", context="hover")
    assert found["result"] == "[2] float32 0, 2"
    assert vscode.parts(found["variablesReference"]) == {"w[0]": "0.0", "w[1]": "2.0"}
    assert vscode.parts(found["variablesReference"], start=1, count=1) == {"w[1]": "2.0"}
    losses = vscode.ask("evaluate", expression="losses", context="watch")
    parts = vscode.ask("variables", variablesReference=losses["variablesReference"])["variables"]
    assert [(one["name"], one["value"]) for one in parts] == [
        ("losses['all']", "[]"),
        ("losses['run']", "[]"),
    ]
    assert vscode.ask("evaluate", expression="w.max() * 3", context="watch")["result"] == "6.0"
    assert "name 'nosuch' is not defined" in vscode.refused("evaluate", expression="nosuch", context="hover")


def test_each_frame_has_its_variables_and_an_operator_what_it_saved(vscode):
    asked = [{"name": "Net.forward", "hitCondition": "2"}]
    vscode.ask("setFunctionBreakpoints", breakpoints=asked)
    vscode.move("continue")
    assert vscode.scope("locals")["x"] == "[1, 2] float32 1, 1"
    assert "step" not in vscode.scope("locals")
    assert vscode.scope("locals", 2)["step"] == "1"
    assert vscode.ask("evaluate", expression="step", frameId=2)["result"] == "1"
    vscode.console("goto multiply_*")
    assert vscode.scope("saved for backward") == {"w": "[2] float32 0, 2"}


def test_a_new_number_is_a_fork_and_breakpoints_are_found_in_it_again(vscode, program):
    line = line_of("y.backward()")
    vscode.set_lines(program, line, condition="y > 100")
    assert vscode.move("continue")[0] == "step"  # the end
    vscode.console("goto multiply_*")
    vscode.console("back")
    vscode.forget()
    answer = vscode.ask("setVariable", variablesReference=1, name="w", value="w + 10")
    assert answer["value"] == "[2] float32 10, 12"
    assert "fork 1: w set at event" in vscode.said()[-1]
    assert vscode.event("stopped")["reason"] == "goto"  # the editor is to read all anew
    assert vscode.move("continue") == ("breakpoint", "<module>", line)
    assert "*** " not in vscode.refused("setVariable", variablesReference=1, name="losses", value="3")


def test_a_file_that_was_edited_is_shown_as_it_was_recorded(vscode, program):
    assert vscode.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]["sourceReference"] == 0
    program.write_text("# another first line\n" + SCRIPT)
    try:
        source = vscode.ask("stackTrace", threadId=1)["stackFrames"][0]["source"]
        assert vscode.ask("source", sourceReference=source["sourceReference"])["content"] == SCRIPT
    finally:
        program.write_text(SCRIPT)


# -- breakpoints -------------------------------------------------------------------------------------------------------


def test_a_breakpoint_stands_at_any_line_that_ran_or_moves_to_the_next(vscode, program):
    asked = [1, line_of("halved = step > 1") - 1, line_of("# the last line makes a NaN"), 400]
    found = vscode.set_lines(program, *asked)
    assert [one.get("line") for one in found] == [1, asked[1], asked[2] + 1, None]
    assert "line 400" in found[3]["message"]
    vscode.console("end")
    vscode.forget()
    assert vscode.move("reverseContinue") == ("breakpoint", "<module>", asked[2] + 1)


def test_a_breakpoint_has_conditions_and_counts(vscode, program):
    line = line_of("rate = rate_of(step)")

    def steps(**options):
        vscode.move("reverseContinue")
        vscode.set_lines(program, line, **options)
        found = []
        while vscode.move("continue")[0] == "breakpoint":
            found.append(int(vscode.scope("locals")["step"]))
        vscode.set_lines(program)
        return found

    assert steps() == [0, 1, 2]
    assert steps(condition="step == 2") == [2]
    assert steps(condition="len(losses['all']) > 1 and w.max() > 1") == [2]
    assert steps(hitCondition="2") == [1]  # counted from the beginning of the recording
    assert steps(hitCondition="% 3") == [2]
    assert steps(hitCondition=">= 2") == [1, 2]
    assert steps(condition="x.sum() > 2") == []  # the variable, not an event's input
    assert "hits are counted" in vscode.set_lines(program, line, hitCondition="often")[0]["message"]
    assert "nosuch" in vscode.set_lines(program, line, condition="nosuch > 1")[0]["message"]
    assert "SyntaxError" in vscode.set_lines(program, line, condition="step ==")[0]["message"]


def test_a_logpoint_speaks_and_goes_on(vscode, program):
    vscode.set_lines(
        program, line_of("rate = rate_of(step)"), logMessage="{step}: w is {w.max()} of {w}, {oops(}"
    )
    vscode.console("break op:log do print w")
    vscode.forget()
    assert vscode.move("continue")[:2] == ("step", "log")
    *said, console = vscode.said()
    assert [one.partition(", {oops")[0] for one in said] == [
        f"{step}: w is 2.0 of [2] float32 0, 2" for step in range(3)
    ]
    assert console == "w  [2]  float32  0, 2\n[0. 2.]\n"


def test_functions_layers_operators_stop_at_each_call(vscode):
    names = ["Double.backward", "rate_of", "fc", "log", "op:mean", "nosuch"]
    found = vscode.ask("setFunctionBreakpoints", breakpoints=[{"name": one} for one in names])["breakpoints"]
    assert [one["verified"] for one in found] == [True] * 4 + [False] * 2
    calls = ["rate_of", "matmul  fc", "Double.backward"]
    assert [vscode.move("continue")[:2] for _ in range(6)] == [
        ("function breakpoint", one) for one in calls * 2
    ]


def test_data_stops_where_it_is_written_or_gets_its_gradient(vscode):
    name = vscode.ask("dataBreakpointInfo", name="w")["dataId"]
    asked = [{"dataId": name}, {"dataId": "nosuch"}, {"dataId": "rate"}]
    found = vscode.ask("setDataBreakpoints", breakpoints=asked[:2])["breakpoints"]
    assert [one["verified"] for one in found] == [True, False]
    assert [vscode.move("continue")[:2] for _ in range(3)] == [("data breakpoint", "w.grad")] * 3
    vscode.ask("setDataBreakpoints", breakpoints=asked[2:])
    assert vscode.move("reverseContinue")[0] == "data breakpoint"
    assert vscode.ask("evaluate", expression="rate")["result"] == "0.05"


def test_exceptions_stop_where_a_nan_is_born_and_tell_its_way(vscode):
    assert "not finite" in vscode.refused("exceptionInfo", threadId=1)
    found = vscode.ask("setExceptionBreakpoints", filters=["nan", "dream"])["breakpoints"]
    assert [one["verified"] for one in found] == [True, False]
    assert vscode.move("continue") == ("exception", "log", line_of("z = paddle.log(w - 2.5)"))
    info = vscode.ask("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "nan"
    assert "log" in info["details"]["stackTrace"]


# -- the console -------------------------------------------------------------------------------------------------------


def test_the_console_takes_commands_and_expressions(vscode):
    assert vscode.console("why w.grad[0]").startswith("w.grad[0] is")
    assert vscode.console("step").startswith(UNICODE.top)  # a command, though a variable is called so
    assert vscode.event("stopped")["reason"] == "goto"
    assert vscode.console("w") == "[2] float32 0, 2"  # a variable, though `w` is also short for `where`
    assert vscode.console("w * 2") == "[0. 4.]"
    assert vscode.console("! 1 + 1") == "2"
    assert "no event makes" in vscode.refused("evaluate", expression="goto {nowhere}", context="repl")
    targets = vscode.ask("completions", text="goto w", column=7)["targets"]
    assert {"label": "w.grad", "start": 5, "length": 1} in targets
    assert "rate" in [one["label"] for one in vscode.ask("completions", text="ra", column=3)["targets"]]


# -- what a client or a script may do wrong ----------------------------------------------------------------------------


def test_requests_out_of_order_and_unknown_ones_get_one_clear_answer(recording):
    with editor() as vscode:
        assert vscode.refused("stackTrace", threadId=1) == "nothing has been launched"
        assert vscode.refused("teleport") == "there is no request teleport"
        assert "launch what?" in vscode.refused("launch", port=3)
        vscode.launch(recording)
        assert "already" in vscode.refused("launch", program=str(recording))
        vscode.begin()
        assert "no variables 1000000000000" in vscode.refused("variables", variablesReference=10**12)
        assert "no frame 99" in vscode.refused("scopes", frameId=99)
        for command in ("setBreakpoints", "source", "scopes", "evaluate"):
            assert "not those of the protocol" in vscode.refused(command, breakpoints=3)
        for expression in ("set w =", "help " * 999, "print w[", "break op:nosuch", "\x1b[2J"):
            assert vscode.refused("evaluate", expression=expression, context="repl")


def test_a_script_that_never_ends_ends_with_the_editor_and_what_it_started_too(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
        "print(os.getpid(), child.pid, flush=True)\nwhile True: pass\n"
    )
    with editor() as vscode:
        vscode.send("launch", program=str(program))
        processes = vscode.event("output")["output"].split()
        vscode.send("threads")
        vscode.send("disconnect")
        assert [vscode.answer()["success"] for _ in range(3)] == [False, False, True]
    with pytest.raises(ProcessLookupError):
        os.kill(int(processes[0]), 0)
    assert _ends(processes[1])


def _ends(process):
    """Whether a process ends, or has ended: its file descriptor is readable then."""
    try:
        descriptor = os.pidfd_open(int(process))
    except ProcessLookupError:
        return True
    ended, _, _ = select([descriptor], [], [], 60)
    os.close(descriptor)
    return bool(ended)


def test_no_script_runs_once_the_editor_has_asked_for_the_end(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text("while True: pass\n")
    with editor() as vscode:
        vscode.ask("terminate")
        assert "nothing was recorded" in vscode.refused("launch", program=str(program))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('hello')\n", "no operator of paddle"),
        ("raise SystemExit('enough')\n", "enough"),
        ("import paddle\npaddle.nosuch\n", "MissingName"),
        ("def f(:\n", "SyntaxError"),
        (None, "there is no file"),
    ],
)
def test_a_script_without_a_recording_says_why(tmp_path, text, said):
    program = tmp_path / "odd.py"
    if text is not None:
        program.write_text(text)
    with editor() as vscode:
        assert said in vscode.refused("launch", program=str(program))
        assert vscode.refused("threads") == "nothing has been launched"


def test_a_script_that_raises_is_walked_up_to_its_error(tmp_path):
    program = tmp_path / "odd.py"
    program.write_text("import paddle\nx = paddle.ones([2])\nx + paddle.ones([3])\n")
    with editor() as vscode:
        vscode.launch(program, stopOnEntry=False)
        vscode.ask("setExceptionBreakpoints", filterOptions=[{"filterId": "error"}])
        vscode.ask("configurationDone")
        assert vscode.event("stopped")["reason"] == "exception"
        assert "ValueError" in vscode.ask("exceptionInfo", threadId=1)["description"]


def test_a_place_that_is_not_there_is_refused(recording, tmp_path):
    (tmp_path / "bad.mpt").write_bytes(b"PK junk")
    for config in (
        {"cwd": str(tmp_path / "no")},
        {"env": 3},
        {"program": str(tmp_path / "bad.mpt")},
        {"args": 3},
    ):
        with editor() as vscode:
            assert vscode.refused("launch", **{"program": str(recording), **config})


def frame(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize(
    "broken",
    [
        b"junk\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{}{}{",
        b"Content-Length: -3\r\n\r\n{}",
        b"Content-Length: 99999999999\r\n\r\n{}",
        b'Content-Length: 9\r\n\r\n{"a":',
        b"Content-Length: 2\r\n\r\n[]",
        b"\xff" * 5000,
        b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000,
    ],
)
def test_a_broken_frame_is_told_and_ends_the_session(broken):
    command = [*COMMAND, "dap"]
    first = frame({"seq": 1, "type": "request", "command": "initialize"})
    ran = subprocess.run(command, input=first + broken, capture_output=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.count(b'"type": "response"') == 1
    assert ran.stdout.count(b"Debug Adapter Protocol: ") == (0 if broken.startswith(b"\xff") else 1)


def test_editors_connect_to_a_port_until_a_signal(recording):
    with subprocess.Popen([*COMMAND, "dap", "--port", "0"], stderr=subprocess.PIPE, text=True) as server:
        port = int(server.stderr.readline().rpartition(":")[2])
        silent, first, second = (socket.create_connection(("127.0.0.1", port)) for _ in range(3))
        editors = [Editor(one.makefile("rb"), one.makefile("wb")) for one in (first, second)]
        for one in editors:
            one.ask("attach", program=str(recording))
            one.event("initialized")
            one.begin()
        editors[0].ask("disconnect")
        assert editors[1].move("next")[0] == "step"
        server.terminate()
        assert server.wait(60) == 0
        for one in (silent, first, second):
            one.close()


def test_a_signal_ends_the_script_too(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text("import os\nprint(os.getpid(), flush=True)\nwhile True: pass\n")
    command = [*COMMAND, "dap"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        vscode = Editor(process.stdout, process.stdin)
        vscode.send("launch", program=str(program))
        script = vscode.event("output")["output"].strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert _ends(script)


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [*COMMAND, "dap", "--port", str(taken.getsockname()[1])]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert "--port" in ran.stderr


def test_it_speaks_chinese():
    request = frame({"seq": 1, "type": "request", "command": "initialize"})
    unknown = frame({"seq": 2, "type": "request", "command": "teleport"})
    command = [*COMMAND, "--lang=zh", "dap"]
    ran = subprocess.run(command, input=request + unknown, capture_output=True, check=True, timeout=60)
    assert json.dumps("产生了 NaN").encode() in ran.stdout
    assert json.dumps("没有请求 teleport").encode() in ran.stdout


# -- the page ----------------------------------------------------------------------------------------------------------

DOCS = ROOT / "docs"
CONFIGURATIONS = [
    json.loads(one) for one in re.findall(r"```json\n(.*?)```", (DOCS / "editors.md").read_text(), re.S)
]


@pytest.mark.parametrize("found", CONFIGURATIONS, ids=["launch.json", "PyCharm"])
def test_the_configurations_of_the_page_launch_a_script(found, program):
    (config,) = found.get("configurations", [found])
    assert (config["type"], config["request"]) == ("minipaddle", "launch")
    with editor() as vscode:
        vscode.launch(**{**config, "program": config["program"].replace("${file}", str(program))})
        vscode.begin()


def test_the_extension_registers_the_type_and_starts_the_command():
    folder = DOCS / "extending" / "vscode"
    (debugger,) = json.loads((folder / "package.json").read_text())["contributes"]["debuggers"]
    known = debugger["configurationAttributes"]["launch"]["properties"]
    used = set(CONFIGURATIONS[0]["configurations"][0]) | {
        *OPTIONS,
        "program",
        "args",
        "cwd",
        "env",
        "stopOnEntry",
    }
    assert used - {"type", "request", "name"} == set(known)
    command = re.search(r"command = \[(.*)\]", (folder / "extension.js").read_text())[1]
    words = [word.replace("${language}", "zh") for word in re.findall(r"[\"`](.*?)[\"`]", command)]
    ran = subprocess.run([sys.executable, *words, "--help"], capture_output=True, text=True, check=True)
    assert "调试适配器协议" in ran.stdout


# -- whatever is asked -------------------------------------------------------------------------------------------------

COMMANDS = (
    *("initialize", "setBreakpoints", "setFunctionBreakpoints", "setDataBreakpoints", "configurationDone"),
    *("setExceptionBreakpoints", "dataBreakpointInfo", "threads", "stackTrace", "scopes", "variables"),
    *(
        "evaluate",
        "setVariable",
        "completions",
        "exceptionInfo",
        "source",
        "pause",
        "next",
        "stepIn",
        "stepOut",
    ),
    *(
        "stepBack",
        "continue",
        "reverseContinue",
        "launch",
        "attach",
        "restart",
        "goto",
        "",
        "Disconnect",
        None,
        7,
    ),
)
KEYS = (
    *(
        "breakpoints",
        "source",
        "name",
        "dataId",
        "filters",
        "filterOptions",
        "threadId",
        "frameId",
        "startFrame",
    ),
    *("variablesReference", "start", "count", "expression", "context", "value", "text", "column", "levels"),
    *(
        "sourceReference",
        "program",
        "locale",
        "hitCondition",
        "condition",
        "logMessage",
        "filterId",
        "line",
        "path",
    ),
)
ATOMS = (
    *(
        None,
        True,
        0,
        1,
        2,
        -1,
        7,
        10**30,
        1.5,
        "",
        "w",
        "w.grad",
        "Net.forward",
        "nan",
        "repl",
        "{",
        "[0]",
        "% 0",
    ),
    *("step 2", "set w = w + 1", "back", "goto h", "y > 1", "2", "zh", "\ud800", "x" * 5000, [], {}),
)


def anything(chance, depth=0):
    """Return arguments of all kinds."""
    if depth > 2 or chance.random() < 0.4:
        return chance.choice(ATOMS)
    if chance.random() < 0.3:
        return [anything(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    return {chance.choice(KEYS): anything(chance, depth + 1) for _ in range(chance.randint(0, 6))}


@pytest.mark.parametrize("seed", range(6))
def test_any_request_gets_one_answer_and_the_adapter_ends(recording, recorded, program, seed):
    chance = random.Random(seed)
    with editor() as vscode:
        if seed % 3:
            vscode.launch(recording)
        for _ in range(150):
            command, arguments = chance.choice(COMMANDS), anything(chance)
            if command in ("launch", "attach") and isinstance(arguments, dict):
                arguments.pop("program", None)
            if command == "setBreakpoints" and chance.random() < 0.5:
                arguments = {
                    "source": {"path": str(program)},
                    "breakpoints": [{"line": chance.randint(-3, 60)}],
                }
            vscode.request(command, arguments)
            answer = vscode.answer()
            assert (answer["request_seq"], answer["command"]) == (vscode.sent, str(command))
            assert answer["success"] is not bool(answer["message"])
        vscode.ask("disconnect")
