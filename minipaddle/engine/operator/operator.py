r"""Operator: a kernel on arrays, a shape rule and a gradient rule for each input. Calling it applies it.

::

    @operator("elementwise_mul", infer=broadcast, prepare=promote)
    def multiply(x, y):
        "Multiply two tensors elementwise."
        return x * y

    @multiply.gradient("x")
    def _(dy, y):
        return dy * y

The kernel works on arrays and never writes to them. Its positional parameters are the inputs: ``y=None`` is
optional, ``*xs`` a list of tensors. Parameters after a ``*`` are attributes: ``def concat(*x, axis=0)``. A gradient
rule is written with Python operators and public operators only, so it can be evaluated on arrays, Tensors and
Variables. Further facts for tools and Programs are beside its definition (:mod:`minipaddle.ops.definition`).

Next: :mod:`minipaddle.engine.mode.eager`, the meaning of applying while a script runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import CO_VARARGS, Parameter, Signature, signature
from typing import Any, TypeVar

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import Eager
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.operator.public import annotations_of, public_function
from minipaddle.engine.operator.rule import Kind, Rule, Source
from minipaddle.engine.operator.table import TABLE as TABLE
from minipaddle.engine.tape.memory import ensure_writable
from minipaddle.engine.value.meta import Attrs, Meta
from minipaddle.engine.value.value import LaterMethod, Value

F = TypeVar("F", bound=Callable[..., Any])


def same_as_first(x: Meta, *others: Any, **attrs: Any) -> Meta:
    """Shape rule: the output looks like the first input."""
    return x


class Operator:
    """One operator: names, inputs, outputs, attributes, kernel, shape rule, gradient rules.

    Calling it applies it in the current mode; it accepts Paddle's arguments, `name` included.
    """

    __slots__ = ("__dict__", "function")

    make_plan: type[Plan] = Plan

    def __init__(
        self,
        type: str,
        kernel: Callable[..., Any],
        *,
        name: str = "",
        infer: Callable[..., Any] = same_as_first,
        optional: Sequence[str] = (),
        outputs: Sequence[str] = ("out",),
        by_products: Sequence[str] = (),
        gives_list: bool = False,
        writes: Sequence[str] = (),
        prepare: Callable[..., tuple[Any, ...]] | None = None,
        view: bool = False,
        run: Callable[..., Any] | None = None,
        kinds: str = "biufc",
    ) -> None:
        shown: Any = getattr(kernel, "__wrapped__", kernel)
        code = shown.__code__  # inspect.signature takes fifty times as long
        names, count, last = code.co_varnames, code.co_argcount, code.co_argcount + code.co_kwonlyargcount
        given = shown.__kwdefaults__ or {}
        self.type = type
        """Its name in a printed Program."""
        self.name = name or kernel.__name__.removesuffix("_op")
        """Paddle's public name; a kernel with a separate public function is called ``NAME_op``."""
        self.kernel = kernel
        self.list_slot = names[last] if code.co_flags & CO_VARARGS else None
        """Name of the input that takes a list of tensors (the last one), if any."""
        self.input_names = [*names[:count], *([self.list_slot] if self.list_slot else ())]
        self.optional = {*names[count - len(shown.__defaults__ or ()) : count], *optional}
        self.attr_names = list(names[count:last])
        self.defaults: Attrs = {attr: given.get(attr, Parameter.empty) for attr in self.attr_names}
        self.updates = [self.input_names.index(one) for one in writes]
        """Positions of the inputs that the kernel writes into: an optimizer's parameter and state."""
        self.output_names = [f"{one}_out" for one in writes] or list(outputs)
        self.list_output = gives_list
        self.multiple = gives_list or len(self.output_names) > 1
        passive = self.output_names if writes else by_products
        self.differentiable = [place for place, one in enumerate(self.output_names) if one not in passive]
        """Positions of the outputs that gradients flow through; the others are by-products."""
        self.kinds = kinds
        """The kinds of dtypes (NumPy's letters) that it accepts; it refuses others."""
        run = run or kernel
        self.run: Callable[..., Any] = run if kinds == "biufc" else only_kinds(kinds, run)
        """The function that modes call: the kernel, or an equivalent, quicker NumPy function."""
        self.infer = infer
        self.prepare = prepare or (own_first if view else None)
        """Prepares the inputs: promotes their dtypes; for a view, gives the first one memory of its own."""
        self.view = view
        """Whether the output shares memory with the first input."""
        self.rules: list[Rule] = []
        self.plans: dict[tuple[bool, ...], Plan | None] = {}
        self.whole: Plan | None = None
        """The plan for calls all of whose inputs require gradients, made at the first one by engine/fast/quick.py."""
        self.__doc__, self.__name__, self.__module__ = kernel.__doc__, self.name, kernel.__module__
        self.function: Callable[..., Any] = lambda *args, **given: self.public(*args, **given)
        """The function behind calls in engine/fast: the public function, made on first use."""

    def __call__(self, *args: Any, **given: Any) -> Any:
        """Apply the operator in the current mode."""
        return self.public(*args, **given)

    @property
    def title(self) -> str:
        """The name of its node in ``grad_fn.name()`` and in errors: AddGradNode."""
        return "".join(part[:1].upper() + part[1:] for part in self.name.split("_")) + "GradNode"

    def __repr__(self) -> str:
        return f"<operator {self.type}>"

    @cached_property
    def __signature__(self) -> Signature:
        """Its parameters, annotated as in the kernel."""
        written = annotations_of(self)
        parameters = signature(self.public).parameters.values()
        return Signature([one.replace(annotation=written.get(one.name, one.empty)) for one in parameters])

    def __set_name__(self, owner: type, name: str) -> None:
        """Turn an operator listed in a class of Values into a method, made on first use."""
        if issubclass(owner, Value):
            setattr(owner, name, LaterMethod(owner, name, lambda name: self.public))

    def gradient(
        self,
        input_name: str,
        *,
        program: bool | Callable[..., Any] = False,
        conjugate: bool = True,
        onwards: bool = False,
    ) -> Callable[[F], F]:
        """Register the gradient rule of one input; see :mod:`minipaddle.engine.operator.rule` for its parameters.

        `program`: Paddle has no ``TYPE_grad``; the gradient in a Program consists of ordinary operators: those
        that the rule appends when evaluated on Variables (True), or this function with the same parameters.

        `conjugate=False`: for complex numbers it returns the gradient itself, not the derivative.

        `onwards`: it returns a list, the gradients of this input and of all later ones.
        """

        def register(function: F) -> F:
            rule = Rule(self, input_name, function, conjugate, onwards)
            rule.program = function if program is True else program or None
            self.rules.append(rule)
            self.plans.clear()
            self.whole = None
            return function

        return register

    def source(self, name: str) -> Source:
        """Return the source of a rule's parameter `name`.

        Raises:
            TypeError: if it has no value of this name.
        """
        base, _, aspect = name.rpartition("_")
        if name in self.input_names:
            return Source(name, "input", self.input_names.index(name), name == self.list_slot)
        if name in self.output_names:
            return Source(name, "output", self.output_names.index(name))
        if base in self.input_names and aspect in ("shape", "dtype"):
            kind: Kind = "shape" if aspect == "shape" else "dtype"
            return Source(name, kind, self.input_names.index(base), base == self.list_slot)
        if name in self.attr_names:
            return Source(name, "attr")
        raise TypeError(
            f"the gradient rule of {self.type} asks for {name!r}, which is no input, output or attribute of it"
        )

    @cached_property
    def public(self) -> Callable[..., Any]:
        """The operator as a plain function, for users; see :mod:`minipaddle.engine.operator.public`."""
        self.function = public_function(self)
        return self.function

    @cached_property
    def bind_inplace(self) -> Callable[..., Any]:
        """The function that applies the operator and stores the result in its first input."""
        return public_function(self, inplace=True)

    def infer_metas(self, metas: Sequence[Meta | None], attrs: Attrs) -> Any:
        """Return the Meta (or Metas) of the output for flat input Metas; -1 dims pass through.

        Raises:
            RuntimeError: **is not registered**, if the kernel is not defined for the first input's dtype.
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


def operator(type: str, **options: Any) -> Callable[[Callable[..., Any]], Operator]:
    """Define an operator from its kernel; `options` go to :class:`Operator`."""

    def define(kernel: Callable[..., Any]) -> Operator:
        return TABLE.define(Operator(type, kernel, **options))

    return define


def operators() -> list[Operator]:
    """Return every operator of the table by type, alphabetically."""
    return [TABLE[type] for type in sorted(TABLE)]


def own_first(op: Operator, x: Any, *others: Any) -> tuple[Any, ...]:
    """Return the inputs; `x` gets memory of its own, so that a write to the view reaches no other tensor."""
    if isinstance(x, Eager.tensor):
        ensure_writable(x)
    return (x, *others)


def only_kinds(kinds: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run`, refusing a first input of another kind: NumPy would order complex numbers, and invert integers."""

    def run_on_kinds(*arrays: Any, **attrs: Any) -> Any:
        if arrays[0].dtype.kind not in kinds:
            raise TypeError  # worded by `infer_metas`
        return run(*arrays, **attrs)

    return run_on_kinds
