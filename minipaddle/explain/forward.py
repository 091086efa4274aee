"""What an operator computed: its kernel as a formula, and one element of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from minipaddle.core.operator import Operator
from minipaddle.explain.answer import Why
from minipaddle.explain.formula import formula, last_expression, renamed, run_text, words
from minipaddle.explain.substitution import list_text, numbers_in
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.language import say_what_it_does
from minipaddle.words.numbers import number

INDEXING = ("slice", "strided_slice", "getitem")
"""Operators that are written ``x[...]``."""

ADAM = (
    "sqrt(1 - beta2_pow) / (1 - beta1_pow) * moment1out / (sqrt(moment2out) + epsilon * sqrt(1 - beta2_pow))"
)
ADAM_MOMENTS: dict[int, tuple[str, ...]] = {
    1: ("beta1 * moment1 + (1 - beta1) * grad",),
    2: ("beta2 * moment2 + (1 - beta2) * grad ** 2",),
}

FORWARD: dict[str, tuple[str, ...]] = {
    "matmul_v2": ("x @ y", "x @ swapaxes(y, -1, -2)", "swapaxes(x, -1, -2) @ y"),
    "reduce_sum": ("sum(x)", "sum(x, axis)", "sum(x, axis, keepdims=True)"),
    "reduce_mean": ("mean(x)", "mean(x, axis)", "mean(x, axis, keepdims=True)"),
    "mean": ("mean(x)",),
    "scale": ("x", "x * scale", "-x", "x + bias", "x * scale + bias", "-x + bias", "(x + bias) * scale"),
    "pow": ("x ** factor",),
    "sum": ("x[0] + x[1]", "sum(x, 0)"),
    "relu": ("maximum(x, 0)",),
    "sigmoid": ("1 / (1 + exp(-x))",),
    "softmax": ("exp(x) / sum(exp(x), axis, keepdims=True)",),
    "log_softmax": ("x - log(sum(exp(x), axis, keepdims=True))",),
    "softmax_with_cross_entropy": ("exp(logits) / sum(exp(logits), axis, keepdims=True)",),
    "silu": ("x / (1 + exp(-x))",),
    "gelu": ("x * (1 + erf(x / sqrt(2))) / 2",),
    "squared_l2_norm": ("sum(x * x)",),
    "fill_constant": ("value", "full(shape, value)"),
    "mul": ("x @ y",),
    "dropout": ("x * mask",),
    "sgd": ("param - learning_rate * grad",),
    "momentum": (
        "param - learning_rate * velocityout",
        "param - learning_rate * (grad + mu * velocityout)",
        "param - learning_rate * (grad + regularization_coeff * param + mu * velocityout)",
    ),
    "adam": (f"param - learning_rate * {ADAM}",),
    "adamw": (
        f"param * (1 - learning_rate * coeff) - learning_rate * {ADAM}",
        f"param - learning_rate * {ADAM}",
    ),
    "adamax": ("param - learning_rate / (1 - beta1_pow) * momentout / infnormout",),
    "adagrad": ("param - learning_rate * grad / (sqrt(momentout) + epsilon)",),
    "rmsprop": ("param - momentout",),
    "adadelta": (
        "param - learning_rate * sqrt((avg_squared_update + epsilon) / (avgsquaredgradout + epsilon)) * grad",
    ),
    "square": ("x * x",),
    "clip": ("clip(x, min, max)", "minimum(x, max)", "maximum(x, min)", "x"),
    "arg_max": ("argmax(x)", "argmax(x, axis)", "argmax(x, axis, keepdims=True)"),
    "arg_min": ("argmin(x)", "argmin(x, axis)", "argmin(x, axis, keepdims=True)"),
    "assign_value": ("values",),
    "overwrite": ("value",),
    "greater_than": ("x > y",),
    "greater_equal": ("x >= y",),
    "less_than": ("x < y",),
    "less_equal": ("x <= y",),
    "equal": ("x == y",),
    "not_equal": ("x != y",),
    "leaky_relu": ("where(x < 0, negative_slope * x, x)",),
}
"""Kernels are written for speed; these are the same for the eye. Tried like the formulas of rules.

