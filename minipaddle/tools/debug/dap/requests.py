"""The requests about a recording: where the session stands, what an editor shows there, how it moves."""

import os
import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

from minipaddle.engine.errors import Line, file_title
from minipaddle.tools.debug.commands.base import SHORT
from minipaddle.tools.debug.commands.inspect import array_text
from minipaddle.tools.debug.cursor import AtEdge, NoMove, Place
from minipaddle.tools.debug.dap.breakpoints import exceptions, set_breakpoints
from minipaddle.tools.debug.dap.wire import Body, Wire
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Breakpoint, Session
from minipaddle.tools.debug.variables import literal
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.events import blamed, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, shape_text, spaced
from minipaddle.tools.words.terminal import UNICODE

_Moves = tuple[Callable[[Session], object], ...]
_over, _into, _over_back = (
    partial(Session.go_to_line, towards=towards, over=over)
    for towards, over in ((1, True), (1, False), (-1, True))
)
_STEPS: dict[str, tuple[_Moves, _Moves]] = {
    "next": ((Session.next, _over), (Session.finish, _over)),
    "stepIn": ((Session.step, _into), (Session.step, _into)),
    "stepOut": ((Session.finish, _over), (Session.finish, partial(_over, outwards=1))),
    "stepBack": ((Session.next_back, _over_back), (_over_back,)),
}
"""The session's moves for a step, at an event and at a line: the one that ends nearest counts."""
_REASONS = {"break": "breakpoint", "watch": "data breakpoint"}  # to stop at what was set in the console
_MOST = 1000  # variables that are listed if the editor does not ask for a range


