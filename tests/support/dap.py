"""A client of the Debug Adapter Protocol, as an editor is one: requests in, answers and events out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from textwrap import dedent
from threading import Thread
from typing import Any

from minipaddle.tools.debug.dap.adapter import Adapter
from minipaddle.tools.debug.dap.wire import Wire

COMMAND = [sys.executable, "-m", "minipaddle"]
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
_PATIENCE = 60
"""Seconds after which a missing message fails the test: a script is recorded in two."""


def line_of(text: str) -> int:
    """Return the number of a line of the script."""
    return next(number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.strip() == text)


class Editor:
    """Asks one adapter."""

    def __init__(self, read: Any, write: Any) -> None:
        self._queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._wire = Wire(read, write)
        self.reading = Thread(
            target=lambda: [self._queue.put(one) for one in self._wire.messages()], daemon=True
        )
        self.reading.start()
        self.events: list[dict[str, Any]] = []
        self.stops: list[dict[str, Any]] = []
        self.sent = 0

    def send(self, command: str, **arguments: Any) -> None:
        """Send a request without waiting."""
        self.request(command, arguments)

    def request(self, command: object, arguments: object) -> None:
        """Send whatever stands for a request."""
        self.sent += 1
        self._wire.write({"type": "request", "command": command, "arguments": arguments})

    def answer(self) -> dict[str, Any]:
        """Return the next answer; the events before it are kept."""
        while (message := self._queue.get(timeout=_PATIENCE))["type"] != "response":
            self.events.append(message)
        return message

    def ask(self, command: str, **arguments: Any) -> Any:
        """Return the body of the answer to a request, which must succeed."""
        self.send(command, **arguments)
        answer = self.answer()
        assert (answer["request_seq"], answer["command"], answer["success"]) == (self.sent, command, True), (
            answer
        )
        return answer["body"]

    def refused(self, command: str, **arguments: Any) -> str:
        """Return the message of the answer to a request, which must fail."""
        self.send(command, **arguments)
        answer = self.answer()
        assert (answer["request_seq"], answer["command"], answer["success"]) == (self.sent, command, False), (
            answer
        )
        return str(answer["message"])

    def forget(self) -> None:
        """Forget the events so far."""
        self.ask("threads")
        self.events.clear()

    def event(self, name: str) -> dict[str, Any]:
        """Return the body of the first event of this name that was not returned yet."""
        while not any(one["event"] == name for one in self.events):
            self.events.append(self._queue.get(timeout=_PATIENCE))
        one = next(one for one in self.events if one["event"] == name)
        self.events.remove(one)
        return dict(one["body"])

    def launch(self, program: Path, **config: Any) -> None:
        """Bring a session to where breakpoints are set."""
        self.ask("initialize", adapterID="minipaddle")
        self.ask("launch", program=str(program), **config)
        self.event("initialized")

    def begin(self) -> None:
        """End the setting of breakpoints; the session stands at the first line."""
        self.ask("configurationDone")
        assert self.event("stopped")["reason"] == "entry"

    def set_lines(self, program: Path, *lines: Any, **options: Any) -> list[dict[str, Any]]:
        """Set the breakpoints of a file, all with these options; return what became of them."""
        asked = [{"line": line, **options} for line in lines]
        found = self.ask("setBreakpoints", source={"path": str(program)}, breakpoints=asked)
        return list(found["breakpoints"])

    def frames(self) -> list[tuple[str, int]]:
        """Return the name and line of each frame, innermost first."""
        return [(one["name"], one["line"]) for one in self.ask("stackTrace", threadId=1)["stackFrames"]]

    def move(self, command: str) -> tuple[str, str, int]:
        """Move; return the reason of the stop, and the innermost frame."""
        self.ask(command, threadId=1)
        self.stops.append(self.event("stopped"))
        return (self.stops[-1]["reason"], *self.frames()[0])

    def said(self) -> list[str]:
        """Return what was written to the console, until the last answer."""
        return [one["body"]["output"] for one in self.events if one["event"] == "output"]

    def console(self, line: str) -> str:
        """Return what the debug console answers."""
        return str(self.ask("evaluate", expression=line, context="repl")["result"])

    def parts(self, reference: int, **asked: Any) -> dict[str, str]:
        """Return the variables with a number, as the editor shows them."""
        found = self.ask("variables", variablesReference=reference, **asked)["variables"]
        return {one["name"]: one["value"] for one in found}

    def scope(self, name: str, frame: int = 1) -> dict[str, str]:
        """Return the variables of a scope."""
        scopes = {
            one["name"]: one["variablesReference"] for one in self.ask("scopes", frameId=frame)["scopes"]
        }
        return self.parts(scopes[name])


@contextmanager
def editor() -> Iterator[Editor]:
    """An editor connected to an adapter, which has ended when the block ends."""
    pipes = [os.pipe(), os.pipe()]
    (its_input, mine), (my_input, its_output) = ((os.fdopen(r, "rb"), os.fdopen(w, "wb")) for r, w in pipes)
    serving = Thread(target=Adapter(its_input, its_output).serve)
    serving.start()
    one = Editor(my_input, mine)
    try:
        yield one
    finally:
        mine.close()
        serving.join(_PATIENCE)
        assert not serving.is_alive()
        its_output.close()
        one.reading.join(_PATIENCE)
        for end in (my_input, its_input):
            end.close()
