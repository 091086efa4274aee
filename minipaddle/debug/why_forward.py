"""What an operator computed: its kernel as a formula, and one element of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.core.operator import Operator
from minipaddle.debug.formula import formula, last_expression, renamed, run_text, words
from minipaddle.debug.numbers import list_text, numbers_in
from minipaddle.debug.session import Session
from minipaddle.trace.events import Event, Value
from minipaddle.viz.text import number

if TYPE_CHECKING:
    from minipaddle.debug.why import Why

__all__ = ["FORWARD", "explain_forward"]

FORWARD: dict[str, tuple[str, ...]] = {
    "matmul_v2": ("x @ y", "x @ swapaxes(y, -1, -2)", "swapaxes(x, -1, -2) @ y"),
    "reduce_sum": ("sum(x)", "sum(x, axis)", "sum(x, axis, keepdims=True)"),
    "reduce_mean": ("mean(x)", "mean(x, axis)", "mean(x, axis, keepdims=True)"),
    "relu": ("maximum(x, 0)",),
    "sigmoid": ("1 / (1 + exp(-x))",),
    "softmax": ("exp(x) / sum(exp(x), axis, keepdims=True)",),
    "log_softmax": ("x - log(sum(exp(x), axis, keepdims=True))",),
    "silu": ("x / (1 + exp(-x))",),
    "gelu": ("x * (1 + erf(x / sqrt(2))) / 2",),
    "sgd": ("param - learning_rate * grad",),
    "momentum": (
        "param - learning_rate * (mu * velocity + grad)",
        "param - learning_rate * (grad + mu * (mu * velocity + grad))",
    ),
    "leaky_relu": ("where(x < 0, negative_slope * x, x)",),
}
"""Kernels are written for speed; these are the same for the eye. Tried like the formulas of rules."""


def explain_forward(session: Session, op: Operator, event: Event, answer: Why) -> None:
    """Add formula, numbers and the operator's own first sentence."""
    outputs = session.values(event.outputs)
    made = ", ".join(value.name for value in outputs)
    names, arguments = _names_and_arrays(session, op, event)
    text = _words_for(op, arguments, outputs[0].array if outputs else None)
    if text:
        made = outputs[0].name if op.updates else made
        answer.rule = [f"{made} = {' '.join(renamed(text, names))}"]
        result = outputs[0].array
        if result is not None:
            at = numbers_in(text, arguments, result, outputs[0].name, words())
            answer.numbers += [at] if at else []
    else:
        given = [names[name] for name in op.input_names if names.get(name, "None") != "None"]
        changed = [
            f"{a}={names[a]}"
            for a in op.attr_names
            if event.attrs.get(a) != op.defaults[a] and not op.updates
        ]
        answer.rule = [f"{made} = {op.name}({', '.join(given + changed)})"]
    if op.__doc__:
        answer.says.append(op.__doc__.strip().splitlines()[0])


def _names_and_arrays(session: Session, op: Operator, event: Event) -> tuple[dict[str, str], dict[str, Any]]:
    names = {attr: list_text(value) for attr, value in event.attrs.items()}
    arguments: dict[str, Any] = dict(event.attrs)
    inputs = [session.trace.value(id_) for id_ in event.inputs]
    for position, name in enumerate(op.input_names):
        if name == op.list_slot:
            names[name] = "[" + ", ".join(value.name for value in inputs[position:] if value) + "]"
            arguments[name] = [value.array for value in inputs[position:] if value]
        elif position < len(inputs):
            value = inputs[position]
            names[name] = _called(value) if value else "None"
            arguments[name] = value.array if value else None
    return names, arguments


def _called(value: Value) -> str:
    """Return the name of a value; of a single number that nobody named, such as a learning rate, the number."""
    nameless = value.producer is None and value.name == f"v{value.id}"
    if nameless and value.array is not None and value.array.size == 1:
        return number(float(value.array.item()))
    return value.name


def _words_for(op: Operator, arguments: dict[str, Any], result: Any) -> str:
    """Return a formula of the kernel that gives `result`; "" if there is none in plain words."""
    candidates = FORWARD.get(op.type) or (() if op.updates else (_plain(formula(op.kernel)),))
    for text in filter(None, candidates):
        if result is None:
            return text
        try:
            again = np.asarray(run_text(text, arguments))
        except Exception:  # words of ours that NumPy has not, or made for another shape
            continue
        if again.shape == result.shape and np.allclose(again, result, rtol=1e-3, atol=1e-6, equal_nan=True):
            return text
    return ""


def _plain(source: str) -> str:
    """Return a kernel of one line without its ``np.``; "" for a longer one."""
    expression = last_expression(source)
    return "" if expression is None else ast.unparse(_WithoutModule().visit(expression))


class _WithoutModule(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.visit(node.value)
        return ast.Name(node.attr) if isinstance(node.value, ast.Name) and node.value.id == "np" else node