class Requests:
    """A session as an editor sees it. Numbers of variables hold until the next move."""

    def __init__(self, session: Session, wire: Wire, first_move: str) -> None:
        self.session, self._wire, self.first_move = session, wire, first_move
        self._said: list[str] = []
        self._prompt = Prompt(session, UNICODE, self._said.append)
        self._carry_out, session.log = session.log, self._log
        self._groups: list[tuple[str, Any]] = []
        """The name of a variable with parts, and these by key or place; with "", a scope and its variables."""
        # the first line, or without lines the first event
        self._beginning = (-1, len(session.trace.lines[:1]))
        session.go_to(self._beginning)

    def move(self, args: Body, command: str) -> Body:
        """Move as a request says, up to a breakpoint on the way; "": stay. Raises AtEdge for a run from the end."""
        session, begin, found = self.session, self.session.place, list[Place]()
        for step in _STEPS[command][session.at_line is not None] if command in _STEPS else ():
            with suppress(NoMove):
                step(session)
                found.append(session.place)
            session.go_to(begin)
        is_back = command in ("stepBack", "reverseContinue")
        if found:
            session.run_to(max(found) if is_back else min(found))
        elif is_back:
            session.run_to(self._beginning)
        elif command:
            with nullcontext() if command == "continue" else suppress(AtEdge):
                session.resume()
        self._tell_stop("step" if command else "entry")
        return {"allThreadsContinued": True}

    def _tell_stop(self, reason: str) -> None:
        """Tell the editor, after the answer, that the session stands at the cursor, and why."""
        self._groups.clear()
        hits = [hit for hit in self.session.hits if not hit.do]
        text = say("this is the end of the recording") if self.session.at_end else ""
        kinds = [_REASONS.get(hit.kind, hit.kind) for hit in hits]
        if "exception" in kinds:
            reason, text = "exception", exceptions(self.session)[self.session.event.index][1]
        elif kinds:
            reason = kinds[0]
        told = {"threadId": 1, "allThreadsStopped": True, "hitBreakpointIds": [hit.number for hit in hits]}
        told |= {"name": "stopped", "reason": reason, "text": text, "description": text}
        self._wire.later.append(told)

    def _log(self, hit: Breakpoint) -> None:
        """Say a logpoint's text with the expressions in braces worked out; of the console's, do its command."""
        self._said.clear()
        if hit.kind in _REASONS:
            self._carry_out(hit)
        else:
            self._said.append(re.sub(r"\{([^{}]+)\}", self._worked_out, hit.do))
        self._wire.event("output", category="console", output="\n".join([*self._said, ""]))

    def _worked_out(self, found: re.Match[str]) -> str:
        try:
            return str(self._variable(found[1], evaluate(self.session, found[1]))["value"])
        except NoMove as error:
            return f"{{{error}}}"

    def evaluate(self, args: Body) -> Body:
        """Return the value of an expression; in the console, the answer of any command of the prompt, too."""
        text = str(args["expression"]).strip()
        word, commands = re.split(r"\W", text)[0], self._prompt.commands()
        is_command = word in commands or (SHORT.get(word) in commands and word not in self._names())
        if args.get("context") == "repl" and (is_command or text.startswith("!")):
            return {"result": self._command(text), "variablesReference": 0}
        self._choose(int(args.get("frameId") or 1))
        shown = self._variable(text, evaluate(self.session, text))
        return {"result": shown.pop("value"), **shown}

    def _names(self) -> set[str]:
        return {*self.session.names, *self.session.variables.names}

    def _command(self, line: str) -> str:
        """Carry out a command of the prompt and return its answer; a move is told to the editor."""
        session, place, trace = self.session, self.session.place, self.session.trace
        self._said.clear()
        self._prompt.run(line)
        answer = "\n".join(self._said)
        if self._prompt.failed:
            raise NoMove(answer.removeprefix("*** "))
        if session.trace is not trace or session.place != place:
            self._tell_stop("goto")
        return answer

    def set_variable(self, args: Body) -> Body:
        """Give a tensor other numbers, as `set` does: in a fork, in which what depends on it is run again."""
        name = str(args["name"])
        said = self._command(f"set {name} = {args['value']}")
        self._wire.event("output", category="console", output=f"{said}\n")
        return self._variable(name, evaluate(self.session, name))

    def completions(self, args: Body) -> Body:
        """Return the words that may stand at the cursor of the console."""
        text = str(args["text"])[: max(int(args["column"]) - 1, 0)]
        word = re.split(r"[ \t()\[\]+\-*/,=]", text)[-1]
        begin = len(text) - len(word)
        if text[:begin].strip():
            found = self._prompt.completedefault(word, text, begin, len(text))
        else:
            found = sorted(one for one in {*self._prompt.commands(), *self._names()} if one.startswith(word))
        return {"targets": [{"label": one, "start": begin, "length": len(word)} for one in found]}

    def exception_info(self, args: Body) -> Body:
        """Return what went wrong at this event: the NaN that was born, with the way it goes, or the script's error."""
        kind, said = exceptions(self.session).get(self.session.event.index, ("", ""))
        if not kind:
            raise NoMove("nothing that is not finite is born here, and no error was raised")
        details = {"message": said, "typeName": kind, "stackTrace": self._command("nan")}
        return {"exceptionId": kind, "description": said, "breakMode": "always", "details": details}

    def stack_trace(self, args: Body) -> Body:
        """Return the frames, or some of them, innermost first."""
        start, frames = args.get("startFrame") or 0, list[Body]()
        for number, (name, of, where) in enumerate(self._frames(), 1):
            at = {"line": where.number, "source": self._source(where.file)} if where else {"line": 0}
            frames.append({"id": number, "name": spaced(name, of), "column": 1, **at})
        return {"stackFrames": frames[start:][: args.get("levels") or None], "totalFrames": len(frames)}

    def _frames(self) -> list[tuple[str, str, Line | None]]:
        """Return at an event its operator, then the functions that run: their names, layers and lines."""
        session, frames = self.session, list[tuple[str, str, Line | None]]()
        if session.at_line is None:
            ran = blamed(session.trace, session.event)
            frames.append((title(session.event), ran.scope.path if ran.scope else "", ran.where))
        with suppress(NoMove):  # its lines were not followed
            frames += session.functions()
        return frames

    def _source(self, file: str) -> Body:
        """Return a file as the protocol names one; with a number for the recorded text if the file has another now."""
        sources, path, now = self.session.trace.sources, os.path.realpath(file), [""]
        with suppress(OSError, UnicodeDecodeError):
            now = Path(path).read_text(encoding="utf-8").splitlines()
        same = file not in sources or now == sources[file].splitlines()
        number = 0 if same else [*sources].index(file) + 1
        return {"name": file_title(file), "path": path, "sourceReference": number}

    def _choose(self, frame: int) -> None:
        """Choose a frame, as ``up`` and ``down`` do. Raises NoMove if it is not there."""
        if not 1 <= frame <= len(self._frames()):
            raise NoMove("there is no frame {number} at this stop", number=frame)
        self.session.chosen = max(frame - 1 - (self.session.at_line is None), 0)

    def scopes(self, args: Body) -> Body:
        """Return the groups of variables: Python's in a frame, the operator's, all tensors and gradients."""
        self._choose(args["frameId"])
        session, trace, event = self.session, self.session.trace, self.session.event
        groups: dict[str, dict[str, Any]] = {say("locals"): {}}
        with suppress(NoMove):
            groups[say("locals")] = session.locals()
        if session.at_line is None and not session.chosen:
            ids: Body = {say("inputs"): event.inputs, say("outputs"): event.outputs}
            ids[say("saved for backward")] = (trace.differentiated(event) or event).saved
            groups |= {name: {one.name: one for one in trace.known(ids[name])} for name in ids}
        made = [one for name in sorted(session.names) if (one := session.made(name)) and one.name == name]
        groups[say("tensors")] = {one.name: one for one in made if one.kind != "gradient"}
        groups[say("gradients")] = {one.name: one for one in made if one.kind == "gradient"}
        numbers = [(name, self._refer("", group)) for name, group in groups.items()]
        return {
            "scopes": [{"name": name, "variablesReference": at, "expensive": False} for name, at in numbers]
        }

    def _refer(self, name: str, held: Any) -> int:
        self._groups.append((name, held))
        return len(self._groups)

    def variables(self, args: Body) -> Body:
        """Return the variables of a scope, or parts of one. Raises NoMove if there is no such group at this stop."""
        number, start, count = (int(args.get(key) or 0) for key in ("variablesReference", "start", "count"))
        if not 1 <= number <= len(self._groups):
            raise NoMove("there are no variables {number} at this stop", number=number)
        name, held = self._groups[number - 1]
        keys: Any = [*held] if isinstance(held, dict) else range(len(held))
        found = {key: held[key] for key in keys[max(start, 0) :][: count or _MOST]}
        if name:  # Python's own text stands for itself, in a scope it is what Python writes
            found = {
                f"{name}[{key!r}]": repr(one) if isinstance(one, str) else one for key, one in found.items()
            }
        return {"variables": [self._variable(key, one) for key, one in found.items()]}

    def _variable(self, name: str, found: Any) -> Body:
        """Return what an expression gives as a variable: a tensor, or Python's own, also as the text of one."""
        held, shown = literal(found) if isinstance(found, str) else found, array_text(found)
        if isinstance(found, Value):
            held, shown = found.array, spaced(shape_text(found), found.dtype, glance(found))
        has_parts = isinstance(held, dict | list | tuple) or getattr(held, "ndim", 0) > 0
        number, text = self._refer(name, held) if has_parts else 0, " ".join(shown.split())
        return {"name": name, "evaluateName": name, "value": text, "variablesReference": number}


