"""Runs a script and writes down its gradients: a program of its own, for minipaddle and for the real Paddle alike.

    python driver.py ENGINE START.npz OUT.npz SCRIPT|MODULE:FUNCTION

Parameters are written to START.npz, or read from it if it is there: so both engines begin with the same numbers. After
every backward the gradients of the parameters are noted, and of the leaves among the script's variables where there is
no optimizer; of every ``Executor.run``, what was fetched, and the gradients of the parameters.
"""

import functools
import importlib
import inspect
import operator
import os
import random
import runpy
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np


class Notes:
    """What is written down."""

    def __init__(self, start: str, out: str) -> None:
        self.start, self.out = start, out
        self.arrays: dict[str, Any] = {}
        self.given: dict[str, Any] = dict(np.load(start)) if os.path.exists(start) else {}
        self.first: dict[str, Any] = {}
        self.started: list[Any] = []
        self.parameters: list[Any] = []
        self.optimized = False
        self.passes = self.runs = 0
        self.gradients: list[tuple[str, Any, Any]] = []
        self.decayed: list[tuple[Any, Any]] = []

    def start_of(self, name: str, here: Any) -> Any:
        """Return the numbers to begin with: those of the other run, if it had this parameter."""
        given = self.given.get(name)
        fits = given is not None and given.shape == here.shape
        self.first[name] = given if fits else here
        return self.first[name]

    def begin(self, parameter: Any) -> None:
        """Give a parameter of eager mode the numbers that it had in the other run."""
        name = f"p{len(self.started)}"
        self.started.append(parameter)
        parameter.set_value(self.start_of(name, np.array(parameter.numpy())))

    def take(self, parameters: Iterable[Any]) -> None:
        """Note the parameters of an optimizer. The first optimizer says what the parameters are."""
        if not self.optimized:
            self.parameters.clear()
        self.optimized = True
        for parameter in parameters:
            if not among(parameter, self.started):
                self.begin(parameter)
            if not among(parameter, self.parameters):
                self.parameters.append(parameter)

    def after_backward(self, leaves: dict[str, Any]) -> None:
        """Note the gradients of the parameters, and of these leaves if no optimizer was told what they are."""
        self.passes += 1
        self.arrays["passes"] = np.array(self.passes)
        named = dict(enumerate_names(self.parameters))
        if not self.optimized:
            named |= {k: leaf for k, leaf in leaves.items() if not among(leaf, self.parameters)}
        for name, tensor in named.items():
            if getattr(tensor, "grad", None) is not None:
                self.arrays[f"pass {self.passes}: {name}.grad"] = np.array(tensor.grad.numpy())

    def write(self) -> None:
        """Write the arrays to OUT.npz, and what the parameters began with to START.npz, if nobody has."""
        np.savez(self.out, **self.arrays)
        if not self.given:
            np.savez(self.start, **self.first)


def among(tensor: Any, others: list[Any]) -> bool:
    """Whether a tensor is one of these; ``in`` would compare numbers."""
    return any(tensor is other for other in others)


