"""Advice on an error that ends a script: cause and cure in one sentence, where its message has neither.

Python's own errors say what is missing (``'NoneType' object has no attribute 'numpy'``), not why. The failing
expression's meaning is found from its source and its variables, never from the message.
"""

import ast
import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from difflib import get_close_matches
from textwrap import dedent
from types import FunctionType

import numpy as np

from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.errors import GUARD
from minipaddle.engine.names.missing import Missing, is_paddles
from minipaddle.engine.tape.node import AccumulateGrad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.walk.walk import node_of
from minipaddle.paddle.nn import Layer, Linear
from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.run import advice_on_gradients
from minipaddle.tools.run.failing import LOST, TABLES, Failing, failing_in, told
from minipaddle.tools.words.language import say

_FRAMEWORKS = ("torch", "tensorflow", "jax", "mindspore", "mxnet")
_USUAL = (AttributeError, TypeError, ValueError)
_RARE = (AssertionError, IndexError, NameError, NotImplementedError)


def advice(error: BaseException) -> str:
    """Return cause and cure in one sentence; "" if unknown, or if the error's message has them already."""
    if isinstance(error, Missing):
        return ""
    if isinstance(error, ModuleNotFoundError):
        name = (error.name or "").partition(".")[0]
        return told("framework", name=name) if name in _FRAMEWORKS else ""
    while isinstance(error, OSError) and error.__cause__ is not None:
        error = error.__cause__  # raised by the user's code below a backward pass
    if isinstance(error, NameError) and (line := TABLES["imports"].get(error.name or "")):
        return told("import", name=error.name, line=line)
    failing = failing_in(error) if isinstance(error, (*_USUAL, *_RARE)) else None
    rules = _RULES if isinstance(error, _USUAL) else _RULES_OF_RARE
    # An object of the user may refuse to be looked at: the user's error is shown, not ours.
    with suppress(Exception):
        return "" if failing is None else next(filter(None, (rule(failing) for rule in rules)), "")
    return ""


# -- the rules --------------------------------------------------------------------------------------------------------


def _keyword(failing: Failing) -> str:
    """Return the advice if a keyword has another name in Paddle's function; else ""."""
    function = failing.meaning(failing.called)
    if function is LOST:
        function = next((one.f_locals["function"] for one in failing.frames if one.f_code is GUARD), None)
    is_ours = str(getattr(function, "__module__", "")).startswith("minipaddle")
    if not isinstance(failing.node, ast.Call) or not is_ours or not callable(function):
        return ""
    parameters = inspect.signature(function).parameters
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return ""
    wrong = next((one.arg for one in failing.node.keywords if one.arg and one.arg not in parameters), None)
    if wrong is None:
        return ""
    name = getattr(function, "__name__", "")
    if wrong == "requires_grad" and "stop_gradient" in parameters:
        return told("requires_grad", name=name)
    near = [TABLES["keywords"].get(wrong, ""), *get_close_matches(wrong, parameters, 1)]
    meant = next((one for one in near if one in parameters), ", ".join(parameters))
    return told("keyword", name=name, wrong=wrong, meant=meant)


def _numpy_function(failing: Failing) -> str:
    """Return the advice if a NumPy function was called with a tensor; else ""."""
    function = failing.meaning(failing.called)
    is_numpys = isinstance(function, np.ufunc) or getattr(function, "__module__", "") == "numpy"
    if not isinstance(failing.node, ast.Call) or not is_numpys:
        return ""
    tensors = [one for one in failing.node.args if isinstance(failing.meaning(one), Tensor)]
    if not tensors:
        return ""
    return told("numpy", function=getattr(function, "__name__", ""), name=ast.unparse(tensors[0]))


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
        if isinstance(method, FunctionType) and is_paddles(method.__module__) and _takes(method, 1):
            return told("method", name=ast.unparse(one))
    return ""


def _layers_do_not_fit(failing: Failing) -> str:
    """Return the advice if a Linear gets rows of another size than it takes; else ""."""
    at = next((one.f_locals for one in failing.frames if one.f_code is Linear.forward.__code__), {})
    layer, rows = at.get("self"), at.get("input")
    if layer is None or not isinstance(rows, Tensor) or rows.dtype != layer.weight.dtype:
        return ""
    if rows.shape[-1:] in ([], [layer.in_features]):
        return ""
    if rows.ndim > 2 and math.prod(rows.shape[1:]) == layer.in_features:
        return told("flatten", layer=_brief(layer), shape=[*rows.shape])
    if rows.ndim == layer.in_features == 1:
        return told("rows of one", layer=_brief(layer))
    outer = (one.f_locals.get("self") for one in failing.frames if one.f_code.co_name == "forward")
    before = _made_by(rows, next(one for one in outer if isinstance(one, Layer)))
    words = {"layer": _brief(layer), "gets": rows.shape[-1], "out": layer.out_features}
    if before is None:
        return told("rows", **words)
    return told("rows from", before=_brief(before), **words)


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


