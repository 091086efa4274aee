"""StaticFunction: an eager function that runs as a Program, one for each kind of arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import meta_of
from minipaddle.paddle.framework.static_mode import in_dynamic_mode
from minipaddle.paddle.jit.dy2static.expressions import call
from minipaddle.paddle.jit.dy2static.state import explained
from minipaddle.paddle.jit.program_function import ConcreteProgram, trace
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.static.program import InputSpec, Program
from minipaddle.paddle.static.pytree import flat, rebuilt


class StaticFunction:
    """The result of ``to_static``: call it like the function.

    Args:
        function: of Tensors; other arguments select the Program.
        input_spec: one InputSpec (or pytree of them) for each argument that is a Tensor.
    """

    def __init__(self, function: Callable[..., Any], input_spec: Any = None) -> None:
        functools.update_wrapper(self, function)
        self.function, self.input_spec = function, input_spec
        holder = getattr(function, "__self__", None)
        self.layer = holder if isinstance(holder, Layer) else None
        self.programs: dict[Any, ConcreteProgram] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind like a method: each object has its own Programs."""
        if instance is None:
            return self
        bound = StaticFunction(self.function.__get__(instance, owner), self.input_spec)
        instance.__dict__[self.function.__name__] = bound
        return bound

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Program for this kind of arguments, traced on first use."""
        if not in_dynamic_mode():
            with explained():
                return call(self.function)(*args, **kwargs)
        given = rebuilt(
            (args, kwargs), lambda leaf: Tensor(leaf.copy()) if isinstance(leaf, np.ndarray) else leaf
        )
        tensors = [leaf for leaf in flat(given) if isinstance(leaf, Tensor)]
        return self.get_concrete_program(*given[0], **given[1])(tensors)

    # -- Programs -------------------------------------------------------------------------------------------------

    def get_concrete_program(self, *args: Any, **kwargs: Any) -> ConcreteProgram:
        """Return the ConcreteProgram for these arguments (Tensors or InputSpecs), traced if necessary."""
        specs = self._specs(args, kwargs)
        layers = () if self.layer is None else self.layer.sublayers(include_self=True)
        training = tuple([layer.training for layer in layers])
        key = str(rebuilt(specs, lambda leaf: None)), tuple(map(_kind, flat(specs))), training
        if key not in self.programs:
            name = getattr(self.function, "__qualname__", "forward").rpartition("<locals>.")[2]
            with explained():
                self.programs[key] = trace(call(self.function), specs, name)
        return self.programs[key]

    def _specs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return the arguments with an InputSpec for each Tensor: the declared ones if they fit."""
        names = list(inspect.signature(self.function).parameters)
        names += [f"arg_{place}" for place in range(len(names), len(args))]
        declared = iter(flat(self.input_spec) if self.input_spec is not None else ())

        def spec(name: str, value: Any) -> Any:
            if not isinstance(value, (Tensor, InputSpec)):
                return value
            given = next(declared, None)
            return _spec_of(value, name, given if isinstance(given, InputSpec) else None)

        found = [rebuilt(value, functools.partial(spec, name)) for name, value in zip(names, args)]
        return tuple(found), {name: rebuilt(kwargs[name], functools.partial(spec, name)) for name in kwargs}

    # -- what users ask -------------------------------------------------------------------------------------------

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The last Program that was traced; by `input_spec` if there is none yet.

        Raises:
            ValueError: if there is neither.
        """
        if self.programs:
            return list(self.programs.values())[-1]
        if self.input_spec is None:
            raise ValueError(
                f"No valid transformed program for {getattr(self, '__name__', 'the function')}. "
                "Specify input_spec in to_static, or call it once with Tensors."
            )
        return self.get_concrete_program(*self.input_spec)

    @property
    def main_program(self) -> Program:
        """The Program of :attr:`concrete_program`."""
        return self.concrete_program.main_program

    @property
    def code(self) -> str:
        """The source that is traced: the function with its control flow rewritten, or the original."""
        return str(getattr(call(self.function), "source", "") or inspect.getsource(self.function))


def _spec_of(value: Any, name: str, declared: InputSpec | None) -> InputSpec:
    """Return the InputSpec for a value: the declared one, if the value fits it."""
    spec = value
    if isinstance(value, Tensor):
        meta = meta_of(value.array)
        spec = InputSpec(meta.shape, meta.dtype, None, value.stop_gradient)
    if declared is not None and not (
        declared.meta.fits(spec.meta) and declared.meta.dtype == spec.meta.dtype
    ):
        raise ValueError(
            f"The argument {name!r} must fit {declared}, but received shape {spec.shape} and dtype {spec.dtype}."
        )
    given = spec if declared is None else declared
    return InputSpec(given.shape, given.dtype, given.name or name, spec.stop_gradient)


def _kind(leaf: Any) -> Any:
    """Return the key of a leaf: arguments with equal keys run the same Program."""
    if isinstance(leaf, InputSpec):
        return leaf.meta, leaf.name, leaf.stop_gradient
    return (type(leaf), leaf) if isinstance(leaf, Hashable) else id(leaf)
