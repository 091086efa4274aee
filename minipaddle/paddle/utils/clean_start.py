"""Two scripts in one process: each begins as if it were the only one."""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from minipaddle.engine.names.unique import guard
from minipaddle.paddle.framework.settings import as_at_the_start
from minipaddle.paddle.framework.to_string import printed_as_at_the_start
from minipaddle.paddle.static.program.listing import counted_anew
from minipaddle.paddle.static.program.program import Program, program_guard
from minipaddle.paddle.static.scope import Scope, scope_guard

_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


@contextmanager
def begun_anew() -> Iterator[None]:
    """Run a ``with`` block as in a new process: with new names, Programs, settings and modules."""
    known = set(sys.modules)
    with (
        guard(),
        counted_anew(),
        program_guard(Program(), Program()),
        scope_guard(Scope()),
        as_at_the_start(),
        printed_as_at_the_start(),
    ):
        try:
            yield
        finally:
            forget_modules_of_scripts(known)


def forget_modules_of_scripts(known: set[str]) -> None:
    """Forget imported modules from a script's folder: the next script's may have the same names."""
    for name in set(sys.modules) - known:
        if not _stays(sys.modules[name]):
            del sys.modules[name]


def _stays(module: ModuleType) -> bool:
    """Whether a module stays loaded: it is installed, or minipaddle's."""
    file = getattr(module, "__file__", None)
    ours = module.__name__.partition(".")[0] == "minipaddle"  # also under its other name, paddle
    return ours or file is None or file.startswith(_INSTALLED)
