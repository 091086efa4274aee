"""Program: Blocks of Operators, built first and run later by an Executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

from minipaddle.engine.extension_point import Point, draw_program
from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.guard import Guard
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.watch.watched_mode import observers
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.clone import cloned
from minipaddle.paddle.static.program.listing import Listed
from minipaddle.paddle.static.program.operator import Operator, Role
from minipaddle.paddle.static.program.variable import Parameter, Variable

read_state, write_state = Point("Program.state_dict"), Point("Program.set_state_dict")
"""Filled by static/files."""


class Program(Listed):
    """A computation to be run.

    Block 0 is the global one; operators with Blocks, such as ``cond``, add others. Build with
    :class:`program_guard`, run with :class:`minipaddle.paddle.static.Executor`.
    """

    def __init__(self) -> None:
        self.blocks = [Block(self, 0)]
        self.current_block_idx = 0
        self.role: int = Role.FORWARD
        """The role of the Operators that are appended now."""
        self.backward_calls = 0
        self.schedules: dict[str, Any] = {}
        """Schedulers by the name of their learning rate's Variable, which is written before each run."""
        self.prepared: dict[Any, Any] = {}
        """Jobs that the Executor prepared for the Program's present version."""
        self._seed = 0
        self._generated = 0
        for told in observers() if isinstance(current.get(), Around) else ():  # nearly never
            told.program_made(self, "")

    # -- Blocks ---------------------------------------------------------------------------------------------------

    @property
    def num_blocks(self) -> int:
        """Number of Blocks."""
        return len(self.blocks)

    def global_block(self) -> Block:
        """Return Block 0."""
        return self.blocks[0]

    def block(self, index: int) -> Block:
        """Return a Block by its number.

        Raises:
            IndexError: if there is none.
        """
        return self.blocks[index]

    def current_block(self) -> Block:
        """Return the Block to which operators are appended now."""
        return self.blocks[self.current_block_idx]

    def as_default(self) -> AbstractContextManager[Any]:
        """Return a ``with`` block that makes this the main Program, unless it is."""
        return nullcontext() if self is default_main_program() else program_guard(self)

    @contextmanager
    def in_block(self, block: Block) -> Iterator[Block]:
        """A ``with`` block that appends to `block`."""
        before, self.current_block_idx = self.current_block_idx, block.idx
        try:
            yield block
        finally:
            self.current_block_idx = before

    def new_block(self, parent: Block | None = None, forward: Block | None = None) -> Block:
        """Return a new Block inside `parent` (the current one), for the gradient of the Block `forward`, if given."""
        block = Block(self, len(self.blocks), self.current_block_idx if parent is None else parent.idx)
        self.blocks.append(block)
        if forward is not None:
            block.forward_block_idx, forward.backward_block_idx = forward.idx, block.idx
        self.changed()
        return block

    @contextmanager
    def as_role(self, role: int) -> Iterator[None]:
        """A ``with`` block that gives its Operators another role."""
        before, self.role = self.role, role
        try:
            yield
        finally:
            self.role = before

    @contextmanager
    def undone_on_error(self, *marked: Operator) -> Iterator[None]:
        """A ``with`` block whose additions are removed if it raises: no stray Block, Variable or Operator.

        Operators that it may have `marked` get their roles back.
        """
        # only the current Block and outer ones can grow; new Blocks are removed whole
        block: Block | None = self.current_block()
        sizes: list[tuple[Block, int, int]] = []
        while block is not None:
            sizes.append((block, len(block.ops), len(block.vars)))
            block = block.parent
        before = len(self.blocks), self.current_block_idx, self._generated, self.backward_calls
        roles = [op.role for op in marked]
        try:
            yield
        except BaseException:
            for op, role in zip(marked, roles):
                op.role = role
            for grown, ops, variables in sizes:
                del grown.ops[ops:]
                while len(grown.vars) > variables:
                    grown.vars.popitem()
            count, self.current_block_idx, self._generated, self.backward_calls = before
            del self.blocks[count:]
            self.changed()
            raise

    def changed(self) -> None:
        """Drop the Jobs prepared before a change of the Program."""
        self.prepared.clear()

    def generated_name(self) -> str:
        """Return the name for an unnamed Variable: ``_generated_var_N``."""
        self._generated += 1
        return f"_generated_var_{self._generated - 1}"

    # -- Variables ------------------------------------------------------------------------------------------------

    def list_vars(self) -> Iterator[Variable]:
        """Yield the Variables of all Blocks, Block 0 first."""
        for block in self.blocks:
            yield from list(block.vars.values())

    def all_parameters(self) -> list[Parameter]:
        """Return all Parameters in creation order."""
        return [parameter for block in self.blocks for parameter in block.all_parameters()]

    @property
    def random_seed(self) -> int:
        """Seed of initializers and dropout that are appended from now on; 0: ``paddle.seed`` decides."""
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ValueError(
                f"Program.random_seed's input seed must be an integer, but received {type(seed)}."
            )
        self._seed = seed
        self.changed()

    # -- values ---------------------------------------------------------------------------------------------------

    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """Return copies of the values of parameters ("param"), of other persistable Variables ("opt"), or of all.

        Raises:
            ValueError: for another **mode**; naming what has no value yet.
        """
        found: dict[str, Any] = read_state(self, mode, scope)
        return found

    def set_state_dict(self, state_dict: dict[str, Any], scope: Any = None) -> None:
        """Store values by name in the scope (None: the global one); warn of names that are not in the Program.

        Raises:
            ValueError: a **shape** differs.
        """
        write_state(self, state_dict, scope)

    # -- copies and text ------------------------------------------------------------------------------------------

    def clone(self, for_test: bool = False) -> Program:
        """Return an independent copy; see :func:`minipaddle.paddle.static.program.clone.cloned`."""
        return cloned(self, for_test)

    def draw(self, **options: Any) -> Any:
        """Return a picture of it, without a run: ``.save("net.svg")``, ``.show()``; a notebook shows it by itself.

        Args:
            options: as for ``minipaddle.graph``: ``view="forward"``, ``pass_number=1``...

        Raises:
            ValueError: there is no operator, or no such pass; **option**, for an impossible one.
        """
        return draw_program(self, **options)

    def __repr__(self) -> str:
        return "".join(f"{block}\n" for block in self.blocks)