An output is called as its slot in small letters, for formulas that are made of one another.
"""

OTHERS: dict[str, dict[int, tuple[str, ...]]] = {
    "softmax_with_cross_entropy": {
        1: (
            "-log(take_along_axis(softmax, label, axis))",
            "-sum(label * log(softmax), axis, keepdims=True)",
        )
    },
    "momentum": {1: ("mu * velocity + grad", "mu * velocity + grad + regularization_coeff * param")},
    "adam": ADAM_MOMENTS,
    "adamw": ADAM_MOMENTS,
    "adamax": {
        1: ("beta1 * moment + (1 - beta1) * grad",),
        2: ("maximum(beta2 * inf_norm + epsilon, abs(grad))",),
    },
    "adagrad": {1: ("moment + grad ** 2",)},
    "rmsprop": {
        2: ("decay * mean_square + (1 - decay) * grad ** 2",),
        1: ("momentum * moment + learning_rate * grad / sqrt(meansquareout + epsilon)",),
    },
    "adadelta": {1: ("rho * avg_squared_grad + (1 - rho) * grad ** 2",)},
}
"""The same for outputs that are not the first, in the order in which they are made of one another."""

_NEAR, _SAME = 1e-3, 1e-10
"""Relative tolerances: for what a kernel made in float32 or float16, and for what it makes in float64."""


def explain_forward(trace: Trace, op: Operator, event: Event, answer: Why) -> None:
    """Add formula, numbers and the operator's own first sentence."""
    outputs = trace.known(event.outputs)
    names, arguments = _names_and_arrays(trace, op, event)
    answer.rule = list(_formulas(op, names, arguments, outputs, answer))
    if not answer.rule:
        made = ", ".join(value.name for value in outputs)
        answer.rule = [f"{made} = {_call(op, event, names)}"]
    if op.__doc__:
        answer.says.append(say_what_it_does(op.__doc__.strip().splitlines()[0]))


def _formulas(
    op: Operator,
    names: dict[str, str],
    arguments: dict[str, Any],
    outputs: list[Value],
    answer: Why,
) -> Iterator[str]:
    """Yield a formula for each output that has one, what is made first before what is made of it; add the numbers."""
    others = OTHERS.get(op.type, {})
    order = [*others, 0] if op.updates else [0, *others]
    for position in [place for place in order if place < len(outputs)]:
        made = outputs[position]
        if position in others:
            candidates = others[position]
        else:
            candidates = FORWARD.get(op.type) or (() if op.updates else (_plain(formula(op.kernel)),))
        text = _words_for(op, position, candidates, arguments, made.array)
        if text:
            name = names[op.output_names[position]] if op.updates and position else made.name
            yield f"{name} = {' '.join(renamed(text, names))}"
            at = "" if made.array is None else numbers_in(text, arguments, made.array, name, words())
            answer.numbers += [at] if at else []


def _call(op: Operator, event: Event, names: dict[str, str]) -> str:
    """Write the operator as a function, or an index as it stands in a script."""
    given = [names[name] for name in op.input_names if names.get(name, "None") != "None"]
    if op.type in INDEXING:
        return f"{given[0]}[{index_text(str(event.attrs['index']), given[1:])}]"
    changed = [
        f"{a}={names[a]}" for a in op.attr_names if event.attrs.get(a) != op.defaults[a] and not op.updates
    ]
    return f"{op.name}({', '.join(given + changed)})"


def index_text(index: str, arrays: list[str]) -> str:
    """Write a recorded index as a script has it: ``0:3:`` as ``0:3``, ``@`` as the name of the array.

    >>> index_text("..., 0:3:, @", ["[rows]"])
    '..., 0:3, rows'
    """
    names = iter(arrays[0].strip("[]").split(", ") if arrays else [])
    items = []
    for item in index.split(", "):
        if item.startswith("@"):
            item = next(names, item)
        items.append(item.removesuffix(":") if item.count(":") == 2 else item)
    return ", ".join(items)


