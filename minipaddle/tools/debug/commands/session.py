"""Commands about the session itself."""

import contextlib
import io
import json
from pathlib import Path
from typing import Annotated, Any

from minipaddle.paddle.framework.whole_file import whole_file
from minipaddle.tools.debug.cards import event_object
from minipaddle.tools.debug.commands.base import Desk, needed
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.expressions import namespace
from minipaddle.tools.record.file import save

_DEEPEST = 20
"""How many files of commands may run one another."""


class Managing(Desk):
    """record, export, run, alias, !, quit."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._running: list[Path] = []  # files of commands
        self._space: dict[str, Any] = {}

    def do_record(self, arg: Annotated[str, "FILE.mpt"]) -> None:
        """Save what is looked at (the recording, or a fork) as FILE.mpt."""
        path = Path(needed(arg, "record where? FILE.mpt"))
        if path.suffix != ".mpt":
            raise NoMove("the name of a recording ends with .mpt")
        with self.writing(path):
            save(self.session.trace, path)

    def do_export(self, arg: Annotated[str, "json | html FILE"]) -> None:
        """Write all stops as JSON lines (json FILE), or a page of the backward pass (html FILE)."""
        kind, _, path = arg.partition(" ")
        if kind not in ("json", "html") or not path:
            raise NoMove("export what, and where? json FILE, or html FILE")
        path, here = path.strip(), self.session.position
        if kind == "html":
            self.draw(path if path.endswith(".html") else f"{path}.html")
            return
        try:
            with self.writing(path), whole_file(path) as file:
                for position in range(len(self.session.stops)):
                    self.session.position = position
                    file.write(json.dumps(event_object(self.session), allow_nan=False).encode() + b"\n")
        finally:
            self.session.position = here

    def do_run(self, arg: Annotated[str, "FILE"]) -> None:
        """Carry out the commands in FILE, one a line."""
        path = Path(needed(arg, "run which file?"))
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise NoMove(f"{path}: {error}") from error
        whole = path.resolve()
        if whole in self._running:
            raise NoMove("{path} is being run already: it would never end", path=path)
        if len(self._running) >= _DEEPEST:
            raise NoMove("{path}: files that run files, {count} deep", path=path, count=_DEEPEST)
        self._running.append(whole)
        try:
            for line in lines:
                if line.strip() and not line.lstrip().startswith("#") and self.carry_out(line):
                    return
        finally:
            self._running.remove(whole)

    def do_alias(self, arg: Annotated[str, "[NAME COMMAND]"]) -> None:
        """Let NAME stand for a COMMAND; without them, list what stands for what."""
        name, _, command = arg.partition(" ")
        if command:
            if not hasattr(self, f"do_{name}") and name in self._leads_to(command):
                raise NoMove("{name} would stand for itself", name=name)
            self.aliases[name] = command.strip()
        elif name and self.aliases.pop(name, None) is None:
            raise NoMove("{name} stands for nothing", name=name)
        self.answer("alias", [f"{short} = {long}" for short, long in self.aliases.items()])

    def _leads_to(self, command: str) -> list[str]:
        """Return the first words of a command, and of what they stand for in turn."""
        words = [command.split()[0]]
        while words[-1] in self.aliases:
            word = self.aliases[words[-1]].split()[0]
            if word in words:
                break
            words.append(word)
        return words

    def do_shell(self, arg: Annotated[str, "PYTHON"]) -> None:
        """Run Python, all of it: ! followed by a statement. The values here have their names; what it binds stays."""
        from minipaddle import paddle

        space = {**namespace(self.session), "paddle": paddle, **self._space}
        before = dict(space)
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(needed(arg, "which Python?"), "<prompt>", "single"), space)
        except NoMove:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise NoMove(f"{arg}: {type(error).__name__}: {error}") from error
        finally:
            new = {name: value for name, value in space.items() if before.get(name) is not value}
            self._space.update({name: value for name, value in new.items() if name != "__builtins__"})
        self.answer("python", said.getvalue().splitlines())

    def do_quit(self, arg: str) -> bool:
        """End the session."""
        return True
