"""The adapter: one request of the editor after the other, answered from the recording of its script.

The editor names a script (``launch``), and when its recording is there, sends breakpoints and ``configurationDone``.
Then each move ends in a ``stopped`` event. The script runs in a process of its own, which records it and ends: so it
can print (to the editor's console), start threads or end the process, and the connection to the editor stays.
Read next: :mod:`minipaddle.tools.debug.dap.requests`.
"""

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from minipaddle.tools.debug.cursor import AtEdge, NoMove
from minipaddle.tools.debug.dap.breakpoints import EXCEPTIONS
from minipaddle.tools.debug.dap.requests import REQUESTS, Requests
from minipaddle.tools.debug.dap.wire import Body, Wire
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.file import load
from minipaddle.tools.words.language import language, say, spoken

_CAPABILITIES = (
    *("ConfigurationDoneRequest", "FunctionBreakpoints", "ConditionalBreakpoints", "ExceptionFilterOptions"),
    *("HitConditionalBreakpoints", "EvaluateForHovers", "StepBack", "SetVariable", "CompletionsRequest"),
    *("TerminateRequest", "ExceptionInfoRequest", "DataBreakpoints", "LogPoints"),
)
OPTIONS = {"passes": "--passes", "pass": "--pass", "seed": "--seed", "maxMb": "--max-mb"}
"""Keys of a launch configuration, and the options of ``minipaddle trace`` that they stand for."""
_STREAMS: Any = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}


class Adapter:
    """One debug session: requests are read from `input`, answers and events written to `output`."""

    def __init__(self, input: BufferedIOBase, output: BufferedIOBase) -> None:
        self._wire, self._waiting = Wire(input, output), SimpleQueue[Body | None]()
        self._script: Script | None = None
        self._requests: Requests | None = None
        self._is_leaving = False
        """Whether the editor asked for the end: requests that wait are answered, but no script runs any more."""

    def serve(self) -> None:
        """Answer requests until the editor disconnects; the script's process does not outlive that."""
        Thread(target=self._read, daemon=True).start()
        with TemporaryDirectory(prefix="minipaddle-dap-", ignore_cleanup_errors=True) as self._folder:
            try:
                for request in iter(self._waiting.get, None):
                    self._answer(request)
            finally:
                self._leave()

    def _read(self) -> None:
        """Put requests in line, while a script may run; its end is not waited for once the editor asks for the end."""
        try:
            for message in self._wire.messages():
                if message.get("command") in ("terminate", "disconnect"):
                    self._leave()
                self._waiting.put(message)
                if message.get("command") == "disconnect":
                    break
        except (OSError, ValueError, AttributeError, RecursionError) as error:
            self._wire.event("output", category="stderr", output=f"Debug Adapter Protocol: {error}\n")
        self._leave()
        self._waiting.put(None)

    def _leave(self) -> None:
        self._is_leaving = True
        if self._script is not None:
            self._script.end()

    def _answer(self, request: Body) -> None:
        """Carry out one request, answer it, and tell what follows; an impossible one is answered, never raised."""
        command, body, refusal = str(request.get("command")), None, ""
        try:
            body = self._carry_out(command, request.get("arguments") or {})
        except (NoMove, BadRecording) as error:
            refusal = str(error)
        except Exception as error:
            said = say("the arguments of {command} are not those of the protocol", command=command)
            refusal = f"{said}: {type(error).__name__}: {error}"
        answer = {"request_seq": request.get("seq", 0), "command": command, "success": not refusal}
        self._wire.write({"type": "response", **answer, "message": refusal, "body": body or {}})
        while self._wire.later:
            self._wire.event(**self._wire.later.pop(0))

    def _carry_out(self, command: str, args: Body) -> Body | None:
        """Return the body of the answer to a request. Raises NoMove if it cannot be done now, or is none."""
        match command:
            case "initialize":
                return _abilities()
            case "launch" | "attach":
                self._launch(args)
            case "terminate" | "disconnect":
                self._end()
            case _ if command not in REQUESTS:
                raise NoMove("there is no request {command}", command=command)
            case _ if self._requests is None:
                raise NoMove("nothing has been launched")
            case _:
                try:
                    return REQUESTS[command](self._requests, args)
                except AtEdge:  # a second Continue at the end
                    self._end()
        return None

    def _launch(self, config: Body) -> None:
        if self._script is not None:
            raise NoMove("a script has been launched already: begin another session")
        self._script = Script(config, self._folder)
        if self._is_leaving:
            self._script.end()
        session = Session(self._script.trace(self._wire))
        self._requests = Requests(session, self._wire, "" if config.get("stopOnEntry", True) else "continue")
        self._wire.later.append({"name": "initialized"})

    def _end(self) -> None:
        self._requests = None
        self._wire.later.append({"name": "terminated"})


def _abilities() -> Body:
    """Return what the adapter can do, with the kinds of exceptions that it stops at."""
    filters = [
        {"filter": name, "label": spoken(label), "default": name != "inf", "supportsCondition": True}
        for name, label in EXCEPTIONS.items()
    ]
    return {f"supports{one}": True for one in _CAPABILITIES} | {"exceptionBreakpointFilters": filters}


class Script:
    """The process of a script; it writes its recording into a folder. Raises NoMove if no script is named."""

    def __init__(self, config: Body, folder: str) -> None:
        program, self._file = config.get("program"), Path(folder, "run.mpt")
        if not isinstance(program, str):
            raise NoMove("launch what? the configuration needs a `program`: a script, or an .mpt")
        command = [sys.executable, "-P", "-X", "utf8", "-m", "minipaddle", f"--lang={language()}", "trace"]
        command += [f"{OPTIONS[key]}={config[key]}" for key in OPTIONS if config.get(key) is not None]
        command += [f"--output={self._file}", program, "--", *map(str, config.get("args") or ())]
        env = {**os.environ, "PYTHONUNBUFFERED": "1", **(config.get("env") or {})}
        how: Any = {"encoding": "utf-8", "errors": "replace", "start_new_session": True, **_STREAMS}
        self._process: Any = subprocess.Popen(command, cwd=config.get("cwd"), env=env, **how)
        atexit.register(self.end)

    def trace(self, wire: Wire) -> Trace:
        """Return the recording, after the script's end; until then pass on what it prints.

        Raises NoMove if nothing was recorded, BadRecording if it cannot be read.
        """
        # what the script has started would hold the stream open
        Thread(target=self.end, args=[True], daemon=True).start()
        last = ""
        with self._process.stdout as lines:
            for line in lines:
                if str(self._file) not in line:  # "wrote ...": the user did not ask for this file
                    wire.event("output", category="stdout", output=line)
                    last = line.strip()
        try:
            return load(self._file)
        except OSError:
            raise NoMove("nothing was recorded: {reason}", reason=last) from None

    def end(self, waits: bool = False) -> None:
        """End the process, if `waits` once it ends by itself, with all that it has started."""
        if waits:
            self._process.wait()
        with suppress(OSError, AttributeError):  # there is none left; Windows has no groups
            os.killpg(self._process.pid, 9)
        self._process.kill()
        self._process.wait()
