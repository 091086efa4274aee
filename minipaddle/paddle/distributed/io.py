"""``paddle.distributed.io``: the persistable variables of a Program, in files."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.static.files.state import load_vars, save_vars


def is_persistable(var: Any) -> bool:
    """Return whether a Variable is kept from one run to the next: a parameter, or the state of an optimizer."""
    return bool(var.persistable) and not var.is_data


def save_persistables(
    executor: Any, dirname: str, main_program: Any = None, filename: str | None = None
) -> None:
    """Write the persistable variables of a Program into a folder, a file each, or all into `filename`.

    Args:
        executor: an Executor.
        dirname: the folder.
        main_program: the Program; the default one if it is None.
        filename: the one file.
    """
    save_vars(executor, dirname, main_program, predicate=is_persistable, filename=filename)


def load_persistables(
    executor: Any, dirname: str, main_program: Any = None, filename: str | None = None
) -> None:
    """Read what `save_persistables` wrote.

    Args:
        executor: an Executor.
        dirname: the folder.
        main_program: the Program; the default one if it is None.
        filename: the one file.
    """
    load_vars(executor, dirname, main_program, predicate=is_persistable, filename=filename)


guard_all(globals())
