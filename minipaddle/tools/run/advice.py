"""Advice on an error that ends a script: cause and cure in one sentence, where its message has neither.

Python's own errors say what is missing (``'NoneType' object has no attribute 'numpy'``), not why. The failing
expression's meaning is found from its source and its variables, never from the message.
"""

import ast
import inspect
from collections.abc import Sequence
from difflib import get_close_matches
from traceback import walk_tb
from types import FunctionType

import numpy as np

from minipaddle.engine.names.missing import Missing, is_paddles
from minipaddle.engine.tape.node import AccumulateGrad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.walk.walk import node_of
from minipaddle.paddle.nn import Layer, Linear
from minipaddle.tools.run import advice_on_gradients
from minipaddle.tools.run.failing import LOST, Failing, failing_in
from minipaddle.tools.words.language import say

_KEYWORDS = {
    "lr": "learning_rate", "params": "parameters", "bias": "bias_attr", "eps": "epsilon",
    "input": "x", "other": "y", "tensors": "x", "dim": "axis", "dims": "axis", "keepdims": "keepdim",
    "size": "shape", "start_dim": "start_axis", "end_dim": "stop_axis",
}  # fmt: skip
"""Keywords of other frameworks, with Paddle's names for them."""
_IMPORTS = {
    "paddle": "import paddle",
    "np": "import numpy as np",
    "nn": "import paddle.nn as nn",
    "F": "import paddle.nn.functional as F",
    "PyLayer": "from paddle.autograd import PyLayer",
}
_FRAMEWORKS = ("torch", "tensorflow", "jax", "mindspore", "mxnet")


def advise(error: BaseException) -> None:
    """Add a hint to an error that has none, if one is known: Python shows it below the message."""
    said = advice(error)
    if said:
        error.add_note(f"  [Hint: {said}]")


def on_printed(names: Sequence[str]) -> str:
    """Return the advice after Variables of a Program were printed."""
    return say(
        "{names} was printed, a Variable, which stands for numbers that only a run has; print what exe.run(program, "
        "feed, fetch_list) returns for it",
        names=", ".join(names[:3]),
    )


def advice(error: BaseException) -> str:
    """Return cause and cure in one sentence; "" if unknown, or if the error's message has them already."""
    if isinstance(error, Missing):
        return ""
    if isinstance(error, ModuleNotFoundError):
        return _other_framework(error)
    if isinstance(error, NameError):
        line = _IMPORTS.get(error.name or "")
        return say("{name} is not imported: write {line} first", name=error.name, line=line) if line else ""
    while isinstance(error, OSError) and error.__cause__ is not None:
        error = error.__cause__  # raised by the user's code below a backward pass
    failing = failing_in(error) if isinstance(error, (AttributeError, TypeError, ValueError)) else None
    return "" if failing is None else next(filter(None, (rule(failing) for rule in _RULES)), "")


# -- the rules --------------------------------------------------------------------------------------------------------


