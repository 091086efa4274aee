"""Executor: runs a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.meta import CPUPlace
from minipaddle.paddle.static.executor.compiled_program import inner_program
from minipaddle.paddle.static.executor.run import Run, feed_dict, job_of, wanted_from
from minipaddle.paddle.static.program import Program, default_main_program
from minipaddle.paddle.static.scope import Scope, global_scope


class Executor:
    """Runs Programs on NumPy arrays.

    Args:
        place: None, ``paddle.CPUPlace()`` or "cpu"; there is no other.
    """

    def __init__(self, place: Any = None) -> None:
        self.place = CPUPlace() if place is None or isinstance(place, str) else place
        self._closed = False

    def close(self) -> None:
        """Make later runs raise."""
        self._closed = True

    def run(
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run all Operators of the global Block in order, and return the fetches.

        Args:
            program: a Program or CompiledProgram; None: the default main Program.
            feed: name -> array, for the placeholders that the Operators need.
            fetch_list: Variables or names, and lists of them. With results of ``minimize`` among them, only these
                updates run, and the Operators needed for them and the fetches.
            scope: the values of persistable Variables; None: the global Scope.
            return_numpy: arrays, or tensors that ``np.array`` takes.
            use_program_cache: no effect; a Program is always prepared once.
            use_prune: run only the Operators needed for the fetches and the optimizers' updates, given the feeds.

        Returns:
            One value for each entry of `fetch_list`, without shared memory.

        Raises:
            RuntimeError: **closed**; a fetch or feed that does not exist, naming it; or an Operator's error, with the
                user's line.
            ValueError: for a feed of another dtype or shape.
            TypeError: **feed** or **fetch_list** is of another type.
        """
        if self._closed:
            raise RuntimeError("The executor is closed: Executor.close() was called. Make another one.")
        if not isinstance(program, Program):
            program = default_main_program() if program is None else inner_program(program)
        if scope is None:
            scope = global_scope()
        for name, schedule in program.schedules.items():
            dtype = program.global_block().vars[name].meta.dtype
            (scope.find_var(name) or scope.var(name)).value = np.array(schedule(), dtype)
        feed = feed_dict(feed)
        job = job_of(program, feed, wanted_from(fetch_list), use_prune)
        return Run(program, job, job.values(feed, scope), scope, return_numpy).answers()
