"""The adapter: one request of the editor after the other, answered from the recording of its script.

First the editor asks what there is (``initialize``) and names the script (``launch``). When the recording is there, it
sends its breakpoints, and ``configurationDone``. From then on the session stands at an event, and each move (``next``,
``stepBack``, ``reverseContinue``) ends in a ``stopped`` event. Read next:
:mod:`minipaddle.tools.debug.dap.at_stop`, the requests about a recording.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from minipaddle.tools.debug.cursor import AtEdge, NoMove
from minipaddle.tools.debug.dap.at_stop import MOVES, REQUESTS, AtStop
from minipaddle.tools.debug.dap.launch import Launched
from minipaddle.tools.debug.dap.stops import FILTERS
from minipaddle.tools.debug.dap.wire import Message, NoProtocol, Writer, messages
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.words.language import say, speak, spoken

Args = dict[str, Any]

_CAPABILITIES = (
    *("ConfigurationDoneRequest", "FunctionBreakpoints", "ConditionalBreakpoints"),
    *("HitConditionalBreakpoints", "EvaluateForHovers", "StepBack", "SetVariable", "CompletionsRequest"),
    *(
        "ExceptionInfoRequest",
        "DataBreakpoints",
        "LogPoints",
        "LoadedSourcesRequest",
        "ExceptionFilterOptions",
    ),
)


class Adapter:
    """One debug session: requests are read from `input`, answers and events written to `output`."""

    def __init__(self, input: BinaryIO, output: BinaryIO) -> None:
        self._input, self._writer = input, Writer(output)
        self._waiting: SimpleQueue[Message | Callable[[], None] | None] = SimpleQueue()
        self._config: Args = {}
        self._launched: Launched | None = None
        self._launching: Message | None = None
        """The request that waits for the end of the recording."""
        self._at: AtStop | None = None
        self._is_over = False

    def serve(self) -> None:
        """Answer requests until the editor disconnects; the script's process does not outlive that."""
        Thread(target=self._read, daemon=True).start()
        try:
            while not self._is_over and (one := self._waiting.get()) is not None:
                if callable(one):
                    one()
                else:
                    self._answer(one)
        finally:
            self._end_script()

    def _read(self) -> None:
        """Put the messages of the editor into the queue; the end of them, too."""
        try:
            for message in messages(self._input):
                self._waiting.put(message)
        except (NoProtocol, OSError, ValueError) as error:
            self._writer.event("output", category="stderr", output=f"{error}\n")
        self._waiting.put(None)

    def _answer(self, request: Message) -> None:
        """Carry out one request; an impossible one is answered, never raised."""
        command, args = request.get("command"), request.get("arguments") or {}
        try:
            body = self._carry_out(command, args)
        except (NoMove, BadRecording) as error:
            self._refuse(request, str(error))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            said = say("the arguments of {command} are not those of the protocol", command=command)
            self._refuse(request, f"{said}: {type(error).__name__}: {error}")
        else:
            if command == "launch":  # answered when the recording is there
                self._launching = request
            else:
                self._respond(request, body)
            if self._at is not None and command in MOVES:
                self._move(self._at, str(command))
            elif self._at is not None and command == "configurationDone":
                self._begin(self._at)

    def _carry_out(self, command: object, args: Args) -> Args | None:
        """Return the body of the answer to a request. Raises NoMove if it cannot be done now, or is none."""
        if command in _OF_LIFE:
            return _OF_LIFE[command](self, args)
        if command not in REQUESTS:
            raise NoMove("there is no request {command}", command=command)
        if self._at is None:
            running = self._launching is not None
            raise NoMove("the script is still running" if running else "nothing has been launched")
        return REQUESTS[command](self._at, args)

    def _respond(self, request: Message, body: Args | None, **refusal: object) -> None:
        answer = {"type": "response", "request_seq": request.get("seq", 0), "command": request.get("command")}
        self._writer.write({**answer, "success": not refusal, **refusal, "body": body or {}})

    def _refuse(self, request: Message, reason: str) -> None:
        shown = {"id": 1, "format": reason.replace("{", "{{"), "showUser": True}
        self._respond(request, {"error": shown}, message=reason)

    # -- the life of a session ---------------------------------------------------------------------------------------

    def initialize(self, args: Args) -> Args:
        """Return what this adapter can do."""
        speak("zh" if str(args.get("locale", "")).lower().startswith("zh") else "en")
        filters = [
            {"filter": name, "label": spoken(label), "default": default, "supportsCondition": True}
            for name, (label, default) in FILTERS.items()
        ]
        return {f"supports{one}": True for one in _CAPABILITIES} | {"exceptionBreakpointFilters": filters}

    def launch(self, args: Args) -> None:
        """Start the script. Raises NoMove if one was launched already, or the configuration names none."""
        if self._launched is not None:
            raise NoMove("a script has been launched already: restart it, or begin another session")
        self._config = args

        def printed(category: str, text: str) -> None:
            self._writer.event("output", category=category, output=text)

        self._launched = Launched(self._config, printed, lambda: self._waiting.put(self._recorded))

    def _recorded(self) -> None:
        """Open the session on the recording, and let the editor send its breakpoints."""
        request, self._launching, launched = self._launching, None, self._launched
        if request is None or launched is None:
            return
        try:
            self._at = AtStop(Session(launched.trace()), self._writer)
        except (NoMove, BadRecording, OSError) as error:
            self._refuse(request, str(error))
            self._end()
        else:
            self._respond(request, None)
            self._writer.event("initialized")

    def _begin(self, at: AtStop) -> None:
        """Stop at the first event, or at the first breakpoint if the configuration says so."""
        if self._config.get("stopOnEntry", True):
            at.tell_stop("entry")
        else:
            self._move(at, "continue")

    def _move(self, at: AtStop, command: str) -> None:
        """Move, and tell the editor where the session stands; at the end, a second time is the end of the session."""
        try:
            at.move(command)
        except NoMove as error:
            if isinstance(error, AtEdge) and command == "continue":
                self._end()
            else:
                at.tell_stop("step", str(error))

    def disconnect(self, args: Args) -> None:
        """End the session, and the script if it still runs."""
        self._end_script()
        self._is_over = True

    def _end(self) -> None:
        code = self._launched.exit_code if self._launched is not None else 0
        self._end_script()
        self._writer.event("exited", exitCode=code)
        self._writer.event("terminated")

    def _end_script(self) -> None:
        if self._launched is not None:
            self._launched.stop()
        self._launched = None


_OF_LIFE: dict[Any, Callable[[Adapter, Args], Args | None]] = {
    "initialize": Adapter.initialize,
    "launch": Adapter.launch,
    "configurationDone": lambda adapter, args: None,
    "disconnect": Adapter.disconnect,
}