DEFAULTS = [Program(), Program()]
"""The Programs that operators, and initializers, are appended to unless a :class:`program_guard` says otherwise."""


def default_main_program() -> Program:
    """Return the Program to which operators are appended, unless a :class:`program_guard` sets another."""
    return DEFAULTS[0]


def current_block() -> Block:
    """Return the Block of the default main Program to which operators are appended now."""
    return DEFAULTS[0].current_block()


def default_startup_program() -> Program:
    """Return the Program to which initializers are appended."""
    return DEFAULTS[1]


class program_guard(Guard):
    """Makes these the default Programs within a ``with`` block; None keeps the startup program.

    Raises:
        TypeError: **main_program** or **startup_program** is no Program.
    """

    def __init__(self, main_program: Any, startup_program: Any = None) -> None:
        for name, program in (("main_program", main_program), ("startup_program", startup_program)):
            if not isinstance(program, Program) and not (program is None and name == "startup_program"):
                raise TypeError(
                    f"The type of '{name}' in paddle.static.program_guard must be Program, but received "
                    f"{type(program)}."
                )
        super().__init__()
        self._programs = main_program, startup_program

    def way_back(self) -> Callable[[], None]:
        """Return a function that restores these default Programs."""
        return partial(DEFAULTS.__setitem__, slice(None), list(DEFAULTS))

    def change(self) -> None:
        """Make them the default Programs."""
        main, startup = self._programs
        DEFAULTS[:] = [main, DEFAULTS[1] if startup is None else startup]
