"""The kinds of events in a recording, each a class of its own.

An *event* is one thing that happened: an operator ran (:class:`Op`), a gradient rule ran (:class:`Grad`), two gradients
were added (:class:`Accumulate`), the user's own code was entered (:class:`Enter`). Events are numbered from 0 in the
order they happened, so the same script gives the same numbers in every run. Fields that only one kind has are in its
class: readers use ``match`` (``case Store(into="grad")``). A file holds these fields and no others
(:mod:`minipaddle.tools.record.codec`). Read next: :mod:`minipaddle.tools.record.events`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.custom import RUN_ON_TAPE
from minipaddle.paddle.static.program.operator import Control
from minipaddle.tools.record.reads_and_cuts import Apart, Earlier, EventId, PassNumber, ValueId

Kind = Literal["op", "grad", "accumulate", "store", "enter", "leave", "update", "backward", "error"]

SET = "overwrite"
"""The operator of ``set_value``: an update that is no optimizer's."""

Into = Literal["grad", "returned", "passed", "program"]
"""Where a gradient ended. grad: in the ``.grad`` of a leaf. returned, or passed if it is that of what an operator made:
paddle.grad handed it to the user. program: in a Variable of a Program."""

MadeBy = Literal["run", "program", "sketch", "tape"]
"""The source of a backward pass. run: it ran eagerly. program: an Executor ran it. sketch: a Program has it, but it
did not run. tape: read off the tape of a tensor in hand; it did not run."""

Body = tuple[Earlier, Earlier]
"""Indices of the events that begin and end a body."""

_NO_ATTRS: dict[str, Any] = {}
_NO_IDS: list[Any] = []


class Scope(NamedTuple):
    """One call of a layer, in which operators run."""

    number: int
    """Calls are numbered from 1 in the order in which they began."""
    path: str
    """The layer's name: ``blocks.0.fc`` within the outermost layer, which is called by its variable."""
    kind: str
    """Its class."""
    outer: Scope | None
    """The call around it."""
    training: bool = True
    """Whether the layer was in training mode."""
    inside: bool = True
    """Whether the layer is the outermost one, or one of its sublayers."""
    places: tuple[str, ...] = ()
    """The names of a layer that one Sequential or LayerList holds several times."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layer: its path, alone and with the network's name in front: ``net.0``."""
        *_, network = self.around()
        return (self.path,) if network is self else (self.path, f"{network.path}.{self.path}")

    def around(self) -> Iterator[Scope]:
        """Yield this call and the calls around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Asked:
    """Attributes readable on every event: a kind with its own answer overrides one with a field."""

    __slots__ = ()

    attrs: dict[str, Any] = _NO_ATTRS
    """The attributes of the operator that ran."""
    saved: list[ValueId] = _NO_IDS
    """Ids of the values that the tape keeps for its gradient rules."""
    parts: list[tuple[ValueId, ...] | None] = _NO_IDS
    """Per output, the ids of the values that sum to it, as its body returned them: () zeros, None unknown to it.
    Empty: the operator computed all."""
    origin: Earlier | None = None
    """Index of the related event: the forward call of a gradient rule, the beginning of an end."""
    part_of: EventId | None = None
    """Index of the gradient event whose rule applied this operator, if it is differentiated (``create_graph``)."""
    body: Body | None = None
    """Indices of the ``Enter`` and ``Leave`` of its body."""
    control: Control = ""
    """How it directed a Program: branch, loop or choice."""
    before: ValueId | None = None
    """Id of the ``.grad`` value before this gradient was added; None: none, or zeros after ``clear_grad``."""


@dataclass(slots=True)
class Event(Asked):
    """One thing that happened."""

    kind: ClassVar[Kind]
    index: Apart[int]
    op: str
    """Operator type (``matmul_v2``, ``pylayer``), for a body its kind (``forward``, ``backward``, ``hook``)."""
    title: str
    """Name to show: the operator's public name, the PyLayer's class."""
    inputs: list[ValueId | None] = field(default_factory=list)
    outputs: list[ValueId | None] = field(default_factory=list)
    _: KW_ONLY
    where: Line | None = None
    """The user's line."""
    depth: int = 0
    """The number of user-code bodies that are open around it."""
    parent: Earlier | None = None
    """Index of the ``Enter`` of the innermost open body."""
    pass_number: PassNumber = 0
    """0 in forward before any backward; n within and after the n-th backward pass; below 0 within a pass that is a
    part of another one."""
    phase: Literal["forward", "backward"] = "forward"
    scope: Scope | None = None
    """The innermost call of a layer that it ran in."""
    owner: str = ""
    """Type of the operator whose body contains it (``while``, ``while_grad``, ``pylayer``); "" outside of bodies."""
    block: int | None = None
    """Number of the Program's Block that contains it."""
    iterations: tuple[int, ...] = ()
    """Numbers, from 0, of the iterations of the loops around it, the outermost first."""
    about: ValueId | None = None
    """Id of a value: for an update the parameter, for a gradient's end the leaf, for a sum or a hook the value whose
    gradient it is, for an error the output of the call whose rule raised it."""
    note: str = ""
    """A remark for people; if an error ended the event, its type and message."""

    @property
    def is_custom(self) -> bool:
        """Whether it is the call of a custom operator that runs where it is applied, or its backward."""
        return self.op.removesuffix("_grad") in RUN_ON_TAPE

    @property
    def in_custom(self) -> bool:
        """Whether it ran inside the forward of such a call, which has its own backward."""
        return self.owner in RUN_ON_TAPE

    @property
    def was_taken(self) -> bool:
        """False for a Program's branch that did not run: its gradient is zeros only."""
        return self.control != "branch" or self.body is not None


