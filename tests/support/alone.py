"""A test by itself: its changes to the process do not reach the next test."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.names.unique import guard
from minipaddle.engine.value.dtype import default_float, set_default_float
from minipaddle.ops.random import generator
from minipaddle.ops.random.mersenne_twister import Engine, engine_of_process
from minipaddle.paddle.framework import settings, to_string
from minipaddle.paddle.static.program.listing import counted_anew
from minipaddle.paddle.static.program.program import Program, program_guard
from minipaddle.paddle.static.scope import Scope, scope_guard
from minipaddle.tools.words.language import language, speak

__all__ = ["alone"]

_FIRST = engine_of_process(0).state


@contextmanager
def alone() -> Iterator[None]:
    """Begin names, random numbers, Programs and the Scope anew; a mode or a setting left behind raises.

    Raises:
        AssertionError: what is in the ``with`` block **left behind**; it is put in order.
    """
    stream = generator.switch(Engine(_FIRST.state, _FIRST.seed))
    before, printing = _settings(), np.get_printoptions()
    try:
        with guard(), counted_anew(), scope_guard(Scope()), program_guard(Program(), Program()):
            yield
    finally:
        generator.switch(stream)
        after = _settings()
        if after != before:
            _put_in_order(before)
            np.set_printoptions(**printing)
    left = {what: after[what] for what in before if after[what] != before[what]}
    assert not left, f"the test left behind: {left}"


def _settings() -> dict[str, Any]:
    """Return what a test may change and has to put back."""
    return {
        "mode": current.get(),
        "default type": default_float(),
        "flags": {name: value for name, value in settings._flags.items() if value},
        "printing": to_string._options,
        "language": language(),
        "NumPy's printing and errors": (str(np.get_printoptions()), np.geterr()),
        "working directory": os.getcwd(),
        "path of modules": list(sys.path),
    }


def _put_in_order(before: dict[str, Any]) -> None:
    current.set(before["mode"])
    set_default_float(before["default type"])
    settings.set_flags(dict.fromkeys(settings._flags, False) | before["flags"])
    to_string._options = before["printing"]
    speak(before["language"])
    np.seterr(**before["NumPy's printing and errors"][1])
    os.chdir(before["working directory"])
    sys.path[:] = before["path of modules"]