def _names_and_arrays(trace: Trace, op: Operator, event: Event) -> tuple[dict[str, str], dict[str, Any]]:
    names = {attr: list_text(value) for attr, value in event.attrs.items()}
    arguments: dict[str, Any] = dict(event.attrs)
    inputs = [trace.value(id_) for id_ in event.inputs]
    for position, name in enumerate(op.input_names):
        if name == op.list_slot:
            names[name] = "[" + ", ".join(value.name for value in inputs[position:] if value) + "]"
            arguments[name] = [value.array for value in inputs[position:] if value]
        elif position < len(inputs):
            value = inputs[position]
            names[name] = _called(value, name) if value else "None"
            arguments[name] = value.array if value else None
    for name, id_ in zip(op.output_names, event.outputs) if op.multiple else ():
        made = trace.value(id_)
        if made is not None and name not in arguments:
            names[name], arguments[name] = _called(made, name.removesuffix("out")), made.array
    return names, arguments


def _called(value: Value, slot: str) -> str:
    """Return the name of a value; of an optimizer's state, whose names are long, its slot; of its rate, the number."""
    if slot == value.name == "learning_rate" and value.array is not None:
        return number(float(value.array.item()))
    return slot if value.kind == "data" and f"_{slot}_" in f"{value.name}_" else value.name


def _words_for(
    op: Operator, position: int, candidates: Iterable[str], arguments: dict[str, Any], result: Any
) -> str:
    """Return a formula of the kernel that gives `result`; "" if there is none in plain words.

    Of several that do, the attributes decide: where a bias is 0 or a decay is small, these numbers do not show it.
    """
    if result is None:
        return next(filter(None, candidates), "")
    fits = [text for text in filter(None, candidates) if _gives(text, arguments, result)]
    if len(fits) > 1:
        other = _other_numbers(op, arguments)
        again = other.pop(op.output_names[position], None) if other else None
        for rtol in (_NEAR, _SAME):
            fits = [text for text in fits if again is not None and _gives(text, other, again, rtol)] or fits
    return fits[0] if fits else ""


def _gives(text: str, arguments: dict[str, Any], result: Any, rtol: float = _NEAR) -> bool:
    try:
        again = np.asarray(run_text(text, arguments))
    except Exception:  # words of ours that NumPy has not, or made for another shape
        return False
    fits = again.shape == result.shape or again.size == result.size == 1
    return fits and np.allclose(
        again, result.reshape(again.shape), rtol=rtol, atol=1e-3 * rtol, equal_nan=True
    )


def _other_numbers(op: Operator, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run a kernel with the same attributes on other numbers, in float64; return what it read and made, or nothing."""
    draw = np.random.default_rng(0).uniform
    read = {
        name: np.asarray(draw(0.2, 0.9, value.shape))
        if isinstance(value := arguments.get(name), np.ndarray) and value.dtype.kind == "f"
        else value
        for name in op.input_names
    }
    attrs = {name: arguments[name] for name in op.attr_names if name in arguments}
    try:
        made = op.kernel(*(np.copy(v) if isinstance(v, np.ndarray) else v for v in read.values()), **attrs)
    except Exception:  # a kernel that needs more than numbers
        return {}
    outputs = made if isinstance(made, tuple) else (made,)
    return {**arguments, **dict(zip(op.output_names, outputs)), **read}


def _plain(source: str) -> str:
    """Return a kernel of one line without its ``np.``; "" for a longer one."""
    expression = last_expression(source)
    return "" if expression is None else ast.unparse(_WithoutModule().visit(expression))


class _WithoutModule(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.visit(node.value)
        return ast.Name(node.attr) if isinstance(node.value, ast.Name) and node.value.id == "np" else node
