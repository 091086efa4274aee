"""The compiled versions do the same as the readable functions, for every operator of the table."""

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest

import minipaddle
from minipaddle.engine.fast.compiled import CompiledPlan
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.operator.rule import Call
from minipaddle.ops.definition.example import example_of
from minipaddle.ops.random import generator as random
from minipaddle.paddle.static.gradient.compiled import rule_function
from minipaddle.paddle.static.gradient.grad_operator import gradients, needs_of
from tests.support.operators import ALL, DIFFERENTIABLE, each


class CallOf:
    """A valid call of an operator, on arrays, with gradients of its outputs."""

    def __init__(self, op: Operator) -> None:
        rng = np.random.default_rng(5)
        self.op = op
        inputs, attrs = example_of(op, rng)
        self.inputs = [None if one is None else np.asarray(one) for one in inputs]
        self.attrs = {**self.op.defaults, **attrs}
        random.seed(7)
        with within(EAGER.reading):
            made = self.op.run(*[None if x is None else x.copy() for x in self.inputs], **self.attrs)
        self.output = [np.asarray(one) for one in made] if self.op.multiple else np.asarray(made)
        self.outputs = self.output if self.op.multiple else [self.output]
        whole = [np.asarray(rng.uniform(0.2, 0.9, one.shape), one.dtype) for one in self.outputs]
        self.grads = [whole] if self.op.list_output else [whole[place] for place in self.op.differentiable]

    def choices(self):
        """Every single input wanted alone, and all of them."""
        count = len(self.inputs)
        there = [one is not None for one in self.inputs]
        singles = [[place == one and there[place] for place in range(count)] for one in range(count)]
        return [wanted for wanted in [there, *singles] if any(wanted)]

    def plans(self):
        return [plan for wanted in self.choices() if (plan := CompiledPlan(self.op, wanted)).parts]


def same(one, other):
    if isinstance(one, (list, tuple)):
        return isinstance(other, (list, tuple)) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind in "fc")
    return one == other


@each(DIFFERENTIABLE)
def test_what_is_saved(op):
    call = CallOf(op)
    for plan in call.plans():
        quick = plan.save(call.inputs, call.output, call.attrs)
        assert same(Plan.save(plan, call.inputs, call.output, call.attrs), quick)
        assert len(quick) == len(plan.sources)


@each(DIFFERENTIABLE)
def test_what_the_rules_answer(op):
    call = CallOf(op)
    for plan in call.plans():
        saved = plan.save(call.inputs, call.output, call.attrs)
        with within(EAGER.reading):
            quick, readable = plan.run(call.grads, saved), Plan.run(plan, call.grads, saved)
        assert same(readable, quick)


@each(DIFFERENTIABLE)
def test_the_kernel_of_a_gradient_operator(op):
    call = CallOf(op)
    needs, last = needs_of(op), len(op.input_names) - 1
    kept = [
        place for place, one in enumerate(call.inputs) if one is not None and min(place, last) in needs.inputs
    ]
    outs = list(range(len(call.outputs))) if op.list_output else sorted(needs.outputs)
    shape = [np.zeros((0, *call.inputs[0].shape))] if needs.shape else []
    grads = call.grads[0] if op.list_output else call.grads
    for plan in call.plans():
        wanted = [
            any(rule.of([one == place for one in range(plan.count)]) for rule, _ in plan.parts)
            for place in range(plan.count)
        ]
        run, attrs = rule_function(op, tuple(wanted), tuple(kept), tuple(outs), (True,) * len(grads))
        arrays = [*(call.inputs[one] for one in kept), *(call.outputs[one] for one in outs), *shape, *grads]
        with within(EAGER.reading):
            quick = run(*arrays, **{name: call.attrs[name] for name in attrs})
            readable = gradients(op.rules, Call(call.inputs, call.outputs, call.attrs), call.grads, wanted)
        asked = [answer for answer, one in zip(readable, wanted, strict=True) if one]
        assert same(asked, [quick] if sum(wanted) == 1 else quick)


def test_a_gradient_that_is_not_given_is_zeros():
    call = CallOf(TABLE["softmax_with_cross_entropy"])
    softmax, loss = call.outputs
    run, attrs = rule_function(call.op, (True, False), (1,), (0,), (False, True))
    view = Call(call.inputs, call.outputs, call.attrs)
    grads = [np.zeros_like(softmax), np.ones_like(loss)]
    with within(EAGER.reading):
        quick = run(call.inputs[1], softmax, grads[1], **{name: call.attrs[name] for name in attrs})
        readable = gradients(call.op.rules, view, grads, [True, False])
    assert same(readable, [quick, None])


@each(ALL)
def test_the_public_function(op):
    """It takes the operator's declared arguments, and keywords; it passes on the given ones."""
    taken = inspect.signature(op.public).parameters
    declared = inspect.signature(op).parameters
    more = [name for name in taken if taken[name].kind is inspect.Parameter.KEYWORD_ONLY]
    assert list(taken) == [*declared, *more]
    assert op.public.__doc__ == op.__doc__
    for name, parameter in declared.items():
        if parameter.default is not inspect.Parameter.empty:
            assert taken[name].default is parameter.default


def test_the_signature_of_an_operator_is_annotated_as_its_kernel():
    assert str(inspect.signature(TABLE["concat"])) == "(x: 'list[Array]', axis: 'int' = 0, name=None)"


def test_a_rule_may_ask_only_for_what_there_is():
    rules = list(TABLE["tanh"].rules)
    with pytest.raises(TypeError, match="the gradient rule of tanh asks for 'colour'"):
        TABLE["tanh"].gradient("x")(lambda dy, colour: dy)
    assert TABLE["tanh"].rules == rules


ENGINE = ("engine", "ops", "paddle/nn", "paddle/optimizer", "paddle/static", "paddle/jit")


def test_text_becomes_code_in_three_places():
    """Public functions, a Program in the Executor, and the user's function, as rewritten by to_static."""
    package = Path(minipaddle.__file__).parent
    found = [
        str(path.relative_to(package))
        for room in ENGINE
        for path in sorted((package / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval")
    ]
    assert found == [
        "engine/operator/public.py",
        "paddle/static/executor/plan.py",
        "paddle/jit/rewriting/rewrite.py",
    ]