REQUESTS: dict[str, Callable[[Requests, Body], Body | None]] = {
    **{one: partial(Requests.move, command=one) for one in (*_STEPS, "continue", "reverseContinue")},
    "configurationDone": lambda at, args: at.move(args, at.first_move),
    "setBreakpoints": lambda at, args: set_breakpoints(at.session, "breakpoint", args),
    "setFunctionBreakpoints": lambda at, args: set_breakpoints(at.session, "function breakpoint", args),
    "setDataBreakpoints": lambda at, args: set_breakpoints(at.session, "data breakpoint", args),
    "setExceptionBreakpoints": lambda at, args: set_breakpoints(at.session, "exception", args),
    "dataBreakpointInfo": lambda at, args: {"dataId": args["name"], "description": args["name"]},
    "threads": lambda at, args: {"threads": [{"id": 1, "name": at.session.trace.script or "script"}]},
    "stackTrace": Requests.stack_trace,
    "scopes": Requests.scopes,
    "variables": Requests.variables,
    "evaluate": Requests.evaluate,
    "setVariable": Requests.set_variable,
    "completions": Requests.completions,
    "exceptionInfo": Requests.exception_info,
    "source": lambda at, args: {"content": [*at.session.trace.sources.values()][args["sourceReference"] - 1]},
    "pause": lambda at, args: None,
}
"""The requests that need a recording. ``pause``: it stands already."""
