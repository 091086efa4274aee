"""A client of the Debug Adapter Protocol, as an editor is one: requests in, answers and events out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from minipaddle.tools.debug.dap.adapter import Adapter
from minipaddle.tools.debug.dap.wire import Writer, messages

_PATIENCE = 60
"""Seconds after which a missing message fails the test: a script is recorded in two."""


class Editor:
    """Asks one adapter, which answers in a thread of its own."""

    def __init__(self, read: Any, write: Any) -> None:
        self._queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
        Thread(target=lambda: [self._queue.put(one) for one in messages(read)], daemon=True).start()
        self._writer = Writer(write)
        self.events: list[dict[str, Any]] = []
        self.number = 0

    def send(self, command: str, **arguments: Any) -> None:
        """Send a request without waiting."""
        self.number += 1
        self._writer.write({"type": "request", "command": command, "arguments": arguments})

    def answer(self) -> dict[str, Any]:
        """Return the next answer; the events before it are kept."""
        while (message := self._queue.get(timeout=_PATIENCE))["type"] != "response":
            self.events.append(message)
        return message

    def ask(self, command: str, **arguments: Any) -> Any:
        """Return the body of the answer to a request, which must succeed."""
        self.send(command, **arguments)
        answer = self.answer()
        assert (answer["command"], answer["success"]) == (command, True), answer
        return answer["body"]

    def refused(self, command: str, **arguments: Any) -> str:
        """Return the message of the answer to a request, which must fail."""
        self.send(command, **arguments)
        answer = self.answer()
        assert (answer["command"], answer["success"]) == (command, False), answer
        return str(answer["message"])

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

    def move(self, command: str) -> tuple[str, int]:
        """Move; return the reason of the stop, and the line."""
        self.ask(command, threadId=1)
        reason = self.event("stopped")["reason"]
        return reason, self.ask("stackTrace", threadId=1)["stackFrames"][0]["line"]

    def scope(self, name: str) -> dict[str, str]:
        """Return the variables of a scope of the innermost frame, as the editor shows them."""
        scopes = {one["name"]: one["variablesReference"] for one in self.ask("scopes", frameId=1)["scopes"]}
        return {
            one["name"]: one["value"]
            for one in self.ask("variables", variablesReference=scopes[name])["variables"]
        }


@contextmanager
def editor() -> Iterator[Editor]:
    """An editor connected to an adapter, which has ended when the block ends."""
    pipes = [os.pipe(), os.pipe()]
    (its_input, mine), (my_input, its_output) = ((os.fdopen(r, "rb"), os.fdopen(w, "wb")) for r, w in pipes)
    serving = Thread(target=Adapter(its_input, its_output).serve)
    serving.start()
    try:
        yield Editor(my_input, mine)
    finally:
        mine.close()
        serving.join(30)
        for one in (its_input, its_output, my_input):
            one.close()
        assert not serving.is_alive()
