"""Advice on errors about gradients and PyLayers: cause and cure in one sentence, or "".

Next: :mod:`minipaddle.tools.run.failing`, which finds the failing expression.
"""

import ast
import inspect
import os

import numpy as np

from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd import PyLayer
from minipaddle.tools.checks.gradient.unwritten import silent_backwards
from minipaddle.tools.run.failing import Failing
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import at_line


def left_the_graph(failing: Failing) -> str:
    """Return the advice if ``backward`` is called on a number or array taken out of a tensor; else ""."""
    error = failing.error
    if not isinstance(error, AttributeError) or error.name != "backward":
        return ""
    if not isinstance(error.obj, (int, float, complex, np.ndarray, np.generic)):
        return ""
    return say(
        "backward is asked of a plain number: item(), float() and numpy() leave the graph; ask the tensor before them"
    )


def no_gradient(failing: Failing) -> str:
    """Return the advice if the expression uses a ``.grad`` that is None; else ""."""
    for node in ast.iter_child_nodes(failing.node):
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            tensor = failing.meaning(node.value)
            if isinstance(tensor, Tensor) and tensor.grad is None:
                silent = next(silent_backwards(failing.text), None) if not tensor.stop_gradient else None
                file = os.path.basename(failing.frame.f_code.co_filename)
                if silent is not None:
                    return at_line(silent.says, file, silent.line)
                return _bound_anew(failing, node.value) or _why_none(ast.unparse(node.value), tensor)
    return ""


def _bound_anew(failing: Failing, node: ast.expr) -> str:
    """Return the advice if the last assignment to a name uses the name's own gradient, an update; else ""."""
    if not isinstance(node, ast.Name) or (update := failing.assigned(node.id)) is None:
        return ""
    if f"{node.id}.grad" not in (
        ast.unparse(one) for one in ast.walk(update.value) if isinstance(one, ast.Attribute)
    ):
        return ""
    said = say(
        "{name}.grad is None: {line} binds {name} to a new tensor; {name}.set_value(...) writes the new numbers into "
        "the old one, which has the gradients",
        name=node.id,
        line=ast.unparse(update),
    )
    return at_line(said, os.path.basename(failing.frame.f_code.co_filename), update.lineno)


def _why_none(name: str, tensor: Tensor) -> str:
    if tensor.stop_gradient:
        return say(
            "{name}.grad is None: {name} has stop_gradient=True, so no gradient is computed for it; "
            "set {name}.stop_gradient = False before it is used",
            name=name,
        )
    if not tensor.is_leaf:
        return say(
            "{name}.grad is None: {name} was computed, and only leaves keep their gradient; "
            "call {name}.retain_grads() before backward",
            name=name,
        )
    return say(
        "{name}.grad is None: no backward pass has reached {name} since it was made or cleared; is the loss computed "
        "from {name}, outside of no_grad and without detach, and is backward called?",
        name=name,
    )


def result_not_unpacked(failing: Failing) -> str:
    """Return the advice if a list of gradients or the tuple of saved tensors is used as a tensor; else ""."""
    error = failing.error
    if (
        isinstance(error, AttributeError)
        and isinstance(error.obj, PyLayerContext)
        and "saved" in (error.name or "")
    ):
        return say("x, = ctx.saved_tensor() gives back what ctx.save_for_backward(x) saved")
    for name in (one for one in ast.walk(failing.node) if isinstance(one, ast.Name)):
        made = failing.assigned(name.id) if type(failing.meaning(name)) in (list, tuple) else None
        called = made.value.func if made is not None and isinstance(made.value, ast.Call) else None
        if "grad" in (getattr(called, "attr", ""), getattr(called, "id", "")):
            return say(
                "{name} is a list: paddle.grad returns one gradient for each input; use {name}[0]",
                name=name.id,
            )
        if getattr(called, "attr", "") == "saved_tensor":
            return say(
                "{name} is a tuple of all that was saved: write {name}, = ctx.saved_tensor()", name=name.id
            )
    return ""


def not_applied(failing: Failing) -> str:
    """Return the advice if a PyLayer is not called through apply, or its forward lacks ctx; else ""."""
    called = failing.called
    if isinstance(failing.error, AttributeError) and isinstance(failing.error.obj, PyLayer):
        return _apply(type(failing.error.obj).__name__)
    while isinstance(called, ast.Call):  # Double()(x)
        called = called.func
    if called is None:
        return ""
    owner = failing.meaning(called)
    if isinstance(owner, PyLayer):
        owner = type(owner)
    if isinstance(owner, type) and issubclass(owner, PyLayer):
        return _apply(owner.__name__)
    owner = failing.meaning(called.value) if isinstance(called, ast.Attribute) else None
    if not (isinstance(called, ast.Attribute) and isinstance(owner, type) and issubclass(owner, PyLayer)):
        return ""
    if called.attr in ("forward", "backward"):
        return _apply(owner.__name__)
    return _lacks_ctx(failing.node, owner) if called.attr == "apply" else ""


def _apply(name: str) -> str:
    return say(
        "{name} is a PyLayer: {name}.apply(...) calls its forward, hands it ctx, and puts its backward on the tape",
        name=name,
    )


def _lacks_ctx(call: ast.AST, layer: type[PyLayer]) -> str:
    """Return the advice if forward takes exactly the arguments of apply, without ctx before them; else ""."""
    if not isinstance(call, ast.Call) or any(isinstance(one, ast.Starred) for one in call.args):
        return ""
    given = {one.arg: None for one in call.keywords if one.arg is not None}
    taken = inspect.signature(layer.forward)
    if next(iter(taken.parameters), "") == "self":
        return say("{name}.forward takes no self: write @staticmethod above it", name=layer.__name__)
    try:
        taken.bind(*call.args, **given)
    except (TypeError, ValueError):
        return ""
    return say(
        "apply hands ctx to {name}.forward first, before its own arguments: write def forward(ctx, ...)",
        name=layer.__name__,
    )


RULES = (left_the_graph, no_gradient, result_not_unpacked, not_applied)