def _returns_nothing(failing: Failing) -> str:
    """Return the advice if the result of the user's function that has no return is used; else ""."""
    for node in ast.walk(failing.node) if "NoneType" in str(failing.error) else ():
        value = failing.meaning(node)
        call = failing.made_by(node) if value is None or value is LOST else None
        if call is None:
            continue
        function = failing.meaning(call.func)
        owner = failing.meaning(getattr(call.func, "value", call.func))
        if isinstance(owner, PyLayerContext) and owner._saved is None:
            return told("nothing saved")
        function = type(function).forward if isinstance(function, Layer) else function
        code = function.__code__ if isinstance(function, FunctionType) else None
        if code is not None and code.co_filename == failing.frame.f_code.co_filename:
            inside = ast.walk(parsed(dedent(inspect.getsource(code))))
            if not any(isinstance(one, _GIVING) and getattr(one, "value", True) for one in inside):
                return told("no return", call=ast.unparse(call), name=code.co_qualname)
    return ""


def _class_called(failing: Failing) -> str:
    """Return the advice if a class of layers is used as a layer, as in ``loss = MSELoss(x, y)``; else ""."""
    late = isinstance(failing.error, AttributeError) or failing.frames[-1].f_code is Layer.backward.__code__
    used = failing.called or failing.node
    call = failing.made_by(used.value) if late and isinstance(used, ast.Attribute) else failing.node
    if not isinstance(call, ast.Call):
        return ""
    kind = call.func
    if of_class := isinstance(kind, ast.Attribute) and kind.attr == "forward":
        kind = kind.value
    layer, count = failing.meaning(kind), len(call.args)
    if not isinstance(layer, type) or not issubclass(layer, Layer) or not _takes(layer.forward, count + 1):
        return ""
    of_tensors = any(isinstance(failing.meaning(one), Tensor) for one in call.args)
    if not (of_tensors and is_paddles(layer.__module__) if late else of_class or not _takes(layer, count)):
        return ""
    made = f"{ast.unparse(kind)}({'' if _takes(layer, 0) else '...'})"
    return told("class", made=made, given=", ".join(map(ast.unparse, call.args)))


def _takes(function: Callable[..., object], count: int) -> bool:
    """Return whether a function can be called with so many arguments."""
    try:
        return bool(inspect.signature(function).bind(*range(count)))
    except (TypeError, ValueError):
        return False


def _misspelt(failing: Failing) -> str:
    """Return the advice if a network's ``__init__`` or ``forward`` has another name, or no self; else ""."""
    layers = [one for at in failing.frames if isinstance(one := at.f_locals.get("self"), Layer)]
    kind = type(layers[-1]) if layers else Layer
    right = "__init__" if isinstance(failing.error, AttributeError) else "forward"
    if kind is not Layer and getattr(kind, right) is getattr(Layer, right):
        for wrong in get_close_matches(right, vars(kind), 1, 0.8):
            return told("misspelt", kind=kind.__name__, wrong=wrong, right=right)
    first = next(iter(inspect.signature(kind.forward).parameters), "")
    if first != "self" and failing.frames[-1].f_code is Layer.__call__.__code__:
        return told("no self", kind=kind.__name__)
    return ""


def _misused(failing: Failing) -> str:
    """Return the advice if a value is used as what it is not, as in ``loss[0]`` of one number; else ""."""
    used: ast.AST
    match failing.node:
        case ast.Subscript(value=ast.Call(func=ast.Attribute(value=used, attr="numpy"))):
            deed = "[]"
        case ast.Subscript(value=used):
            deed = "[]"
        case ast.Attribute(value=used, attr=name):
            deed = f".{name}"
        case ast.Call(func=used):
            deed = "()"
        case ast.For(iter=used):
            deed = "for"
        case ast.With(items=[ast.withitem(context_expr=used)]):
            deed = "with"
        case _:
            formats = (one for one in ast.walk(failing.tree) if isinstance(one, ast.FormattedValue))
            found = (one.value for one in formats if failing.node in ast.walk(one.format_spec or one.value))
            deed, used = "format", next(found, failing.node)
    value = failing.meaning(used)
    value = getattr(failing.error, "obj", LOST) if value is LOST else value
    kinds = [one.__name__ for one in (*type(value).__mro__, *(one for one in (max, min) if one is value))]
    kinds += ["number"] if isinstance(value, Tensor) and not value.ndim else []
    kinds += ["context"] if isinstance(value, type) and hasattr(value, "__enter__") else []
    for key, said in TABLES["misused"].items():
        deeds, *known = key.split()
        if deed in deeds.split("|") and not {*kinds}.isdisjoint(known):
            return say(said, name=ast.unparse(used))
    return ""


_GIVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Lambda, ast.AsyncFunctionDef)
_RULES_OF_RARE = (advice_on_gradients.variable_of_forward, _misspelt, _misused)
_RULES: tuple[Callable[[Failing], str], ...] = (
    *(*advice_on_gradients.RULES, _keyword, _numpy_function, _method_not_called, _layers_do_not_fit),
    *(_class_called, _returns_nothing, _misspelt, _misused),
)
"""The first that answers says the advice."""
