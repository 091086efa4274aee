"""Rule: the gradient of one input, and how its parameters find their values.

A rule names the values that it needs by its parameters::

    @multiply.gradient("x")
    def _(dy, y):
        return dy * y

First the gradient of each differentiable output, then any of: an input (``y``), an output (``out``), the shape or dtype
of an input (``x_shape``, ``x_dtype``), an attribute (``axis``). A broadcast is undone
after the rule, if the operator's shape rule has an ``undone_by``: where input and output differ in shape, that
function reduces the rule's result to the shape of the input.

A rule is the derivative of textbooks: ``dy * y``. A complex gradient takes its conjugate, ``dy * conj(y)``:
`conjugating` adds it, where a rule multiplies by saved values, so that no rule mentions it. Where there
is no derivative (``|x|``), the rule gives the gradient itself, and has ``conjugate=False`` (decision 4).

The parameters are decoded once, into :class:`Source`. One function, :func:`read`, finds their values in a
view of the call: :class:`Call` for a call on arrays; other views are for the Variables of a Program, the values of
a recording, and the expressions in a compiled function
(:mod:`minipaddle.engine.fast.compiled`).

Next: :mod:`minipaddle.engine.operator.plan`, which chooses the rules for one choice of wanted inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator

Kind = Literal["input", "output", "shape", "dtype", "stretched", "attr"]


class Source(NamedTuple):
    """The source of the value of one parameter of a rule."""

    name: str
    """The name of the parameter; for an attribute, also the attribute's."""
    kind: Kind
    place: int = 0
    """Position among the inputs (list slot flattened) or outputs of the call."""
    many: bool = False
    """Whether it covers every input from `place` on: the list slot."""

    @property
    def is_array(self) -> bool:
        """Whether it is a value with numbers."""
        return self.kind in ("input", "output")


@dataclass
class Call:
    """The view of a call in which the parameters of its rules are looked up: here, a call on arrays.

    It has a method for each kind of :class:`Source`; other views have their own.
    """

    inputs: Sequence[Any]
    outputs: Sequence[Any]
    attrs: Attrs

    @property
    def count(self) -> int:
        """The number of inputs, counting each member of a list slot."""
        return len(self.inputs)

    def input(self, place: int) -> Any:
        """Return an input; None if an optional one is missing."""
        return self.inputs[place]

    def output(self, place: int) -> Any:
        """Return an output."""
        return self.outputs[place]

    def shape(self, place: int) -> Any:
        """Return the shape of an input."""
        return getattr(self.inputs[place], "shape", None)

    def dtype(self, place: int) -> Any:
        """Return the dtype of an input."""
        return getattr(self.inputs[place], "dtype", None)

    def stretched(self, place: int) -> Any:
        """Return the input's shape if it was broadcast, else None: most calls save nothing for it."""
        return None if (shape := self.inputs[place].shape) == self.outputs[0].shape else shape

    def attr(self, name: str) -> Any:
        """Return an attribute."""
        return self.attrs[name]


def read(source: Source, view: Call) -> Any:
    """Return the value of one parameter of a rule in a call: a list of values for a list slot."""
    if source.kind == "attr":
        return view.attr(source.name)
    look: Callable[[int], Any] = getattr(view, source.kind)
    if source.many:
        return [look(place) for place in range(source.place, view.count)]
    return look(source.place)


class Rule:
    """The gradient of one input."""

    def __init__(
        self, op: Operator, input_name: str, function: Callable[..., Any], conjugate: bool, onwards: bool
    ) -> None:
        code = function.__code__  # inspect.signature takes fifty times as long
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.function = function
        self.unbroadcast: Callable[[Any, Any], Any] | None = getattr(op.infer, "undone_by", None)
        """Reduces a gradient to the shape of the input: undoes a broadcast."""
        self.program: Callable[..., Any] | None = None
        """In a Program: the function to evaluate on Variables instead of appending a ``TYPE_grad``; same parameters."""
        self.input = op.input_names.index(input_name)
        self.is_list = onwards or input_name == op.list_slot
        """Whether it returns a list: for this input and all later ones, such as a list slot."""
        self.gradients = names[: len(op.differentiable)]
        """The parameters for the gradients of the outputs."""
        self.sources = [op.source(name) for name in names[len(op.differentiable) :]]
        """The sources of the other parameters' values."""
        shape = [] if self.unbroadcast is None else [Source(input_name, "stretched", self.input)]
        self.kept = [*self.sources, *shape]
        """The sources of all that a call keeps for it: of these parameters; then of the shape to undo a broadcast."""
        self.conjugates = conjugate and any(source.is_array for source in self.sources)
        """Whether a complex gradient takes the conjugate of the derivative, and the two may differ."""

    def over(self, grad: Any, function: Callable[..., Any] | None = None) -> Callable[..., Any]:
        """Return the rule (or `function` in its place) for gradients with the dtype of `grad`."""
        function = function or self.function
        if self.conjugates and getattr(grad.dtype, "numpy", grad.dtype).kind == "c":  # of an array or a Value
            return conjugating(function, len(self.gradients))
        return function

    @property
    def parameters(self) -> list[str]:
        """The names of all parameters."""
        return [*self.gradients, *(source.name for source in self.sources)]

    def of(self, per_input: Sequence[Any]) -> Sequence[Any]:
        """Select, from a list with one item per input, the items of this rule's inputs."""
        return per_input[self.input :] if self.is_list else per_input[self.input : self.input + 1]

    def answer(
        self, answers: list[Any], grads: Sequence[Any], kept: Sequence[Any], function: Any = None
    ) -> None:
        """Run the rule (or `function` in its place) on `kept` values; write its result into `answers`."""
        found = self.over(grads[0], function)(*grads, *kept[: len(self.sources)])
        if self.is_list:
            answers[self.input :] = found
        elif self.unbroadcast is not None and kept[-1] is not None:
            answers[self.input] = self.unbroadcast(found, kept[-1])
        else:
            answers[self.input] = found


def conjugating(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a rule for complex numbers: conjugates the first `count` arguments and the result of `function`.

    A rule is linear in the gradient, so the result is the gradient times the conjugate of the derivative.
    """

    @wraps(function)
    def rule(*arguments: Any) -> Any:
        found = function(*[one.conj() for one in arguments[:count]], *arguments[count:])
        return [one.conj() for one in found] if isinstance(found, (list, tuple)) else found.conj()

    return rule
