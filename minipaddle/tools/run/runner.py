"""Runs a user's script as `python script.py` does, with minipaddle as its paddle, and returns.

However a script ends (to its last line, by an exception, by `sys.exit`, by Ctrl-C), the runner returns a
:class:`ScriptEnd`: tools that watched the run go on from there. What a script may change of the process (arguments,
path, streams, directory, exception hook) is as it was before.
"""

import os
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NamedTuple, TextIO

from minipaddle.engine.extension_point import written_out
from minipaddle.engine.names.missing import Missing
from minipaddle.importer import install, spawned_have_paddle
from minipaddle.tools.run.source import UnusableScript, read_script
from minipaddle.tools.run.tracebacks import keep_user_frames
from minipaddle.tools.words.setting import setting

INTERRUPTED = 130  # a shell's exit code after Ctrl-C

ExceptHook = Callable[[type[BaseException], BaseException, TracebackType | None], Any]


class ScriptEnd(NamedTuple):
    """The end of a script."""

    exit_code: int
    """The status that `python script.py` would have given (130 after Ctrl-C)."""
    exception: BaseException | None = None
    """The exception that ended it, with the user's frames only; None if it reached its last line."""
    excepthook: ExceptHook = sys.__excepthook__
    """The function that shows the exception: Python's, or the one that the script put in its place."""
    printed: tuple[str, ...] = ()
    """Names of Variables of a Program that the script printed or formatted: it may have wanted their numbers."""

    @property
    def lacks_paddle_name(self) -> bool:
        """Whether it ended because of a Paddle name that minipaddle lacks, including methods of tensors."""
        error = self.exception
        return isinstance(error, Missing) or (isinstance(error, AttributeError) and _is_ours(error.obj))

    def show(self) -> None:
        """Write to standard error as Python would: a traceback, the text given to `sys.exit`, or nothing."""
        if isinstance(self.exception, SystemExit):
            if not isinstance(self.exception.code, int | None):
                sys.stderr.write(f"{self.exception.code}\n")
        elif self.exception is not None:
            self.excepthook(type(self.exception), self.exception, self.exception.__traceback__)


def run_script(path: str | os.PathLike[str], args: Sequence[str] = ()) -> ScriptEnd:
    """Run a script as `python PATH ARGS` would; from now on, `import paddle` is minipaddle.

    Raises UnusableScript if no Python script is there, and RuntimeError if the real Paddle is already imported here.
    """
    script = Path(path)
    directory = os.path.dirname(os.path.realpath(script))

    def body() -> None:
        code = compile(read_script(script), script.absolute(), "exec", dont_inherit=True)
        with _main_module(script) as main:
            exec(code, main.__dict__)

    return _run(body, [os.fspath(path), *args], directory)


def run_module(name: str, args: Sequence[str] = ()) -> ScriptEnd:
    """Run a module as `python -m NAME ARGS` would; from now on, `import paddle` is minipaddle.

    Raises UnusableScript or RuntimeError.
    """
    body = partial(runpy.run_module, name, run_name="__main__", alter_sys=True)
    end = _run(body, [name, *args], os.getcwd())
    if isinstance(end.exception, ImportError) and end.exception.__traceback__ is None:
        raise UnusableScript(str(end.exception))  # runpy's own error: nothing ran
    return end


def _run(body: Callable[[], object], argv: list[str], directory: str) -> ScriptEnd:
    install()
    code = 0
    ended: BaseException | None = None
    printed = dict[str, None]()
    with script_environment(argv, directory), spawned_have_paddle(), setting(written_out, printed):
        before = sys.excepthook
        try:
            body()
        except UnusableScript:
            raise
        except SystemExit as error:
            code, ended = _status(error.code), error
        except BaseException as error:
            from minipaddle.tools.run.advice import advice

            if said := advice(error):
                error.add_note(f"  [Hint: {said}]")
            keep_user_frames(error)
            code, ended = (INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1), error
        hook = sys.__excepthook__ if sys.excepthook is before else sys.excepthook
        return ScriptEnd(code, ended, hook, tuple(printed))


def _status(code: object) -> int:
    """Return the exit status for an argument of `sys.exit`: None is 0, a number itself, anything else 1."""
    return code & 0xFF if isinstance(code, int) else int(code is not None)


@contextmanager
def _main_module(script: Path) -> Iterator[ModuleType]:
    """Make a new ``__main__`` with the attributes that Python gives it, for the ``with`` block."""
    main, before = ModuleType("__main__"), sys.modules["__main__"]
    file = os.fspath(script.absolute())
    vars(main).update(__file__=file, __cached__=None, __annotations__={}, __builtins__=__builtins__)
    main.__loader__ = SourceFileLoader("__main__", file)
    sys.modules["__main__"] = main
    try:
        yield main
    finally:
        sys.modules["__main__"] = before


def _is_ours(thing: object) -> bool:
    """Return whether a module, class or object is minipaddle's; no layer or ctx, which get attributes from users."""
    from minipaddle.paddle.autograd import PyLayerContext
    from minipaddle.paddle.nn import Layer

    kind = thing if isinstance(thing, type) else type(thing)
    home = thing.__name__ if isinstance(thing, ModuleType) else kind.__module__
    return home.partition(".")[0] in ("minipaddle", "paddle") and not isinstance(
        thing, Layer | PyLayerContext
    )


# -- the state of the process ------------------------------------------------------------------------------------------

_replaced: list[TextIO | None] = []
"""Streams that scripts put in the place of sys.stdout: they may share its buffer, and would close it when freed."""


@contextmanager
def script_environment(argv: list[str], directory: str) -> Iterator[None]:
    """Give a script its arguments and path within a ``with`` block; after it, the process is as it was before.

    Args:
        argv: `sys.argv` for the script.
        directory: the folder of its own modules, which comes first in `sys.path`.
    """
    kept = sys.argv, sys.path[:], sys.excepthook
    streams = sys.stdin, sys.stdout, sys.stderr
    working_directory = os.getcwd()
    sys.argv = argv
    if not sys.flags.safe_path:
        sys.path[:1] = [directory]
    try:
        yield
    finally:
        sys.argv, sys.path[:], sys.excepthook = kept
        sys.stdin, sys.stdout, sys.stderr = map(_restored, streams, (sys.stdin, sys.stdout, sys.stderr))
        with suppress(OSError):  # it may be gone
            os.chdir(working_directory)


def _restored(ours: TextIO, now: TextIO | None) -> TextIO:
    """Return the original stream; or the script's, if the original is unusable (after ``sys.stdout.detach()``)."""
    if now is None or now is ours:
        return ours
    _replaced.append(now)
    try:
        if now.writable():
            now.flush()
        ours.writable()
    except ValueError:
        return now
    return ours
