"""Plan: what one call must keep, and how its gradient rules are run, for one choice of wanted inputs.

A rule names what it needs by its parameters::

    @multiply.gradient("x", fit=unbroadcast)
    def _(dy, y):
        return dy * y

First the gradient of each differentiable output, then any of: an input (``y``), an output (``out``), the shape or dtype
of an input (``x_shape``, ``x_dtype``), an attribute (``axis``). What no rule of a wanted input names is not kept. Where
an input may have been broadcast, ``fit=unbroadcast`` says so: if the shape of the input was not that of the output,
the rule's answer is brought back to it.

The two functions of a plan are compiled from one line of source each (as ``dataclasses`` does): a small operator
costs NumPy 0.2 us, and collecting five values in a Python loop would cost twice that again.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from minipaddle.core.meta import Array, Meta
from minipaddle.core.node import MakeTensor, Node, Port

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator

Fit = Callable[[Any, Any], Any]


class Source(NamedTuple):
    """Where a kept value comes from."""

    kind: str  # "input", "inputs" (the whole list slot), "output", "shape", "dtype" or "attr"
    place: int  # position among the inputs or outputs
    expression: str  # over a (input arrays), o (output array or arrays), k (attributes)

    @property
    def is_array(self) -> bool:
        """Whether it is a value with numbers."""
        return self.kind in ("input", "inputs", "output")


class Rule:
    """The gradient of one input."""

    __slots__ = ("fit", "formulas", "function", "input", "is_list", "needs", "program")

    def __init__(
        self,
        op: Operator,
        input_name: str,
        function: Callable[..., Any],
        fit: Fit | None = None,
        formulas: tuple[str, ...] = (),
    ) -> None:
        names = list(inspect.signature(function).parameters)
        self.function = function
        self.fit = fit
        """Brings a gradient of another shape back to that of the input: undoes a broadcast."""
        self.formulas = formulas
        """What to show people instead of the source, if that is more than an expression; the first that fits."""
        self.program: Callable[..., Any] | None = None
        """In a Program: what to read over Variables instead of appending a ``TYPE_grad``; with the same parameters."""
        self.input = op.input_names.index(input_name)
        self.is_list = input_name == op.list_slot
        self.needs = [_source(op, name) for name in names[len(op.differentiable) :]]

    def of(self, per_input: Sequence[Any]) -> Sequence[Any]:
        """Pick from a list with one item per input those that this rule answers for."""
        return per_input[self.input :] if self.is_list else per_input[self.input : self.input + 1]


def _source(op: Operator, name: str) -> Source:
    """Find what a rule's parameter `name` stands for."""
    base, _, aspect = name.rpartition("_")
    if name in op.input_names:
        index = op.input_names.index(name)
        if op.input_names[index] == op.list_slot:
            return Source("inputs", index, f"list(a[{index}:])")
        return Source("input", index, f"a[{index}]")
    if name in op.output_names:
        index = op.output_names.index(name)
        return Source("output", index, f"o[{index}]" if op.multiple else "o")
    if aspect in ("shape", "dtype") and base in op.input_names:
        index = op.input_names.index(base)
        if base == op.list_slot:
            return Source(aspect, index, f"[v.{aspect} for v in a[{index}:]]")
        return Source(aspect, index, f"None if a[{index}] is None else a[{index}].{aspect}")
    if name in op.attr_names:
        return Source("attr", 0, f"k[{name!r}]")
    raise TypeError(
        f"the gradient rule of {op.type} asks for {name!r}, which is no input, output or attribute of it"
    )


def _stretched(index: int) -> Source:
    """Return the shape of an input if the call broadcast it, else None: nearly always, and nothing to keep."""
    return Source("shape", index, f"None if a[{index}].shape == o.shape else a[{index}].shape")


