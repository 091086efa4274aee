"""The debugger in an editor: a client of the Debug Adapter Protocol launches scripts, sets breakpoints and moves."""

import json
import os
import subprocess
import sys
from textwrap import dedent

import pytest

from minipaddle.tools.words.terminal import UNICODE
from tests.support.dap import editor

SCRIPT = dedent("""\
    import paddle
    from paddle.autograd import PyLayer

    class Double(PyLayer):
        @staticmethod
        def forward(ctx, z):
            return z * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(2, 1)

        def forward(self, x):
            h = self.fc(x)
            return Double.apply(h)

    net = Net()
    x = paddle.to_tensor([[1.0, 1.0]])
    w = paddle.to_tensor([0.0, 2.0], stop_gradient=False)
    for step in range(3):
        y = (net(x).sum() + w * w).sum()
        y.backward()
        print("step", step)
    z = paddle.log(w - 2)
    """)


def line_of(text):
    return SCRIPT.splitlines().index(text) + 1


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("dap") / "net.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture(scope="module")
def recording(program):
    path = program.with_suffix(".mpt")
    command = [sys.executable, "-m", "minipaddle", "trace", str(program), "--passes", "all", "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def test_a_script_is_launched_stopped_and_walked_both_ways(program):
    with editor() as vscode:
        vscode.launch(program, passes="all")
        forward, backward = line_of("        h = self.fc(x)"), line_of("        return dy * 2")
        asked = [{"line": forward}, {"line": backward - 2}, {"line": 400}]
        set_ = vscode.ask("setBreakpoints", source={"path": str(program)}, breakpoints=asked)["breakpoints"]
        assert [one.get("line") for one in set_] == [forward, backward, None]
        assert "line 400" in set_[2]["message"]
        vscode.ask("configurationDone")
        assert vscode.event("output")["output"] == "step 0\n"
        assert vscode.event("stopped")["reason"] == "breakpoint"  # the first event is there
        way = [vscode.move("continue") for _ in range(2)]
        assert way == [("breakpoint", backward), ("breakpoint", forward)]
        frames = vscode.ask("stackTrace", threadId=1)["stackFrames"]
        assert frames[0]["name"] == "forward: add_grad (fc)"
        assert frames[1]["line"] == line_of("    y.backward()")
        assert vscode.move("reverseContinue") == way[0]
        assert vscode.move("stepOut") == ("step", line_of("        return Double.apply(h)"))
        assert vscode.move("stepBack")[0] == "step"
        vscode.ask("disconnect")


def test_variables_are_tensors_with_shapes_numbers_and_rows(recording):
    with editor() as vscode:
        vscode.launch(recording)
        vscode.ask("configurationDone")
        vscode.ask("evaluate", expression="goto w.grad", context="repl")
        assert vscode.scope("gradients")["w.grad"] == "[2]  float32  0, 4"
        assert vscode.scope("tensors")["x"] == "[1, 2]  float32  1, 1"
        found = vscode.ask("evaluate", expression="w", context="hover")
        rows = vscode.ask("variables", variablesReference=found["variablesReference"])["variables"]
        assert [(one["name"], one["value"]) for one in rows[-2:]] == [("w[0]", "0"), ("w[1]", "2")]
        assert vscode.ask("evaluate", expression="w.max() * 3", context="watch")["result"] == "6"
        assert "name 'nosuch' is not defined" in vscode.refused(
            "evaluate", expression="nosuch", context="hover"
        )
        labels = [one["label"] for one in vscode.ask("completions", text="goto w", column=7)["targets"]]
        assert "w.grad" in labels
        vscode.ask("setVariable", variablesReference=1, name="w", value="w + 1")
        vscode.ask("evaluate", expression="end", context="repl")
        assert vscode.ask("evaluate", expression="w", context="hover")["result"] == "[2]  float32  1, 3"


def test_a_breakpoint_has_conditions_counts_and_text_to_say(recording, program):
    with editor() as vscode:
        vscode.launch(recording)
        square = line_of("    y = (net(x).sum() + w * w).sum()")

        def stops(**options):
            lines = [{"line": square, **options}]
            vscode.ask("setBreakpoints", source={"path": str(program)}, breakpoints=lines)
            vscode.move("stepIn")
            vscode.ask("evaluate", expression="begin", context="repl")
            vscode.event("stopped")
            found = []
            while vscode.move("continue")[0] == "breakpoint":
                lines = vscode.ask("evaluate", expression="list 1", context="repl")["result"].splitlines()
                found += [line.split("/")[0] for line in lines if line.startswith(UNICODE.pointer)]
            return found

        vscode.ask("configurationDone")
        assert vscode.event("stopped")["reason"] == "entry"
        every = stops()
        assert len(every) == len(set(every)) >= 6
        assert stops(hitCondition="% 3") == every[2::3]
        assert stops(hitCondition="2") == every[1:2]
        assert stops(hitCondition=">=2") == every[1:]
        assert stops(condition="out.sum() < -1e9") == []
        vscode.events.clear()
        assert stops(logMessage="w is {w.max()} of {w}, {oops(}") == []
        said = [one["body"]["output"] for one in vscode.events if one["event"] == "output"]
        assert said
        assert all(line.startswith("w is 2 of [2]  float32  0, 2, {") for line in said)


def test_it_stops_at_functions_data_nan_and_errors(recording):
    with editor() as vscode:
        vscode.launch(recording)
        names = ["Double.backward", "Net.forward", "log", "nosuch"]
        set_ = vscode.ask("setFunctionBreakpoints", breakpoints=[{"name": one} for one in names])[
            "breakpoints"
        ]
        assert [one["verified"] for one in set_] == [True, True, True, False]
        vscode.ask("configurationDone")
        vscode.event("stopped")
        lines = [vscode.move("continue")[1] for _ in range(3)]
        assert lines[:2] == [line_of("    y.backward()"), line_of("        h = self.fc(x)")]
        vscode.ask("setFunctionBreakpoints", breakpoints=[])
        data = vscode.ask("dataBreakpointInfo", name="w.grad")["dataId"]
        vscode.ask("setDataBreakpoints", breakpoints=[{"dataId": data}])
        assert vscode.move("reverseContinue")[0] == "data breakpoint"
        vscode.ask("setDataBreakpoints", breakpoints=[])
        vscode.ask("setExceptionBreakpoints", filters=["nan"])
        assert vscode.move("continue") == ("exception", line_of("z = paddle.log(w - 2)"))
        info = vscode.ask("exceptionInfo", threadId=1)
        assert info["exceptionId"] == "NaN"
        assert "log" in info["details"]["stackTrace"]


def test_every_request_is_answered_in_any_order_and_with_any_ids(recording, program):
    with editor() as vscode:
        assert vscode.refused("stackTrace", threadId=1) == "nothing has been launched"
        assert "there is no request teleport" in vscode.refused("teleport")
        assert "launch what?" in vscode.refused("launch", port=3)
        vscode.launch(recording)
        assert "already" in vscode.refused("launch", program=str(program))
        vscode.ask("configurationDone")
        assert "no variables 1000000000000" in vscode.refused("variables", variablesReference=10**12)
        assert "no frame 99" in vscode.refused("scopes", frameId=99)
        assert "no source 7" in vscode.refused("source", sourceReference=7)
        assert "not those of the protocol" in vscode.refused("setBreakpoints", breakpoints=3)
        assert "not those of the protocol" in vscode.refused("variables")
        hits = [{"line": 1, "hitCondition": "often"}]
        answer = vscode.ask("setBreakpoints", source={"path": str(program)}, breakpoints=hits)["breakpoints"]
        assert "hits are counted" in answer[0]["message"]
        for expression in ("set w =", "help " * 999, "print w[", "break op:nosuch", "\x1b[2J"):
            assert vscode.refused("evaluate", expression=expression, context="repl")


def test_a_script_that_never_ends_ends_with_the_editor(tmp_path):
    program = tmp_path / "endless.py"
    program.write_text("import os\nprint(os.getpid(), flush=True)\nwhile True: pass\n")
    with editor() as vscode:
        vscode.ask("initialize", adapterID="minipaddle")
        vscode.send("launch", program=str(program))
        process = int(vscode.event("output")["output"])
        assert vscode.refused("threads") == "the script is still running"
        vscode.ask("disconnect")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_script_without_operators_and_one_that_raises_say_so(tmp_path):
    program = tmp_path / "odd.py"
    program.write_text("print('hello')\n")
    with editor() as vscode:
        vscode.ask("initialize", adapterID="minipaddle")
        assert "before anything was recorded" in vscode.refused("launch", program=str(program))
        vscode.event("terminated")
    program.write_text("import paddle\nx = paddle.ones([2])\nx + paddle.ones([3])\n")
    with editor() as vscode:
        vscode.launch(program, stopOnEntry=False)
        vscode.ask("setExceptionBreakpoints", filters=["error"])
        vscode.ask("configurationDone")
        assert vscode.event("stopped")["reason"] == "exception"
        assert vscode.ask("exceptionInfo", threadId=1)["exceptionId"] == "ValueError"


def test_on_standard_input_only_messages_are_written(recording):
    lines = b""
    for number, command in enumerate(("initialize", "launch", "disconnect"), 1):
        arguments = {"program": str(recording)}
        body = json.dumps(
            {"seq": number, "type": "request", "command": command, "arguments": arguments}
        ).encode()
        lines += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    command = [sys.executable, "-m", "minipaddle", "dap"]
    ran = subprocess.run(command, input=lines + b"junk\r\n\r\n", capture_output=True, timeout=60)
    assert ran.returncode == 0
    assert ran.stderr == b""
    assert ran.stdout.startswith(b"Content-Length: ")
    assert ran.stdout.count(b"request_seq") >= 2
