"""TableOperator: a call of an operator of the table. Its definition says how it is run, printed and differentiated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.meta import Attrs, Meta, Unknown
from minipaddle.core.operator import Operator as Definition
from minipaddle.static.program.operator import Operator, Slots
from minipaddle.static.program.variable import Dim, Variable

if TYPE_CHECKING:
    from minipaddle.static.gradient.grad_maker import GradMaker
    from minipaddle.static.program.block import Block


class TableOperator(Operator):
    """A call of an operator of the table."""

    parts = ("definition",)

    def __init__(
        self,
        block: Block,
        definition: Definition,
        variables: Sequence[Any],
        outs: Sequence[Any],
        attrs: Attrs,
    ) -> None:
        super().__init__(block, definition.listed_type, _by_slot(definition, variables), {}, attrs)
        self.definition = definition
        self.sizes: list[Dim] = []
        """Sizes among the attributes that only a run will tell."""
        self.renew()
        self.set_outputs(outs)

    def set_outputs(self, outs: Sequence[Any]) -> None:
        """Put the output Variables into their slots; the shape slot, which only a Program has, comes last."""
        slots = self.definition.output_slots
        if self.definition.list_output:
            self.outputs = {slots[0]: list(outs)}
        else:
            self.outputs = {slot: [out] for slot, out in zip(self._out_slots(), outs, strict=True)}

    def _out_slots(self) -> list[str]:
        shape_slot = self.definition.shape_slot
        return [*self.definition.output_slots, *([shape_slot] if shape_slot else [])]

    def listed(self) -> Attrs:
        """Return the attributes as the definition writes them."""
        metas = [None if one is None else one.meta for one in self.variables()]
        return self.definition.listing.write(plain(self.attrs), metas)

    def variables(self) -> list[Any]:
        """Return the flat inputs of the definition: None where an optional one is absent."""
        found: list[Any] = []
        for slot, name in zip(self.definition.input_slots, self.definition.input_names, strict=True):
            given = self.inputs.get(slot, [])
            found += given if name == self.definition.list_slot else given or [None]
        return found

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
        return [*self.variables(), *[dim.variable for dim in self.sizes]]

    def kernel(self) -> Callable[..., Any]:
        """Return what computes it."""
        run = partial(self.definition.run, **self.attrs) if self.attrs else self.definition.run
        if self.sizes:
            run = _with_sizes(self.definition.run, self.attrs, len(self.variables()))
        if self.definition.shape_slot:
            run = _with_shape(run)
        return run

    def explain(self, values: Sequence[Any]) -> None:
        """Let the shape rule say what is wrong."""
        metas = [None if value is None else Meta(value.shape, value.dtype) for value in values]
        self.definition.infer_metas(metas[: len(self.variables())], plain(self.attrs))

    @property
    def flows(self) -> bool:
        """Whether gradients pass it."""
        return bool(self.definition.rules)

    def gradients(self, maker: GradMaker, grads: list[Variable], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        return maker.of_table_operator(self, grads, wanted)

    def renew(self) -> None:
        """Look again for sizes that only a run will tell."""
        self.sizes = [dim for value in self.attrs.values() for dim in _dims(value)]


def _by_slot(definition: Definition, variables: Sequence[Any]) -> Slots:
    """Sort flat inputs into slots; absent ones have none."""
    slots: Slots = {}
    for position, (slot, name) in enumerate(zip(definition.input_slots, definition.input_names, strict=True)):
        if name == definition.list_slot:
            slots[slot] = list(variables[position:])
        elif variables[position] is not None:
            slots[slot] = [variables[position]]
    return slots


def _dims(value: Any) -> Iterator[Dim]:
    """Yield the sizes in an attribute that only a run will tell."""
    if isinstance(value, Dim):
        yield value
    elif type(value) is tuple or type(value) is list:
        for item in value:
            yield from _dims(item)


def plain(attrs: Attrs) -> Attrs:
    """Return `attrs` with -1 for every size that only a run will tell."""

    def one(value: Any) -> Any:
        if isinstance(value, Dim):
            return Unknown(-1)
        if type(value) is tuple or type(value) is list:
            return type(value)([one(item) for item in value])
        return value

    return {name: one(value) for name, value in attrs.items()}


def _with_sizes(run: Callable[..., Any], attrs: Attrs, count: int) -> Callable[..., Any]:
    """Return a kernel that fills in the sizes from the values that follow its `count` inputs."""

    def with_sizes(*values: Any) -> Any:
        rest = iter(values[count:])

        def fill(value: Any) -> Any:
            if isinstance(value, Dim):
                return value.of(next(rest))
            if type(value) is tuple or type(value) is list:
                return type(value)([fill(item) for item in value])
            return value

        return run(*values[:count], **{name: fill(value) for name, value in attrs.items()})

    return with_sizes


def _with_shape(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that also returns the shape of its first input, as Paddle keeps it: that of an empty array."""

    def with_shape(x: Any, *others: Any) -> Any:
        return run(x, *others), np.empty((0, *x.shape), x.dtype)

    return with_shape
