"""Runs a script and writes down its gradients: a program of its own, for minipaddle and for the real Paddle alike.

    python twin_driver.py ENGINE START.npz OUT.npz SCRIPT|MODULE:FUNCTION

The parameters that an optimizer is given first are written to START.npz, or read from it if it is there: so both
engines begin with the same numbers. After every backward the gradients of the parameters are noted, or of the leaves
among the script's variables where there is no optimizer; of every ``Executor.run``, what was fetched.
"""

import importlib
import operator
import os
import runpy
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np


class Notes:
    """What is written down."""

    def __init__(self, start: str, out: str) -> None:
        self.start, self.out = start, out
        self.arrays: dict[str, Any] = {}
        self.given: dict[str, Any] = dict(np.load(start)) if os.path.exists(start) else {}
        self.first: dict[str, Any] = {}
        self.parameters: list[Any] = []

    def take(self, parameters: Any) -> None:
        """Note the parameters of an optimizer; give them the numbers that they had in the other run."""
        groups = [one["params"] if isinstance(one, dict) else [one] for one in parameters or []]
        for parameter in (one for group in groups for one in group):
            name = f"p{len(self.parameters)}"
            self.parameters.append(parameter)
            if name in self.given:
                parameter.set_value(self.given[name])
            self.first[name] = np.array(parameter.numpy())

    def after_backward(self, leaves: dict[str, Any]) -> None:
        """Note the gradients of the parameters, or of these leaves."""
        pass_number = self.arrays.setdefault("passes", np.zeros((), "int64"))
        self.arrays["passes"] = pass_number + 1
        named = dict(enumerate_names(self.parameters)) if self.parameters else leaves
        for name, tensor in named.items():
            if getattr(tensor, "grad", None) is not None:
                self.arrays[f"pass {int(pass_number) + 1}: {name}.grad"] = np.array(tensor.grad.numpy())

    def write(self) -> None:
        """Write all of it."""
        np.savez(self.out, **self.arrays)
        if not self.given:
            np.savez(self.start, **self.first)


def enumerate_names(parameters: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield a name for each parameter, the same on both engines."""
    for number, parameter in enumerate(parameters):
        yield f"parameter {number} {list(parameter.shape)}", parameter


def watch(paddle: Any, notes: Notes) -> None:
    """Put the notes around what a script calls."""
    optimizer = paddle.optimizer.Optimizer
    make, backward = optimizer.__init__, paddle.Tensor.backward

    def made(self: Any, *args: Any, **options: Any) -> None:
        make(self, *args, **options)
        if paddle.in_dynamic_mode():
            notes.take(options.get("parameters", args[1] if len(args) > 1 else None))

    def walked(self: Any, *args: Any, **options: Any) -> Any:
        frame = sys._getframe(1)
        result = backward(self, *args, **options)
        leaves = {
            k: v for k, v in {**frame.f_globals, **frame.f_locals}.items() if isinstance(v, paddle.Tensor)
        }
        notes.after_backward(
            {name: leaf for name, leaf in leaves.items() if leaf.is_leaf and not leaf.stop_gradient}
        )
        return result

    optimizer.__init__ = made
    paddle.Tensor.backward = walked
    executor = paddle.static.Executor
    run = executor.run
    count = [0]

    def ran(self: Any, *args: Any, **options: Any) -> Any:
        result = run(self, *args, **options)
        count[0] += 1
        for number, array in enumerate(result or []):
            notes.arrays[f"run {count[0]}: fetched {number}"] = np.asarray(array)
        return result

    executor.run = ran


def main() -> None:
    """Run the script of the command line."""
    engine, start, out, script = sys.argv[1:5]
    if engine == "minipaddle":
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        from minipaddle.compat.importer import install

        install()
    else:
        sys.path.pop(0)
    paddle = importlib.import_module("paddle")

    notes = Notes(start, out)
    watch(paddle, notes)
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