def _other_framework(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name not in _FRAMEWORKS:
        return ""
    return say("{name} is another framework: write import paddle, and Paddle's names for its own", name=name)


def _keyword(failing: Failing) -> str:
    """Return the advice if a keyword has another name in Paddle's function; else ""."""
    function = None if failing.called is None else failing.meaning(failing.called)
    if not isinstance(failing.node, ast.Call) or not callable(function):
        return ""
    if not (getattr(function, "__module__", None) or "").startswith("minipaddle"):
        return ""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ""
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return ""
    wrong = next((one.arg for one in failing.node.keywords if one.arg and one.arg not in parameters), None)
    if wrong is None:
        return ""
    name = getattr(function, "__name__", "")
    if wrong == "requires_grad" and "stop_gradient" in parameters:
        return say(
            "{name} takes no requires_grad: Paddle says the opposite, stop_gradient=False for what requires gradient",
            name=name,
        )
    near = [_KEYWORDS.get(wrong, ""), *get_close_matches(wrong, parameters, 1)]
    meant = next((one for one in near if one in parameters), ", ".join(parameters))
    return say("{name} takes no {wrong}: write {meant}", name=name, wrong=wrong, meant=meant)


def _numpy_function(failing: Failing) -> str:
    """Return the advice if a NumPy function was called with a tensor; else ""."""
    function = None if failing.called is None else failing.meaning(failing.called)
    is_numpys = isinstance(function, np.ufunc) or getattr(function, "__module__", "") == "numpy"
    if not isinstance(failing.node, ast.Call) or not is_numpys:
        return ""
    tensors = [one for one in failing.node.args if isinstance(failing.meaning(one), Tensor)]
    if not tensors:
        return ""
    return say(
        "np.{function} takes arrays, and {name} is a tensor: paddle.{function} keeps the gradient, "
        "{name}.numpy() leaves it behind",
        function=getattr(function, "__name__", ""),
        name=ast.unparse(tensors[0]),
    )


def _method_not_called(failing: Failing) -> str:
    """Return the advice if a method of Paddle without arguments is not called, as in ``model.parameters``; else ""."""
    node = failing.node
    used: list[ast.AST]
    if isinstance(node, ast.Call):
        used = [*node.args, *(one.value for one in node.keywords)]
    else:
        used = [node, *ast.iter_child_nodes(node)]
    for one in used:
        if not isinstance(one, ast.Attribute) or (owner := failing.meaning(one.value)) is LOST:
            continue
        method = inspect.getattr_static(type(owner), one.attr, None)
        if isinstance(method, FunctionType) and is_paddles(method.__module__) and _takes_only_self(method):
            return say("{name} is a method: {name}() calls it", name=ast.unparse(one))
    return ""


def _takes_only_self(method: FunctionType) -> bool:
    _, *others = inspect.signature(method).parameters.values()
    return all(one.default is not one.empty for one in others)


def _layers_do_not_fit(failing: Failing) -> str:
    """Return the advice if a Linear gets rows of another size than it takes; else ""."""
    frames = [frame for frame, _ in walk_tb(failing.error.__traceback__)]
    at = next((one.f_locals for one in frames if one.f_code is Linear.forward.__code__), {})
    layer, rows = at.get("self"), at.get("input")
    if layer is None or not isinstance(rows, Tensor) or rows.shape[-1:] in ([], [layer.in_features]):
        return ""
    outer = (one.f_locals.get("self") for one in frames if one.f_code.co_name == "forward")
    before = _made_by(rows, next(one for one in outer if isinstance(one, Layer)))
    words = {"layer": _brief(layer), "gets": rows.shape[-1], "out": layer.out_features}
    if before is None:
        return say("{layer} gets rows of {gets} numbers: Linear({gets}, {out}) takes them", **words)
    return say(
        "{layer} gets rows of {gets} numbers from {before}: Linear({gets}, {out}) takes them",
        before=_brief(before),
        **words,
    )


def _made_by(tensor: Tensor, outer: Layer) -> Linear | None:
    """Return the Linear of an outer layer from which a tensor came with its last axis unchanged; None if unknown."""
    of_weight = {id(one.weight): one for one in outer.sublayers(include_self=True) if isinstance(one, Linear)}
    edge = tensor.edge
    while edge is not None:
        edges = node_of(edge).edges
        for leaf in edges:
            layer = of_weight.get(id(leaf.tensor())) if isinstance(leaf, AccumulateGrad) else None
            if layer is not None:
                return layer if layer.out_features == tensor.shape[-1] else None
        edge = next((one for one in edges if one is not None), None)
    return None


def _brief(layer: Linear) -> str:
    return f"Linear({layer.in_features}, {layer.out_features})"


_RULES = (*advice_on_gradients.RULES, _keyword, _numpy_function, _method_not_called, _layers_do_not_fit)
"""The first that answers says the advice."""
