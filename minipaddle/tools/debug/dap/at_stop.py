"""The requests about a recording: where the session stands, what is there, how it moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from minipaddle.tools.checks.nan import hunt, hunt_lines
from minipaddle.tools.debug.commands.base import SHORT
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.dap.stops import Stops, births
from minipaddle.tools.debug.dap.view import View
from minipaddle.tools.debug.dap.wire import Writer
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Breakpoint, Session
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.kinds import Raised
from minipaddle.tools.words.events import blamed
from minipaddle.tools.words.language import say
from minipaddle.tools.words.terminal import UNICODE

Args = dict[str, Any]
Body = dict[str, Any]

MOVES: dict[str, Callable[[Session], object]] = {
    "next": Session.next,
    "stepIn": Session.step,
    "stepOut": Session.finish,
    "stepBack": Session.next_back,
    "continue": Session.resume,
    "reverseContinue": Session.resume_back,
}
_THREAD = 1
"""The number of the one thread: a recording is what the script's own thread did."""


class AtStop:
    """A session as an editor sees it."""

    def __init__(self, session: Session, writer: Writer) -> None:
        self.session, self._writer = session, writer
        self.stops = Stops(session)
        self.view = View(session)
        session.log = self._log
        self._said: list[str] = []
        self._prompt = Prompt(session, UNICODE, self._said.append)

    def _log(self, hit: Breakpoint) -> None:
        """Send a logpoint's text, with the values of the expressions in braces."""

        def value_of(found: re.Match[str]) -> str:
            try:
                return str(self.view.of(evaluate(self.session, found[1]), found[1])["value"])
            except NoMove as error:
                return f"{{{error}}}"

        text = re.sub(r"\{([^{}]+)\}", value_of, hit.do)
        where = blamed(self.session.trace, self.session.event).where
        place = {} if where is None else {"source": self.view.source(where.file), "line": where.number}
        self._writer.event("output", category="console", output=f"{text}\n", **place)

    # -- moves ---------------------------------------------------------------------------------------------------------

    def move(self, command: str) -> None:
        """Move as a request says, and tell the editor. Raises NoMove if that is impossible."""
        MOVES[command](self.session)
        self.tell_stop("step")

    def tell_stop(self, reason: str, text: str = "") -> None:
        """Tell the editor that the session stands at the cursor, and why."""
        self.view = View(self.session)
        hits = self.stops.at_hand()
        kinds = {"watch": "data breakpoint", "break": "breakpoint"}
        if any(self.stops.is_exception(hit) for hit in hits):
            reason, text = "exception", text or self._exception()[1]
        elif hits:
            reason = kinds[hits[0].kind]
        told: Body = {"description": text, "text": text} if text else {}
        told |= {"hitBreakpointIds": [hit.number for hit in hits]}
        self._writer.event("stopped", reason=reason, threadId=_THREAD, allThreadsStopped=True, **told)

    def _exception(self) -> tuple[str, str]:
        """Return the name of what went wrong here, and a sentence about it. Raises NoMove if nothing did."""
        trace, event = self.session.trace, self.session.event
        if isinstance(event, Raised):
            name, _, text = event.note.partition(":")
            return name, text.strip() or event.note
        for what in ("nan", "inf"):
            if event.index in (born := births(trace, what)):
                return {"nan": "NaN", "inf": "Inf"}[what], born[event.index]
        raise NoMove("nothing that is not finite is born here, and no error was raised")

    # -- requests ------------------------------------------------------------------------------------------------------

    def set_breakpoints(self, args: Args) -> Body:
        """Set the breakpoints of one file, which the editor names by its path, or by the number of a recorded text."""
        source, number = args["source"], args["source"].get("sourceReference") or 0
        file = list(self.session.trace.sources)[number - 1] if number else str(source["path"])
        return self.stops.set("lines", args.get("breakpoints") or (), file)

    def set_exceptions(self, args: Args) -> Body:
        """Set the kinds of exceptions that stop, each with its condition."""
        options = args.get("filterOptions") or ()
        asked = [{"filterId": name} for name in args.get("filters") or ()] + list(options)
        return self.stops.set("exceptions", asked)

    def data_info(self, args: Args) -> Body:
        """Return the name under which a variable can be watched; none if it is no tensor."""
        name = args["name"]
        try:
            found = evaluate(self.session, name)
        except NoMove as error:
            return {"dataId": None, "description": str(error)}
        if not isinstance(found, Value):
            return {"dataId": None, "description": say("{name} is no tensor of the recording", name=name)}
        return {"dataId": found.name, "description": found.name, "accessTypes": ["write"], "canPersist": True}

    def threads(self, args: Args) -> Body:
        """Return the one thread."""
        return {"threads": [{"id": _THREAD, "name": self.session.trace.script or "script"}]}

    def stack(self, args: Args) -> Body:
        """Return the frames, or a range of them."""
        frames, start = self.view.frames(), int(args.get("startFrame") or 0)
        count = int(args.get("levels") or 0) or len(frames)
        return {"stackFrames": frames[start : start + count], "totalFrames": len(frames)}

    def variables(self, args: Args) -> Body:
        """Return the variables of a scope, or the parts of one."""
        start, count = int(args.get("start") or 0), int(args.get("count") or 0)
        return {"variables": self.view.variables(int(args["variablesReference"]), start, count)}

    def evaluate(self, args: Args) -> Body:
        """Return the value of an expression; in the console, the answer of any command of the prompt, too."""
        text = str(args["expression"]).strip()
        word = text.partition(" ")[0]
        if args.get("context") == "repl" and (
            text.startswith("!") or SHORT.get(word, word) in self._prompt.commands()
        ):
            return {"result": self._command(text), "variablesReference": 0}
        shown = self.view.of(evaluate(self.session, text), text)
        return {"result": shown.pop("value"), **shown}

    def _command(self, line: str) -> str:
        """Carry out a command of the prompt and return its answer; a move is told to the editor."""
        before = self.session.position, self.session.trace
        self._said.clear()
        self._prompt.run(line)
        answer = "\n".join(self._said)
        if self._prompt.failed:
            raise NoMove(answer.removeprefix("*** ").replace("{", "{{").replace("}", "}}"))
        if (self.session.position, self.session.trace) != before:
            self.tell_stop("goto")
        return answer

    def set_variable(self, args: Args) -> Body:
        """Give a tensor other numbers, in a fork of the recording: what depends on it is run again."""
        name, text = str(args["name"]), str(args["value"])
        found = evaluate(self.session, text)
        fork = self._prompt.forks.set(name, found.array if isinstance(found, Value) else found)
        lost = [say("not run again: {what}", what=what) for what in fork.lost]
        told = "\n".join([say("fork {number}: {said}", number=fork.number, said=fork.said), *lost])
        self._writer.event("output", category="console", output=f"{told}\n")
        self.view = View(self.session)
        self._writer.event("invalidated", areas=["variables"])
        shown = self.view.of(evaluate(self.session, name), name)
        return {key: shown[key] for key in ("value", "variablesReference")}

    def completions(self, args: Args) -> Body:
        """Return what may stand at a place of a line of the console."""
        text = str(args["text"])[: max(int(args["column"]) - 1, 0)]
        begin = len(text) - len(re.split(r"[ \t()\[\]+\-*/,=]", text)[-1])
        word = text[begin:]
        if text[:begin].strip():
            found = self._prompt.completedefault(word, text, begin, len(text))
        else:
            names = sorted(name for name in self.session.names if name.startswith(word))
            found = [*self._prompt.completenames(word), *names]
        return {"targets": [{"label": one, "start": begin, "length": len(word)} for one in found]}

    def exception(self, args: Args) -> Body:
        """Return what went wrong at this event: the NaN that was born, with the way it goes, or the script's error."""
        name, said = self._exception()
        trace = self.session.trace
        is_raised = isinstance(self.session.event, Raised)
        way = "" if is_raised else "\n".join(hunt_lines(hunt(trace, infinite_too=True), trace))
        details = {"message": said, "typeName": name, "stackTrace": way}
        return {"exceptionId": name, "description": said, "breakMode": "always", "details": details}


REQUESTS: dict[Any, Callable[[AtStop, Args], Body | None]] = {
    **dict.fromkeys(MOVES, lambda at, args: {"allThreadsContinued": True}),
    "setBreakpoints": AtStop.set_breakpoints,
    "setFunctionBreakpoints": lambda at, args: at.stops.set("functions", args["breakpoints"]),
    "setDataBreakpoints": lambda at, args: at.stops.set("data", args["breakpoints"]),
    "setExceptionBreakpoints": AtStop.set_exceptions,
    "dataBreakpointInfo": AtStop.data_info,
    "threads": AtStop.threads,
    "stackTrace": AtStop.stack,
    "scopes": lambda at, args: {"scopes": at.view.scopes(int(args["frameId"]))},
    "variables": AtStop.variables,
    "evaluate": AtStop.evaluate,
    "setVariable": AtStop.set_variable,
    "completions": AtStop.completions,
    "exceptionInfo": AtStop.exception,
    "source": lambda at, args: {"content": at.view.text(int(args["sourceReference"]))},
    "loadedSources": lambda at, args: {"sources": list(map(at.view.source, at.session.trace.sources))},
    "pause": lambda at, args: None,
}
"""The requests that need a recording. ``pause``: it stands already."""