def enumerate_names(parameters: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield a name for each parameter, the same on both engines."""
    for number, parameter in enumerate(parameters):
        yield f"parameter {number} {list(parameter.shape)}", parameter


def around(owner: Any, name: str, wrap: Callable[..., Any]) -> None:
    """Put `wrap(function, *args, **options)` in the place of a function."""
    function = getattr(owner, name)

    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        return wrap(function, *args, **options)

    setattr(owner, name, wrapped)


def watch(paddle: Any, notes: Notes) -> None:
    """Wrap the functions of Paddle that a script calls, so that they are noted."""
    watch_parameters(paddle, notes)
    watch_optimizers(paddle, notes)
    watch_backward(paddle, notes)
    watch_programs(paddle, notes)


def watch_parameters(paddle: Any, notes: Notes) -> None:
    """Let parameters that layers make in eager mode begin with the numbers of the other run."""

    def created(create: Any, *args: Any, **options: Any) -> Any:
        parameter = create(*args, **options)
        if parameter is not None and paddle.in_dynamic_mode():
            notes.begin(parameter)
            if not notes.optimized:
                notes.parameters.append(parameter)
        return parameter

    around(paddle.nn.Layer, "create_parameter", created)
    around(paddle, "create_parameter", created)


def watch_optimizers(paddle: Any, notes: Notes) -> None:
    """Note the parameters of optimizers. All classes are wrapped: AdamW does not call ``Optimizer.__init__``."""
    making: list[Any] = []

    def made(make: Any, self: Any, *args: Any, **options: Any) -> None:
        bound = inspect.signature(make).bind(self, *args, **options).arguments
        outermost = not among(self, making)
        given = bound.get("parameters")
        if outermost and given is not None and "parameters" in options:
            options["parameters"] = given = list(given)
        making.append(self)
        try:
            make(self, *args, **options)
        finally:
            making.pop()
        if outermost and paddle.in_dynamic_mode():
            notes.take(flat(given))

    base = paddle.optimizer.Optimizer
    classes = (
        one for one in vars(paddle.optimizer).values() if isinstance(one, type) and issubclass(one, base)
    )
    for one in dict.fromkeys([base, *classes]):
        if "__init__" in vars(one):
            around(one, "__init__", made)


def flat(parameters: Any) -> Iterator[Any]:
    """Yield the parameters of an optimizer, of all groups."""
    for one in parameters or []:
        group = one["params"] if isinstance(one, dict) else one
        yield from group if isinstance(group, list | tuple) else [group]


def watch_backward(paddle: Any, notes: Notes) -> None:
    """Note what eager backward leaves behind."""

    def walked(backward: Any, self: Any, *args: Any, **options: Any) -> Any:
        frame = sys._getframe(2)
        result = backward(self, *args, **options)
        named = {**frame.f_globals, **frame.f_locals}
        leaves = {name: value for name, value in named.items() if isinstance(value, paddle.Tensor)}
        notes.after_backward(
            {name: leaf for name, leaf in leaves.items() if leaf.is_leaf and not leaf.stop_gradient}
        )
        return result

    around(paddle.Tensor, "backward", walked)


def watch_programs(paddle: Any, notes: Notes) -> None:
    """Note what runs of Programs fetch, and the gradients of the parameters, whether they are fetched or not."""

    def pairs_made(make: Any, *args: Any, **options: Any) -> Any:
        result = make(*args, **options)
        if not paddle.in_dynamic_mode():
            pairs = result[1] if isinstance(result, tuple) else result
            home = paddle.static.default_main_program()
            for parameter, gradient in (pair[:2] for pair in pairs if pair[1] is not None):
                replaced = [new for old, new in notes.decayed if old is gradient]
                notes.gradients.append((parameter.name, [gradient, *replaced][-1], home))
        return result

    def decayed(make: Any, self: Any, parameter: Any, gradient: Any, *args: Any, **options: Any) -> Any:
        """In Paddle 3 what weight decay makes of a gradient is another value; before, it had the same name."""
        result = make(self, parameter, gradient, *args, **options)
        notes.decayed.append((gradient, result))
        return result

    def ran(run: Any, self: Any, *args: Any, **options: Any) -> Any:
        bound = inspect.signature(run).bind(self, *args, **options)
        told = bound.arguments
        program = told.get("program") or paddle.static.default_main_program()
        program = getattr(program, "_program", None) or program
        scope = told.get("scope") or paddle.static.global_scope()
        begin_program(paddle, notes, program, scope)
        asked = told.get("fetch_list") or []
        asked = list(asked) if isinstance(asked, list | tuple) else [asked]
        gradients = {name: grad for name, grad, home in notes.gradients if has(program, grad, home)}
        told["fetch_list"] = [*asked, *gradients.values()] or None
        result = run(*bound.args, **bound.kwargs)
        notes.runs += 1
        for number, array in enumerate((result or [])[: len(asked)]):
            notes.arrays[f"run {notes.runs}: fetched {number}"] = np.array(array)
        for name, array in zip(gradients, (result or [])[len(asked) :]):
            notes.arrays[f"run {notes.runs}: {name}.grad"] = np.array(array)
        return result[: len(asked)] if gradients else result

    around(paddle.static, "append_backward", pairs_made)
    around(paddle.optimizer.Optimizer, "backward", pairs_made)
    around(paddle.optimizer.Optimizer, "minimize", pairs_made)
    if hasattr(paddle.optimizer.Optimizer, "_create_regularization_of_grad"):
        around(paddle.optimizer.Optimizer, "_create_regularization_of_grad", decayed)
    around(paddle.static.Executor, "run", ran)


def begin_program(paddle: Any, notes: Notes, program: Any, scope: Any) -> None:
    """Give the parameters of a Program the numbers that they had in the other run, once, before it first reads them."""
    for parameter in program.global_block().all_parameters():
        held = scope.find_var(parameter.name)
        if parameter.name in notes.first or held is None or not held.get_tensor()._is_initialized():
            continue
        tensor = held.get_tensor()
        tensor.set(notes.start_of(parameter.name, np.array(tensor)), paddle.CPUPlace())


def has(program: Any, gradient: Any, home: Any) -> bool:
    """Whether a gradient can be fetched from a Program; those of Paddle 3 have no names, and belong to one Program."""
    try:
        return bool(program.global_block().has_var(gradient.name))
    except (AttributeError, ValueError):
        return bool(program == home)


def main() -> None:
    """Run the script of the command line."""
    engine, start, out, script = sys.argv[1:5]
    if engine == "minipaddle":
        sys.path[0] = str(Path(__file__).resolve().parents[4])
        from minipaddle.tools.run.importer import install

        install()
    else:
        sys.path.pop(0)
    paddle = importlib.import_module("paddle")

    notes = Notes(start, out)
    watch(paddle, notes)
    random.seed(0)
    np.random.seed(0)
    sys.argv = [script]
    module, colon, function = script.partition(":")
    if colon and not os.path.exists(script):
        sys.path.insert(0, os.getcwd())
        operator.attrgetter(function)(importlib.import_module(module))()
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
        runpy.run_path(script, run_name="__main__")
    notes.write()


if __name__ == "__main__":
    main()
