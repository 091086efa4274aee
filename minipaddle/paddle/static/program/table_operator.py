"""TableOperator: a call of an operator of the table, run, printed and differentiated by its definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.value.meta import Attrs, Meta, Unknown
from minipaddle.ops.definition.program_printing import Printed, printed
from minipaddle.paddle.static.program.listing import Slots
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.sizes import Dim
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.paddle.static.pytree import rebuilt

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block


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
        self.definition = definition
        self.shown = printed(definition)
        """How it is printed."""
        super().__init__(block, self.shown.type, _by_slot(definition, self.shown, variables), {}, attrs)
        self.sizes = _sizes_in(attrs)
        """Sizes among the attributes that are known only in a run."""
        self.set_outputs(outs)

    def set_outputs(self, outs: Sequence[Any]) -> None:
        """Put the output Variables into their slots; the shape slot, which only a Program has, comes last."""
        shown = self.shown
        if self.definition.list_output:
            self.outputs = {shown.output_slots[0]: list(outs)}
            return
        slots = [*shown.output_slots, *([shown.shape_slot] if shown.shape_slot else [])]
        self.outputs = {}
        for slot, out in zip(slots, outs, strict=True):
            self.outputs.setdefault(slot, []).append(out)

    def listed(self) -> Attrs:
        """Return the attributes as the definition prints them."""
        metas = [None if one is None else one.meta for one in self.variables()]
        return self.shown.listing.write(plain(self.attrs), metas)

    def variables(self) -> list[Any]:
        """Return the flat inputs of the definition: None for a missing optional one."""
        return [one for held in held_by_input(self.definition, self.shown, self.inputs) for one in held]

    def reads(self) -> list[Any]:
        """Return its inputs, including captured Variables."""
        return [*self.variables(), *[dim.variable for dim in self.sizes]]

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it."""
        run = partial(self.definition.run, **self.attrs) if self.attrs else self.definition.run
        if self.sizes:
            run = _with_sizes(self.definition.run, self.attrs, len(self.variables()))
        if self.shown.shape_slot:
            run = _with_shape(run)
        run = run if self.definition.updates else as_declared(run, self.variables(), self.writes())
        if self.definition.list_output and len(self.writes()) == 1:
            return lambda *values: run(*values)[0]
        return run

    def explain(self, values: Sequence[Any]) -> None:
        """Raise the shape rule's error."""
        metas = [None if value is None else Meta(value.shape, value.dtype) for value in values]
        self.definition.infer_metas(metas[: len(self.variables())], plain(self.attrs))

    @property
    def flows(self) -> bool:
        """Whether gradients pass through it."""
        return bool(self.definition.rules)

    def gradients(self, maker: Any, grads: list[Variable], wanted: Sequence[bool]) -> Any:
        """Append its gradient."""
        return maker.of_table_operator(self, grads, wanted)

    def renew(self) -> None:
        """Search again for sizes known only in a run."""
        self.shown, self.sizes = printed(self.definition), _sizes_in(self.attrs)


def _sizes_in(nest: Any) -> list[Dim]:
    """Return the sizes in attributes that only a run will tell, in the order of :func:`rebuilt`."""
    if isinstance(nest, dict):
        nest = [nest[key] for key in sorted(nest)]
    elif isinstance(nest, slice):
        nest = [nest.start, nest.stop, nest.step]
    if isinstance(nest, (list, tuple)):
        return [size for item in nest for size in _sizes_in(item)]
    return [nest] if isinstance(nest, Dim) else []


def _by_slot(definition: Definition, shown: Printed, variables: Sequence[Any]) -> Slots:
    """Return flat inputs sorted into slots; absent ones have no slot."""
    slots: Slots = {}
    named = zip(shown.input_slots, definition.input_names, strict=True)
    for position, (slot, name) in enumerate(named):
        if name == definition.list_slot:
            slots[slot] = list(variables[position:])
        elif variables[position] is not None:
            slots.setdefault(slot, []).append(variables[position])
    return slots


