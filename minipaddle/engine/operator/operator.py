r"""Operator: everything the project knows of an operator, in one place.

::

    @operator("tanh", "X -> Out", latex=r"\tanh x")
    def tanh(x):
        "Squash every element into (-1, 1)."
        return np.tanh(x)

    @tanh.gradient("x")
    def _(dy, out):
        return dy * (1 - out * out)

The kernel works on arrays and never writes to them. Slots and type are those that Paddle prints in a Program. The
first parameters of the kernel are its inputs, in the order of the slots; the others are attributes. A gradient rule is
written with Python operators and public operators only, so it can be evaluated on arrays, Tensors and Variables.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import Eager
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.operator.public import public_function
from minipaddle.engine.operator.rule import Rule, Unbroadcast
from minipaddle.engine.operator.table import TABLE as TABLE
from minipaddle.engine.tape.memory import ensure_writable
from minipaddle.engine.value.meta import Attrs, Meta
from minipaddle.engine.value.value import LaterMethod, Value

F = TypeVar("F", bound=Callable[..., Any])
Infer = Callable[..., Any]
Example = Callable[["np.random.Generator"], tuple[Sequence[Any], Attrs]]


def same_as_first(x: Meta, *others: Any, **attrs: Any) -> Meta:
    """Shape rule: the output looks like the first input."""
    return x


class Operator:
    """One operator: names, slots, attributes, kernel, shape rule, gradient rules, documentation.

    Calling it applies it in the current mode; it accepts Paddle's arguments, `name` included.
    """

    # Python looks for __call__ in the class, finds this slot, and calls what an operator has put there.
    __slots__ = ("__call__", "__dict__")

    __call__: Callable[..., Any]

    def __init__(
        self,
        type: str,
        slots: str,
        kernel: Callable[..., Any],
        *,
        name: str = "",
        infer: Infer = same_as_first,
        latex: str = "",
        page: str = "",
        prepare: Callable[..., tuple[Any, ...]] | None = None,
        view: bool = False,
        random: bool | Callable[[Attrs], bool] = False,
        run: Callable[..., Any] | None = None,
        updates: bool = False,
        overwrites: bool = False,
        kinds: str = "biufc",
        symmetric: bool = False,
        example: Example | None = None,
        formula: Callable[..., Any] | None = None,
    ) -> None:
        ins, outs = (_split(side) for side in slots.split("->"))
        self.shape_slot = next((slot[:-1] for slot in outs if slot.endswith("!")), None)
        """The output slot (marked ! in the slots) in which a Program keeps the shape of the first input: ``XShape``."""
        outs = [slot for slot in outs if not slot.endswith("!")]
        parameters = list(inspect.signature(kernel).parameters.values())
        self.type = type
        self.name = name or kernel.__name__.removesuffix("_op")
        """Paddle's public name; a kernel whose public function stands beside it is called ``NAME_op``."""
        self.slots = slots
        self.title = _camel(self.name)
        """As in ``grad_fn.name()``: "Add" for AddGradNode."""
        self.input_slots = [slot.rstrip("*?") for slot in ins]
        """The slot of each input; of several that share a slot (``PreState, PreState``), none is optional or a list."""
        self.output_slots = [slot.rstrip("*~") for slot in outs]
        self.input_names = [parameter.name for parameter in parameters[: len(ins)]]
        self.output_names = [
            slot.lower() + (f"_{count}" if (count := self.output_slots[:place].count(slot)) else "")
            for place, slot in enumerate(self.output_slots)
        ]
        self.optional = {n for n, slot in zip(self.input_names, ins, strict=True) if slot.endswith("?")}
        self.list_slot = self.input_names[-1] if ins and ins[-1].endswith("*") else None
        """Name of the input that takes a list of tensors (the last one), if any."""
        self.list_output = bool(outs) and outs[-1].endswith("*")
        self.multiple = len(outs) > 1 or self.list_output
        self.differentiable = [i for i, slot in enumerate(outs) if not slot.endswith("~")]
        """Positions of the outputs that gradients flow through; the others are by-products (marked ~ in the slots)."""
        self.defaults: Attrs = {p.name: p.default for p in parameters[len(ins) :]}
        self.attr_names = list(self.defaults)
        plain = len(ins) in (1, 2) and not (self.list_slot or self.optional or self.multiple)
        self.arity = len(ins) if plain else 0
        """How many Tensors it takes, if that is one or two and it gives one; else 0 (engine/fast/quick.py)."""
        self.kernel = kernel
        self.kinds = kinds
        """The kinds of dtypes (NumPy's letters) that it has a meaning for; it refuses others."""
        self.symmetric = symmetric
        """Whether its input is taken for symmetric: one triangle is read, and the gradient is that of both together."""
        run = run or (kernel if self.list_slot is None else self._run_with_list)
        self.run: Callable[..., Any] = run if kinds == "biufc" else _only(kinds, run)
        """What modes call: the kernel, or the NumPy function that it is another name for, which is quicker."""
        self.infer = infer
        self.latex = latex
        self.page = page
        """Page of Paddle's documentation, ``metric/accuracy``, where the operator's name does not lead there."""
        self.prepare = prepare or (_own_first if view else None)
        self.view = view
        """Whether the output shares memory with the first input."""
        self.random = random
        """Whether it draws random numbers: True, False, or a function of the attributes that says so of a call."""
        written = [slot for slot in self.input_slots if updates and _rewritten(slot) in self.output_slots]
        self.overwrites = overwrites
        """Whether its result may have another shape than the tensor that it is stored in."""
        self.updates = [self.input_slots.index(slot) for slot in written]
        """Positions of the inputs that the kernel writes into: an optimizer's parameter and state."""
        self.formula = formula
        """What to show people where the kernel is written for speed: a function of some of its inputs, outputs and
        attributes, by name, that gives the output (or several)."""
        self.example = example or self._plain_example
        """A call that makes sense, for the contract test, the catalogue and ``check``: (inputs, attributes)."""
        self.lesson: Callable[..., Any] | None = None
        """What is worth saying of its gradients (:mod:`minipaddle.ops.definition.lesson`)."""
        self.flat: Callable[[Any], Any] | None = None
        """Where an activation is flat, or nearly, by its result."""
        self.traits: set[str] = set()
        """What tools may take for granted of it (:mod:`minipaddle.ops.definition.traits`)."""
        self.rules: list[Rule] = []
        self._plans: dict[tuple[bool, ...], Plan | None] = {}
        self.whole: Plan | None = None
        """The plan for a call all of whose inputs require gradients, once there was one."""
        self.__doc__ = kernel.__doc__
        self.__name__ = self.name
        self.__module__ = kernel.__module__
        self.__signature__ = _public_signature(parameters)
        self.__call__ = lambda *args, **given: self.public(*args, **given)  # compiles it, the first time

    def draws(self, attrs: Attrs) -> bool:
        """Return whether a call with these attributes draws random numbers."""
        return bool(self.random({**self.defaults, **attrs}) if callable(self.random) else self.random)

    def _plain_example(self, rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
        """One float64 array [2, 3] for each input, two for a list."""
        names = [name for name in self.input_names for _ in range(2 if name == self.list_slot else 1)]
        return [rng.uniform(0.2, 0.9, (2, 3)) for _ in names], {}

    def __repr__(self) -> str:
        return f"<operator {self.type}: {self.slots}>"

    def __set_name__(self, owner: type, name: str) -> None:
        """Let a class of values that lists the operator have its plain function as a method, once that is asked for."""
        if issubclass(owner, Value):
            setattr(owner, name, LaterMethod(owner, name, lambda name: self.public))

    def gradient(
        self,
        input_name: str,
        *,
        unbroadcast: Unbroadcast | None = None,
        formula: Callable[..., Any] | None = None,
        program: bool | Callable[..., Any] = False,
        conjugate: bool = True,
        onwards: bool = False,
    ) -> Callable[[F], F]:
        """Register the gradient rule of one input; see :mod:`minipaddle.engine.operator.rule` for its parameters.

        `formula` is what to show people where the rule is written for speed: a function of some of its parameters that
        gives the same. It is never run for its numbers.

        `program`: Paddle has no ``TYPE_grad`` for it, the gradient in a Program is made of ordinary operators: those
        that the rule appends when it is evaluated on Variables (True), or this function with the same parameters.

        `conjugate=False`: of complex numbers it gives the gradient itself, not the derivative.

        `onwards`: it returns a list, the gradients of this input and of all that follow it.
        """

        def register(function: F) -> F:
            rule = Rule(self, input_name, function, unbroadcast, formula, conjugate, onwards)
            rule.program = function if program is True else program or None
            self.rules.append(rule)
            self.forget_plans()
            return function

        return register

    @cached_property
    def public(self) -> Callable[..., Any]:
        """The operator as a plain function, for users; see :mod:`minipaddle.engine.operator.public`."""
        self.__call__ = public_function(self)
        return self.__call__

    @cached_property
    def bind_inplace(self) -> Callable[..., Any]:
        """The function that applies the operator and stores the result in its first input."""
        return public_function(self, inplace=True)

    def _run_with_list(self, *arrays: Any, **attrs: Any) -> Any:
        """Run a kernel whose last input is a list."""
        fixed = len(self.input_names) - 1
        return self.kernel(*arrays[:fixed], list(arrays[fixed:]), **attrs)

    def infer_metas(self, metas: Sequence[Meta | None], attrs: Attrs) -> Any:
        """Return the Meta (or Metas) of the output for flat input Metas; -1 dims pass through.

        Raises:
            RuntimeError: **is not registered**, for a first input of a dtype that it has no meaning for.
        """
        first = metas[0] if metas else None
        if first is not None and first.dtype.kind not in self.kinds:
            raise failure(
                RuntimeError,
                f"The kernel with key (CPU, {first.dtype}) of kernel `{self.type}` is not registered.",
                "x.abs(), x.real() and x.imag() are real numbers"
                if first.dtype.kind == "c"
                else "convert it first: x.astype('float32')",
            )
        if self.list_slot is None:
            return self.infer(*metas, **attrs)
        fixed = len(self.input_names) - 1
        return self.infer(*metas[:fixed], list(metas[fixed:]), **attrs)

    def forget_plans(self) -> None:
        """Make plans anew from now on."""
        self._plans.clear()
        self.whole = None

    def plan(self, edges: Sequence[object]) -> Plan | None:
        """Return the plan for a call whose inputs have these `edges` (None: no gradient wanted); None: no rule."""
        wanted = tuple(map(bool, edges))  # an edge is true
        try:
            return self._plans[wanted]
        except KeyError:
            plan = Plan(self, wanted)
            found = self._plans[wanted] = plan if plan.parts else None
            if all(wanted) and self.list_slot is None:
                self.whole = found
            return found


def _own_first(op: Operator, x: Any, *others: Any) -> tuple[Any, ...]:
    """Return the inputs; `x` has memory of its own, so that a write to the view reaches it, and nobody else."""
    if isinstance(x, Eager.tensor):
        ensure_writable(x)
    return (x, *others)


def _only(kinds: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run`, refusing a first input of another kind: NumPy orders complex numbers, and inverts integers."""

    def run_on_kinds(*arrays: Any, **attrs: Any) -> Any:
        if arrays[0].dtype.kind not in kinds:
            raise TypeError  # worded by `infer_metas`
        return run(*arrays, **attrs)

    return run_on_kinds


def _rewritten(slot: str) -> str:
    """Return the output slot of an input that is written over: ``ParamOut``; Paddle has ``out_sum_1``, too."""
    return f"out_{slot[3:]}" if slot.startswith("in_") else f"{slot}Out"


def _split(side: str) -> list[str]:
    return [slot.strip() for slot in side.split(",") if slot.strip()]


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _public_signature(parameters: list[inspect.Parameter]) -> inspect.Signature:
    last = inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    plain = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in parameters]
    return inspect.Signature([*plain, last])


def operator(type: str, slots: str, **options: Any) -> Callable[[Callable[..., Any]], Operator]:
    """Define an operator from its kernel; `options` are those of :class:`Operator`.

    `slots` reads ``"X, Index* -> Out, Mask~, XShape!"``: ``*`` takes or gives a list, ``?`` may be None, ``~`` is a
    by-product without gradient, ``!`` one that only a Program has, and no kernel returns: the shape of the first input.
    """

    def define(kernel: Callable[..., Any]) -> Operator:
        return TABLE.define(Operator(type, slots, kernel, **options))

    return define


def operators() -> Iterator[Operator]:
    """Yield every operator of the table by type, alphabetically."""
    for type in sorted(TABLE):
        yield TABLE[type]
