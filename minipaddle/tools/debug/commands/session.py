"""Commands about the session itself."""

import contextlib
import io
from pathlib import Path
from typing import Annotated, Any

from minipaddle.tools.debug.commands.base import Desk, needed
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.expressions import namespace
from minipaddle.tools.record.file import save


class Managing(Desk):
    """record, !, quit."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._space: dict[str, Any] = {}

    def do_record(self, arg: Annotated[str, "FILE.mpt"]) -> None:
        """Save what is looked at (the recording, or a fork) as FILE.mpt."""
        path = Path(needed(arg, "record where? FILE.mpt"))
        if path.suffix != ".mpt":
            raise NoMove("the name of a recording ends with .mpt")
        with self.writing(path):
            save(self.session.trace, path)

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