class Plan:
    """How the records of one operator with one choice of wanted inputs are made and run."""

    __slots__ = ("_arrays", "keep", "op", "parts", "run", "sources")

    def __init__(self, op: Operator, wanted: Sequence[bool]) -> None:
        self.op = op
        count = len(wanted)
        self.parts: list[tuple[Rule, slice]] = []
        self.sources: list[Source] = []
        for rule in op.rules:
            if any(rule.of(wanted)):
                start = len(self.sources)
                self.sources += rule.needs
                self.parts.append((rule, slice(start, len(self.sources))))
                if rule.fit is not None:
                    self.sources.append(_stretched(rule.input))
        self._arrays = [(i, one.kind == "inputs") for i, one in enumerate(self.sources) if one.is_array]
        expressions = "".join(source.expression + ", " for source in self.sources)
        self.keep: Callable[[Sequence[Any], Any, dict[str, Any]], tuple[Any, ...]] = eval(
            f"lambda a, o, k: ({expressions})", {}
        )
        self.run: Callable[[Sequence[Any], tuple[Any, ...]], Sequence[Any]] = self._compile(op, count)

    def _compile(self, op: Operator, count: int) -> Callable[..., Any]:
        """Write the function that hands each rule what it needs and returns one gradient per input."""
        grads = [f"d{i}" for i in range(len(op.differentiable))]
        answers = ["None"] * count
        functions: dict[str, Any] = {}
        for number, (rule, part) in enumerate(self.parts):
            functions[f"rule{number}"] = rule.function
            arguments = grads + [f"k{i}" for i in range(part.start, part.stop)]
            call = f"rule{number}({', '.join(arguments)})"
            if rule.is_list:
                answers[rule.input :] = [f"*{call}"]
            elif rule.fit is None:
                answers[rule.input] = call
            else:
                functions[f"fit{number}"] = rule.fit
                shape = f"k{part.stop}"
                answers[rule.input] = f"{call} if {shape} is None else fit{number}({call}, {shape})"
        kept = "".join(f"k{i}, " for i in range(len(self.sources)))
        lines = [
            "def run(grads, kept):",
            f"    {''.join(name + ', ' for name in grads)} = grads" if grads else "    pass",
            f"    {kept} = kept" if kept else "    pass",
            f"    return ({', '.join(answers)},)",
        ]
        exec("\n".join(lines), functions)
        compiled: Callable[..., Any] = functions["run"]
        return compiled

    def run_some(self, grads: Sequence[Any], kept: tuple[Any, ...], useful: Sequence[bool]) -> Sequence[Any]:
        """Run only the rules of the `useful` inputs."""
        answers: list[Any] = [None] * len(useful)
        for rule, part in self.parts:
            if any(rule.of(useful)):
                answer = rule.function(*grads, *kept[part])
                if rule.is_list:
                    answers[rule.input :] = answer
                else:
                    if rule.fit is not None and kept[part.stop] is not None:
                        answer = rule.fit(answer, kept[part.stop])
                    answers[rule.input] = answer
        return answers

    def gather(
        self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]
    ) -> Sequence[Any]:
        """Put zeros where an output has no gradient; leave the by-products out."""
        full = [zeros(meta) if grad is None else grad for grad, meta in zip(grads, metas, strict=True)]
        return [full] if self.op.list_output else [full[i] for i in self.op.differentiable]

    def arrays(self, kept: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the arrays among the kept values."""
        for place, is_list in self._arrays:
            value = kept[place]
            if is_list:
                yield from value
            elif value is not None:
                yield value

    def connect(self, record: Node, kept: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the kept values with each array as a tensor that stands where it stood in the graph."""

        def one(source: Source, value: Any) -> Any:
            if value is None or not source.is_array:
                return value
            if source.kind == "input":
                return tensor(value, record.edges[source.place], "input", source.place)
            if source.kind == "inputs":
                return [
                    tensor(item, record.edges[place], "input", place)
                    for place, item in enumerate(value, source.place)
                ]
            by_product = source.place not in self.op.differentiable
            edge = None if by_product else Port(record, source.place) if record.metas else record
            return tensor(value, edge, "output", source.place)

        return tuple([one(source, value) for source, value in zip(self.sources, kept, strict=True)])
