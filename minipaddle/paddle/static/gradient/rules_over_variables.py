"""Gradient rules evaluated on Variables: to differentiate a gradient, or to replace its ``_grad`` Operator.

First gradients need neither: they are Operators whose kernel is the rule
(:mod:`~minipaddle.paddle.static.gradient.grad_operator`). `maker` is always the GradMaker that appends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.operator.rule import Call, Rule
from minipaddle.engine.tape.node import AccumulateGrad
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.walk.walk import useful_only, walk
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.full import zeros_like
from minipaddle.paddle.static.build import BUILDING, unnamed
from minipaddle.paddle.static.gradient.grad_operator import gradients
from minipaddle.paddle.static.gradient.tape import Partial, Tape, joined
from minipaddle.paddle.static.program import TableOperator, Variable
from minipaddle.paddle.static.program.clone import needed_for
from minipaddle.paddle.static.program.naming import name_outputs
from minipaddle.paddle.static.program.sizes import symbolic_shape


def of_grad_operator(maker: Any, op: Any, grads: Sequence[Any], wanted: Sequence[bool]) -> Sequence[Any]:
    """Differentiate a gradient: evaluate its rule on Variables, and walk back through the appended Operators."""
    start = len(maker.block.ops)
    results = read_rules(maker, op, op.grads, [result is not None for result in op.results], program=False)
    answers = [result for result in results if result is not None]
    return back_through(maker, start, list(zip(answers, grads, strict=True)), op.reads(), wanted)


def back_through(
    maker: Any,
    start: int,
    answers: Sequence[tuple[Variable, Any]],
    reads: Sequence[Any],
    wanted: Sequence[bool],
) -> Sequence[Any]:
    """Walk back through the Operators appended since `start`, from `answers` (with their gradients) to `reads`."""
    new = maker.block.ops[start:]
    inputs = {variable for variable, one in zip(reads, wanted, strict=True) if one}
    inside = {out for one in new for out in one.writes()}
    tape = Tape(new, lambda variable: variable not in inputs and variable not in inside)
    seeds = tape.seeds(answers)
    only = tape.between(seeds, inputs)
    found: dict[Variable, Partial] = {}
    read = useful_only(maker.reader(tape, useful_only=True), only)
    for node, grad, _ in walk(seeds, read, add=joined):
        (variable, *_others) = tape.outputs[node]
        if isinstance(node, AccumulateGrad) and variable in inputs:
            found[variable] = grad[0]  # a part of the whole, which the outer walk will settle
    _drop_unused(maker, start, [one for grad in found.values() for one in grad.variables])
    return [found.pop(variable, None) if one else None for variable, one in zip(reads, wanted)]


def read_rules(
    maker: Any, call: Any, grads: Sequence[Any], wanted: Sequence[bool], program: bool
) -> list[Any]:
    """Return the results of the rules, evaluated on Variables; they are not named yet."""
    start = len(maker.block.ops)
    with within(BUILDING), unnamed(maker._placeholder):
        results = read_over_variables(call, grads, wanted, program)
        fresh = {out for op in maker.block.ops[start:] for out in op.writes()}
        for place, result in enumerate(results):
            if result is not None and (result not in fresh or any(result is one for one in results[:place])):
                # an output's gradient itself, or one for two inputs
                results[place] = current.get().apply(assign_op, (result,), {})
    for op in maker.block.ops[start:]:
        maker._tell(op)
        op.origin = call.origin if program else None
        op.part_of = None if program else call
        if not program:
            found = enumerate(zip(call.given, results, strict=True))
            op.gradient_pairs = [
                (place, given, result)
                for place, (given, result) in found
                if any(result is out for out in op.writes())
            ]
        for out in op.writes():
            del maker.block.vars[out.name]
            if any(out is result for result in results):
                out.stop_gradient = False
                maker._note(out)
            else:
                assert isinstance(op, TableOperator)
                (out.name,) = name_outputs(op.shown, 1)
                maker.block.add(out)
    return results


def _drop_unused(maker: Any, start: int, needed: Collection[Any]) -> None:
    """Remove the new Operators that nothing uses: often only parts of a rule are needed."""
    new = maker.block.ops[start:]
    maker.block.ops[start:] = needed_for(needed, new)
    for op in set(new).difference(maker.block.ops[start:]):
        for out in op.writes():
            maker.block.vars.pop(out.name, None)


def read_over_variables(
    forward: Any, grads: Sequence[Any], wanted: Sequence[bool], program: bool = False
) -> list[Any]:
    """Return the gradients of a call by its rules over Variables, after appending the rules' small operators.

    Args:
        forward: an object with ``definition``, ``given``, ``outs`` and ``attrs``: a GradOperator.
        grads: the gradients of the outputs; None for zeros.
        wanted: for which of the flat inputs.
        program: use a rule's replacement for Programs, if it has one.

    Returns:
        One Variable or None for each of the flat inputs.
    """
    definition = forward.definition
    arguments = (
        [list(grads)]
        if definition.list_output
        else [
            zeros_like(forward.outs[place]) if grad is None else grad
            for place, grad in zip(definition.differentiable, grads)
        ]
    )
    view = _Variables(forward.given, forward.outs, forward.attrs, grads[0])

    def chosen(rule: Rule) -> Callable[..., Any]:
        return (rule.program if program else None) or rule.function

    answers = gradients(definition.rules, view, arguments, wanted, chosen)
    return [answer if asked else None for answer, asked in zip(answers, wanted, strict=True)]


class _Variables(Call):
    """The view of a call on Variables: a size may be another Variable."""

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any], attrs: Attrs, grad: Any) -> None:
        super().__init__(inputs, outputs, attrs)
        self.grad = grad

    def shape(self, place: int) -> Any:
        variable = self.inputs[place]
        return None if variable is None else symbolic_shape(variable)

    def dtype(self, place: int) -> Any:
        variable = self.inputs[place]
        return None if variable is None else variable.meta.dtype

    def stretched(self, place: int) -> Any:
        shape = self.inputs[place].meta.shape
        return None if shape == self.grad.meta.shape else shape
