"""Commands that change numbers in forks of the recording, and that save or end the session."""

import contextlib
import io
import re
from collections.abc import Iterator, Sized
from pathlib import Path
from typing import Annotated

from minipaddle.tools.checks.diff import compare, compare_lines, compare_object
from minipaddle.tools.debug.commands.base import Desk, needed, number_of
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.expressions import evaluate, namespace
from minipaddle.tools.debug.what_if import Fork
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.file import save
from minipaddle.tools.words.events import title
from minipaddle.tools.words.json import value_object
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import glance, shape_text, spaced

_WHICH = phrase("which fork? `forks` lists them")
_SHOWN_CHANGES = 20  # changed values that `set` and `diff` list; the others are counted


class Changing(Desk):
    """set, forks, switch, diff."""

    def do_set(self, arg: Annotated[str, "NAME = EXPR [--rerun]"]) -> None:
        """Fork: NAME = EXPR here, and run again what follows; --rerun: a variable of Python's, and all the script."""
        match = re.fullmatch(r"(.+?)\s*(?<![=<>!])=(?!=)\s*(.+)", arg)
        if match is None:
            raise NoMove("set what? NAME = EXPR")
        if arg.endswith(" --rerun"):
            fork = self.forks.rerun(arg.removesuffix("--rerun").strip())
            said = say("fork {number}: {said}", number=fork.number, said=fork.said)
            self._tell_fork(fork, said, compare(self.forks.all[0].trace, fork.trace))
            return
        found = evaluate(self.session, match[2])
        name = match[1].strip()
        old = self.session.made(self.session.canonical(name))
        new = found.array if isinstance(found, Value) else found
        fork = self.forks.set(name, new)
        changed = self.forks.changes(0)
        counted = say("{count} values changed", count=len(changed))
        if old is not None and old.array is not None and (old.array == new).all():
            counted = say("it had these numbers before")
        said = say("fork {number}: {said}; {changes}", number=fork.number, said=fork.said, changes=counted)
        self._tell_fork(fork, said, changed)

    def _tell_fork(self, fork: Fork, said: str, changed: Sized) -> None:
        self.tell(
            lambda: {"fork": fork.number, "said": fork.said, "changed": len(changed), "lost": fork.lost},
            lambda: [said, *(say("not run again: {what}", what=what) for what in fork.lost)],
        )

    def do_forks(self, arg: str) -> None:
        """The recording and its forks."""
        marks = {self.forks.current: self.symbols.pointer}
        self.answer("forks", [f"{marks.get(f.number, ' ')} {f.number}: {f.said}" for f in self.forks.all])

    def do_switch(self, arg: Annotated[str, "K"]) -> None:
        """Look at fork K (0 is the recording)."""
        self.forks.switch(number_of(arg, say(_WHICH)))
        self.show()

    def do_diff(self, arg: Annotated[str, "[K | A B]"]) -> None:
        """What differs between fork K (0, the recording) and the one that is looked at; between passes A and B."""
        if len(arg.split()) == 2:
            a, b = (number_of(one, say("which passes? two numbers"), 1) for one in arg.split())
            found = compare(self.session.trace, self.session.trace, 1e-5, a, b)
            self.tell(lambda: compare_object(found), lambda: compare_lines(found))
            return
        other = self.forks.numbered(number_of(arg or "0", say(_WHICH)))
        here = self.forks.all[self.forks.current]
        if other.run != here.run:
            found = compare(other.trace, here.trace)
            self.tell(lambda: compare_object(found), lambda: compare_lines(found))
            return
        changed = self.forks.changes(other.number)
        pairs = ({"before": value_object(one), "after": value_object(two)} for one, two in changed)
        self.tell(lambda: {"diff": list(pairs)}, lambda: self._changes(changed))

    def _changes(self, changed: list[tuple[Value, Value]]) -> Iterator[str]:
        for one, two in changed[:_SHOWN_CHANGES]:
            made = self.session.trace.maker(two)
            numbers = f"{glance(one)} {self.symbols.arrow} {glance(two)}"
            yield spaced(two.name, shape_text(two), numbers, title(made) if made else "")
        if len(changed) > _SHOWN_CHANGES:
            yield say("... and {count} more", count=len(changed) - _SHOWN_CHANGES)
        if not changed:
            yield say("nothing differs")


class Managing(Desk):
    """record, !, quit."""

    def do_record(self, arg: Annotated[str, "FILE.mpt"]) -> None:
        """Save what is looked at (the recording, or a fork) as FILE.mpt."""
        path = Path(needed(arg, "record where? FILE.mpt"))
        if path.suffix != ".mpt":
            raise NoMove("the name of a recording ends with .mpt")
        try:
            save(self.session.trace, path)
        except (OSError, ValueError) as error:
            raise NoMove(f"{path}: {getattr(error, 'strerror', None) or error}") from error
        self.note(say("wrote {path}", path=path))

    def do_shell(self, arg: Annotated[str, "PYTHON"]) -> None:
        """Run Python, all of it: ! followed by a statement. The values here have their names; what it binds stays."""
        from minipaddle import paddle

        space = {**namespace(self.session), "paddle": paddle, **self.bound}
        before = dict(space)
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(needed(arg, "which Python?"), "<prompt>", "single"), space)
        except (NoMove, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise NoMove(f"{arg}: {type(error).__name__}: {error}") from error
        finally:
            new = {name: value for name, value in space.items() if before.get(name) is not value}
            self.bound.update({name: value for name, value in new.items() if name != "__builtins__"})
        self.answer("python", said.getvalue().splitlines())

    def do_quit(self, arg: str) -> bool:
        """End the session."""
        return True
