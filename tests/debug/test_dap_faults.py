"""The debugger in an editor, and what a client or a script may do wrong: one clear answer, no process left."""

import json
import os
import random
import signal
import socket
import subprocess
from select import select

import pytest

from tests.support.dap import COMMAND, Editor, editor

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
