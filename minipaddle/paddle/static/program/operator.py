"""Operator: one call in a Block.

There is one class for each way of running and differentiating a call: :class:`TableOperator` for the operators of the
table, :class:`minipaddle.paddle.static.gradient.grad_operator.GradOperator` for their gradients, and classes that run
Blocks or the user's functions (pylayer, py_func, conditional_block, while). What they share is here; what Paddle's
users read and print of them is in :mod:`minipaddle.paddle.static.program.listing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from minipaddle.engine.errors import Line, failure, locate
from minipaddle.engine.value.meta import Attrs
from minipaddle.paddle.static.program.ends import WithSlots, ends_of, read_first
from minipaddle.paddle.static.program.listing import Slots, here
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block

Place = tuple[CodeType, int]
"""A place in the user's code: the code, and the instruction in it (``f_lasti``)."""

GradientPlace = tuple["Operator | None", Variable]
"""Where gradients arrive: at an output of an Operator, or at a Variable that no Operator makes (None)."""

Control = Literal["", "branch", "loop", "choice"]
"""How an Operator controls its Blocks. branch: it runs its Block or not. loop: repeatedly. choice: it passes on
one of several values, or their gradient."""


class Role(IntEnum):
    """The purpose of an Operator, with Paddle's numbers; LOSS is added for the loss, RATE for a rate."""

    FORWARD = 0
    BACKWARD = 1
    OPTIMIZE = 2
    RATE = 16
    LOSS = 256


class Operator(WithSlots):
    """One call: its type, inputs and outputs by slot, attributes.

    Attributes:
        block: its Block.
        inputs: Variables by slot.
        outputs: Variables by slot.
        attrs: attributes for the kernel; :meth:`all_attrs` has Paddle's printed form.
        role: its purpose.
        role_var: for an operator that makes or uses a parameter's gradient: names of both.
        where: the user's line.
        place: the instruction in it at which the user called an operator.
        origin: for a gradient Operator, its forward Operator.
        part_of: the gradient Operator whose rule it is a part of, appended to be differentiated again.
        pass_number: the call of append_backward or gradients that made it, from 1; 0: none.
        seeds: the place whose gradient it starts a pass with.
        sums: the place whose gradients it sums.
        gradient_pairs: for a gradient Operator: (position among the values read by its origin then, Variable there,
            Variable of its gradient); for a part of a rule, the same for the whole rule.
        gradients_in: for a gradient Operator: the incoming gradients, of the origin's outputs.
    """

    kinds: ClassVar[dict[str, type[Operator]]] = {}
    """The kinds of Operators in files, by the name of their class."""
    has_kernel: ClassVar[bool] = True
    compute: Callable[..., Any]
    """From the values of :meth:`reads` to a tuple of values of :meth:`writes`; a single output is not in a tuple."""
    control: ClassVar[Control] = ""
    runs_user_code: ClassVar[bool] = False
    """Whether it calls a user function, which may raise, and be called again."""

    pass_number: int = 0
    seeds: GradientPlace | None = None
    sums: GradientPlace | None = None
    gradient_pairs: Sequence[tuple[int, Variable, Variable]] = ()
    gradients_in: Sequence[Variable | None] = ()

    def __init_subclass__(cls, in_files: bool = True) -> None:
        """Register a kind of Operators, unless it cannot be in a file."""
        if in_files:
            Operator.kinds[cls.__name__] = cls

    def __init__(self, block: Block, type: str, inputs: Slots, outputs: Slots, attrs: Attrs) -> None:
        self.block = block
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs
        self.role = int(block.program.role)
        self.role_var: list[str] = []
        self.namescope = here.path
        self.printed: Attrs = {}
        """Attributes printed with these values, whatever the definition says: ``axis`` of the sum in fc."""
        self.where: Line | None = None
        self.place: Place | None = None
        self.origin: Operator | None = None
        self.part_of: Operator | None = None

    @property
    def idx(self) -> int:
        """Position in its Block."""
        return self.block.ops.index(self)

    @property
    def label(self) -> str:
        """Its label in pictures and listings: its type, and the name of a user's function."""
        return self.type

    @property
    def trains(self) -> bool:
        """Whether it is for training only: a gradient or an update."""
        return bool(self.role & (Role.BACKWARD | Role.OPTIMIZE))

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return []

    def loop_variables(self) -> Sequence[Variable]:
        """Return the Variables of which it gets the value in each iteration of a loop."""
        return ()

    def hands_on(self, values: Sequence[Any]) -> list[Variable | None] | None:
        """Return for each of :meth:`writes` the Variable with its value; None in the list: none, or zeros.

        None for an Operator that computes something. `values` belong to :meth:`reads`.
        """
        return None

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it: by default :meth:`compute`."""
        return self.compute

    def explain(self, values: Sequence[Any]) -> None:
        """Raise a clearer error than the kernel's, if these inputs are invalid."""

    @property
    def flows(self) -> bool:
        """Whether a gradient may pass through it from its outputs to its inputs."""
        return True

    def gradients(self, maker: Any, grads: list[Variable], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the gradient Operators for the `wanted` ones of :meth:`reads`; return one gradient or None for each.

        `grads` has one gradient for each of :meth:`writes` that is differentiable. They are appended by `maker`, a
        :class:`minipaddle.paddle.static.gradient.grad_maker.GradMaker`.

        Raises:
            RuntimeError: if it is the gradient of control flow, which has no gradient itself.
        """
        raise locate(
            failure(
                RuntimeError,
                f"{self.type} cannot be differentiated again: second derivatives do not pass cond and while_loop.",
                "use paddle.where, or write the loop out in Python: its iterations are then ordinary operators",
            ),
            self.type,
            self.where,
        )

    parts: ClassVar[tuple[str, ...]] = ()
    """Names of further attributes of a class, which copies and files include."""
    full_slots: ClassVar[tuple[str, ...]] = ()
    """Slots that are never empty."""

    def renew(self) -> None:
        """Recompute derived attributes, after copying or loading."""

    def refuse_file(self) -> None:
        """Raise a ValueError, if it cannot be written to a file."""


def captured(block: Block) -> list[Variable]:
    """Return the outer Variables that `block` reads before it writes them, in order of first use."""
    return [variable for variable in read_first(ends_of(block.ops)) if variable.block is not block]


def listed(block: Block) -> list[Variable]:
    """Return the :func:`captured` Variables that are inputs of Operators of `block`.

    Variables captured by functions of a static_pylayer are left out, as in Paddle: no gradient goes there.
    """
    direct = {one for op in block.ops for slot in op.inputs.values() for one in slot}
    return [one for one in captured(block) if one in direct]


def escaping(block: Block) -> list[Variable]:
    """Return the outer Variables that `block` writes, in order."""
    return list(dict.fromkeys(one for op in block.ops for one in op.writes() if one.block is not block))


COMMON_PARTS = ("inputs", "outputs", "attrs", "role_var", "printed")
TOLD_PARTS = ("seeds", "sums", "gradient_pairs", "gradients_in")
"""Attributes that no run needs: recorders read them."""