@dataclass(slots=True, kw_only=True)
class Computed(Event):
    """An operator or a gradient rule ran and computed outputs from inputs."""

    attrs: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Bodied(Computed):
    """An operator or gradient rule that may have run a body: PyLayer code, or Blocks of a Program."""

    saved: list[ValueId] = field(default_factory=list)
    body: Body | None = None
    parts: list[tuple[ValueId, ...] | None] = field(default_factory=list)
    control: Control = ""


@dataclass(slots=True, kw_only=True)
class Op(Bodied):
    """An operator ran; the inputs are its tensors in slot order."""

    kind = "op"
    grad: bool = True
    """Whether calls were on the tape: False under ``no_grad`` with an input that requires gradient."""
    part_of: EventId | None = None


@dataclass(slots=True, kw_only=True)
class Grad(Bodied):
    """The gradient rule of an operator ran on the gradients of its outputs.

    There is one output per input of the forward operator, None where no gradient is needed.
    """

    kind = "grad"
    origin: Earlier | None = None
    part: Op | None = None
    """The piece of a gradient rule that it differentiates, as an op of ``origin``, with the same index."""


@dataclass(slots=True)
class Update(Computed):
    """An optimizer changed a parameter."""

    kind = "update"


@dataclass(slots=True)
class Accumulate(Event):
    """Two gradients were added: the sum so far, and the newly arrived one."""

    kind = "accumulate"


@dataclass(slots=True, kw_only=True)
class Store(Event):
    """A gradient reached the ``.grad`` of a leaf, or was returned to the user."""

    kind = "store"
    into: Into | None = None
    """The destination of the gradient."""
    before: ValueId | None = None


@dataclass(slots=True, kw_only=True)
class Enter(Event):
    """A body began: the user's own code (a PyLayer's forward or backward, a hook), or a Block of a Program."""

    kind = "enter"
    is_paddles: bool = False
    """Whether the code is Paddle's own (``recompute``), not the user's."""
    control: Control = ""


@dataclass(slots=True, kw_only=True)
class Leave(Event):
    """A body ended; the outputs are the values it returned."""

    kind = "leave"
    origin: Earlier | None = None


@dataclass(slots=True, kw_only=True)
class Backward(Event):
    """A backward pass began."""

    kind = "backward"
    into: Into | None = None
    """The destination of the leaves' gradients."""
    made_by: MadeBy | None = None
    """The source of the pass."""
    error: str = ""
    """Type and message of the error that ended the pass, or ""."""


FREED = "freed what it kept"
"""The words in the message of an error whose cause is a freed graph."""


@dataclass(slots=True)
class Raised(Event):
    """The script raised an error; `owner` is the name of the operator that did."""

    kind = "error"


KINDS: dict[str, type[Event]] = {
    one.kind: one for one in (Op, Grad, Update, Accumulate, Store, Enter, Leave, Backward, Raised)
}
