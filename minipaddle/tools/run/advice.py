"""Advice on an error that ends a script: cause and cure in one sentence, where its message has neither.

Python's own errors say what is missing (``'NoneType' object has no attribute 'numpy'``), not why. The failing
expression's meaning is found from its source and its variables, never from the message.
"""

import ast
import builtins
import inspect
import linecache
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from minipaddle.engine.names.missing import Missing
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd import PyLayer
from minipaddle.tools.checks.gradient.unwritten import silent_backwards
from minipaddle.tools.record.user_code.names import parsed, span_of
from minipaddle.tools.run.tracebacks import is_user_file
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import at_line

_NUMPY = os.path.dirname(np.__file__) + os.sep
_LOST = object()
"""Marks a name or attribute whose object is unknown."""
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
    if not isinstance(error, (AttributeError, TypeError)):
        return ""
    failing = _failing(error)
    rules: tuple[Callable[[_Failing], str], ...] = (
        _left_the_graph, _no_gradient, _py_layer, _keyword, _numpy_function,
    )  # fmt: skip
    return "" if failing is None else next(filter(None, (rule(failing) for rule in rules)), "")


@dataclass(frozen=True)
class _Failing:
    """An expression in the user's code that raised."""

    error: AttributeError | TypeError
    frame: FrameType
    node: ast.AST
    text: str
    """The text of the user's file."""

    def meaning(self, node: ast.AST) -> Any:
        """Return the object that a name or attribute refers to; `_LOST` for other nodes. It runs no user code."""
        if isinstance(node, ast.Name):
            scopes = self.frame.f_locals, self.frame.f_globals, vars(builtins)
            return next((scope[node.id] for scope in scopes if node.id in scope), _LOST)
        if not isinstance(node, ast.Attribute):
            return _LOST
        owner = self.meaning(node.value)
        if isinstance(owner, (ModuleType, Tensor)) or (
            isinstance(owner, type) and issubclass(owner, PyLayer)
        ):
            return getattr(owner, node.attr, _LOST)
        return vars(owner).get(node.attr, _LOST) if hasattr(owner, "__dict__") else _LOST

    @property
    def called(self) -> ast.expr | None:
        """The function part of the expression, if it is a call; else None."""
        return self.node.func if isinstance(self.node, ast.Call) else None


def _failing(error: AttributeError | TypeError) -> _Failing | None:
    """Return the innermost user expression that was running; None if its source is not available."""
    steps = inspect.getinnerframes(error.__traceback__, context=0) if error.__traceback__ else []
    own = [step for step in steps if is_user_file(step.filename) and not step.filename.startswith(_NUMPY)]
    if not own:
        return None
    frame = own[-1].frame
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    nodes = (node for node in ast.walk(parsed(text)) if isinstance(node, (ast.expr, ast.stmt)))
    found = [node for node in nodes if span_of(node) == own[-1].positions]
    return _Failing(error, frame, found[-1], text) if found else None


# -- the rules --------------------------------------------------------------------------------------------------------


def _other_framework(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name not in _FRAMEWORKS:
        return ""
    return say("{name} is another framework: write import paddle, and Paddle's names for its own", name=name)


def _left_the_graph(failing: _Failing) -> str:
    """Return the advice if ``backward`` is called on a number or array taken out of a tensor; else ""."""
    error = failing.error
    if not isinstance(error, AttributeError) or error.name != "backward":
        return ""
    if not isinstance(error.obj, (int, float, complex, np.ndarray, np.generic)):
        return ""
    return say(
        "backward is asked of a plain number: item(), float() and numpy() leave the graph; ask the tensor before them"
    )


def _no_gradient(failing: _Failing) -> str:
    """Return the advice if the expression uses a ``.grad`` that is None; else ""."""
    for node in ast.iter_child_nodes(failing.node):
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            tensor = failing.meaning(node.value)
            if isinstance(tensor, Tensor) and tensor.grad is None:
                silent = next(silent_backwards(failing.text), None) if not tensor.stop_gradient else None
                file = os.path.basename(failing.frame.f_code.co_filename)
                if silent is not None:
                    return at_line(silent.says, file, silent.line)
                return _why_none(ast.unparse(node.value), tensor)
    return ""


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


def _py_layer(failing: _Failing) -> str:
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
    try:
        inspect.signature(layer.forward).bind(*call.args, **given)
    except (TypeError, ValueError):
        return ""
    return say(
        "apply hands ctx to {name}.forward first, before its own arguments: write def forward(ctx, ...)",
        name=layer.__name__,
    )


def _keyword(failing: _Failing) -> str:
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


def _numpy_function(failing: _Failing) -> str:
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