def held_by_input(definition: Definition, shown: Printed, slots: Slots) -> list[list[Any]]:
    """Return for each input of the kernel its Variables in `slots`: [None] if an optional one is absent."""
    return [
        slots.get(slot, []) if at is None else slots.get(slot, [])[at : at + 1] or [None]
        for slot, at in _places(definition, shown)
    ]


@cache
def _places(definition: Definition, shown: Printed) -> list[tuple[str, int | None]]:
    """Return the slot of each input of the kernel, and its index there; None: the whole slot."""
    slots = shown.input_slots
    return [
        (slot, None if name == definition.list_slot else slots[:place].count(slot))
        for place, (slot, name) in enumerate(zip(slots, definition.input_names, strict=True))
    ]


def plain(attrs: Attrs) -> Attrs:
    """Return `attrs` with -1 for every size known only in a run."""
    if not _sizes_in(attrs):
        return attrs
    known: Attrs = rebuilt(attrs, lambda leaf: Unknown(-1) if isinstance(leaf, Dim) else leaf)
    return known


def _with_sizes(run: Callable[..., Any], attrs: Attrs, count: int) -> Callable[..., Any]:
    """Return a kernel that fills in the sizes from the values that follow its `count` inputs."""

    def with_sizes(*values: Any) -> Any:
        sizes = iter(values[count:])
        known = rebuilt(attrs, lambda leaf: leaf.of(next(sizes)) if isinstance(leaf, Dim) else leaf)
        return run(*values[:count], **known)

    return with_sizes


def _with_shape(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that also returns its first input's shape, as Paddle stores it: an empty array."""

    def with_shape(x: Any, *others: Any) -> Any:
        return run(x, *others), np.zeros((0, *x.shape), x.dtype)

    return with_shape


# -- several float types: batch_norm of float16 with float32 weights, in mixed precision -------------------------------


def as_declared(run: Callable[..., Any], inputs: Sequence[Any], outputs: Sequence[Any]) -> Callable[..., Any]:
    """Return `run`, or if `inputs` have several float types, a version that rounds to the types of `outputs`."""
    if len({one.meta.dtype for one in inputs if one is not None and one.meta.dtype.kind == "f"}) < 2:
        return run
    metas: list[Meta] = [one.meta for one in outputs if one is not None]

    def rounded(*values: Any) -> Any:
        found = run(*values)
        if not isinstance(found, (tuple, list)):
            return _in_type(found, metas[0])
        return type(found)([_in_type(one, meta) for one, meta in zip(found, metas, strict=True)])

    return rounded


def _in_type(value: Any, meta: Meta) -> Any:
    return np.asarray(value, meta.dtype) if isinstance(value, np.ndarray) else value


# -- one Operator ------------------------------------------------------------------------------------


def kernel_of(op: Operator, rewritten: frozenset[Variable] = frozenset()) -> Callable[..., Any]:
    """Return the function of an Operator without Blocks.

    A view of a Variable `rewritten` in place later (a parameter that an optimizer updates) must be a copy: it has
    the value at its own time.
    """
    kernel = op.kernel()
    if isinstance(op, TableOperator) and op.definition.view and op.reads()[0] in rewritten:
        return lambda *values: _copied(kernel(*values))
    return kernel


def _copied(result: Any) -> Any:
    """Return copies of what a kernel returns: one array, or several values (by-products need not be arrays)."""
    if isinstance(result, (list, tuple)):
        return [_copied(one) for one in result]
    return result.copy() if isinstance(result, np.ndarray) else result


def rewritten_in(block: Block) -> frozenset[Variable]:
    """Return the Variables written in place by Operators of `block`, and of its Blocks."""
    inner = [rewritten_in(one) for op in block.ops if not op.has_kernel for one in op.blocks()]
    own = (op.writes() for op in block.ops if isinstance(op, TableOperator) and op.definition.updates)
    return frozenset().union(*own, *inner)
