"""Advice on errors about gradients and PyLayers: cause and cure in one sentence, or "".

Next: :mod:`minipaddle.tools.run.failing`, which finds the failing expression.
"""

import ast
import inspect
import os

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd import PyLayer
from minipaddle.tools.checks.gradient.unwritten import silent_backwards
from minipaddle.tools.run.failing import Failing, told
from minipaddle.tools.words.numbers import at_line


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
                why = "stops" if tensor.stop_gradient else "not reached" if tensor.is_leaf else "computed"
                return _bound_anew(failing, node.value) or told(why, name=ast.unparse(node.value))
    return ""


def _bound_anew(failing: Failing, node: ast.expr) -> str:
    """Return the advice if the last assignment to a name uses the name's own gradient, an update; else ""."""
    if not isinstance(node, ast.Name) or (update := failing.assigned(node.id)) is None:
        return ""
    if f"{node.id}.grad" not in (
        ast.unparse(one) for one in ast.walk(update.value) if isinstance(one, ast.Attribute)
    ):
        return ""
    said = told("bound anew", name=node.id, line=ast.unparse(update))
    return at_line(said, os.path.basename(failing.frame.f_code.co_filename), update.lineno)


def result_not_unpacked(failing: Failing) -> str:
    """Return the advice if a list of gradients or the tuple of saved tensors is used as a tensor; else ""."""
    for name in (one for one in ast.walk(failing.node) if isinstance(one, ast.Name)):
        made = failing.assigned(name.id) if type(failing.meaning(name)) in (list, tuple) else None
        called = made.value.func if made is not None and isinstance(made.value, ast.Call) else None
        if "grad" in (getattr(called, "attr", ""), getattr(called, "id", "")):
            return told("list", name=name.id)
        if getattr(called, "attr", "") == "saved_tensor":
            return told("tuple", name=name.id)
    return ""


def variable_of_forward(failing: Failing) -> str:
    """Return the advice if backward uses a variable of forward; else ""."""
    error, owner = failing.error, failing.frame.f_code.co_qualname.split(".")
    if not isinstance(error, NameError) or owner[-1] != "backward":
        return ""
    classes = (one for one in ast.walk(failing.tree) if isinstance(one, ast.ClassDef) and one.name in owner)
    forwards = [own for one in classes for own in one.body if getattr(own, "name", "") == "forward"]
    names = [one for own in forwards for one in ast.walk(own) if isinstance(one, (ast.arg, ast.Name))]
    if error.name not in (getattr(one, "arg", getattr(one, "id", "")) for one in names):
        return ""
    return told("of forward", name=error.name)


def not_applied(failing: Failing) -> str:
    """Return the advice if a PyLayer is not called through apply, or its forward lacks ctx; else ""."""
    called, owner = failing.called, getattr(failing.error, "obj", None)
    while isinstance(called, ast.Call):  # Double()(x)
        called = called.func
    if not isinstance(owner, PyLayer):
        owner = failing.meaning(called)
    if isinstance(owner, PyLayer):
        owner = type(owner)
    if isinstance(owner, type) and issubclass(owner, PyLayer):
        return told("apply", name=owner.__name__)
    owner = failing.meaning(called.value) if isinstance(called, ast.Attribute) else None
    if not (isinstance(called, ast.Attribute) and isinstance(owner, type) and issubclass(owner, PyLayer)):
        return ""
    if called.attr in ("forward", "backward"):
        return told("apply", name=owner.__name__)
    return _lacks_ctx(failing.node, owner) if called.attr == "apply" else ""


def _lacks_ctx(call: ast.AST, layer: type[PyLayer]) -> str:
    """Return the advice if forward takes exactly the arguments of apply, without ctx before them; else ""."""
    if not isinstance(call, ast.Call) or any(isinstance(one, ast.Starred) for one in call.args):
        return ""
    given = {one.arg: None for one in call.keywords if one.arg is not None}
    taken = inspect.signature(layer.forward)
    if next(iter(taken.parameters), "") == "self":
        return told("self of pylayer", name=layer.__name__)
    try:
        taken.bind(*call.args, **given)
    except (TypeError, ValueError):
        return ""
    return told("ctx", name=layer.__name__)


RULES = (no_gradient, result_not_unpacked, not_applied)
