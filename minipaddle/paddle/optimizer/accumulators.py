"""The state that an optimizer keeps between steps: one tensor per accumulator and parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Array
from minipaddle.ops.optimizer_steps.sgd import overwrite


class Accumulator(NamedTuple):
    """A piece of state that an algorithm keeps for each parameter."""

    name: str
    start: float | str = 0.0  # a number, or the name of an argument of the algorithm
    single: bool = False  # one number, not one per element
    dtype: str | None = None  # None: the dtype of the parameter
    rows: int | None = None  # how many times the parameter's shape; None: that shape itself

    def shape_for(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of the accumulator of a parameter that has this `shape`."""
        if self.single:
            return (1,)
        return tuple(shape) if self.rows is None else (self.rows, *shape)


class State:
    """Accumulators by kind (``moment1``) and parameter, and a loaded state for parameters to come."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Tensor]] = {}
        self._waiting: dict[str, Any] = {}
        self._rates: dict[tuple[float, Any, str], Tensor] = {}
        self.masters: dict[str, Tensor] = {}
        """The float32 master weights of 16-bit parameters, by the parameters' names."""
        self._saved_masters: dict[str, Any] = {}

    def rate(self, optimizer: Any, parameter: Tensor, share: float) -> Tensor:
        """Return the learning rate of one parameter in the operator's form: a Tensor [1], named if it is to change."""
        key = optimizer.get_lr() * share, parameter.array.dtype, optimizer.rate_source
        if key not in self._rates:
            if len(self._rates) > 64:  # a schedule leaves a new value at every step
                self._rates.clear()
            found = Tensor(np.array([key[0]], "float64" if key[1] == np.float64 else "float32"))
            found._name = f"learning_rate ({key[2]})" if key[2] else None
            self._rates[key] = found
        return self._rates[key]

    def master(self, parameter: Tensor) -> Tensor:
        """Return the float32 master weight of a parameter, which starts with its value and takes its steps."""
        found = self.masters.get(parameter.name)
        if found is None:
            start = self._saved_masters.get(parameter.name, parameter)
            found = Tensor(np.array(start.array, np.float32))
            found.name, found.persistable = f"{parameter.name}_fp32_master_0", True
            vars(found)["optimize_attr"] = getattr(parameter, "optimize_attr", {})
            self.masters[parameter.name] = found
        return found

    def round(self, master: Tensor, parameter: Tensor) -> None:
        """Round the master weight into the parameter."""
        current.get().apply_inplace(overwrite, (parameter, master.astype(parameter.dtype)), {})

    def decayed(self, pairs: Sequence[Any], decay: Callable[[Any, Any], Any]) -> Iterable[tuple[Any, Any]]:
        """Yield the pairs of parameter and gradient with ``decay(parameter, gradient)``, one at a time."""
        for parameter, grad in pairs:
            yield parameter, decay(parameter, grad)

    def accumulator(self, one: Accumulator, parameter: Tensor, start: float) -> Tensor:
        """Return an accumulator; a new one starts from the loaded state, or else from `start`.

        Raises:
            AssertionError: if a state was loaded that lacks it.
        """
        of_kind = self._found.get(one.name)
        found = None if of_kind is None else of_kind.get(parameter.name)
        if found is None:
            shape, dtype = one.shape_for(parameter.array.shape), one.dtype or parameter.array.dtype
            found = self._added(one.name, parameter, np.full(shape, start, as_numpy(dtype)))
        return found

    def _added(self, kind: str, parameter: Tensor, start: Array) -> Tensor:
        made = Tensor(start)
        made.name = f"{parameter.name}_{kind}_0"
        made.persistable = True
        self._found.setdefault(kind, {})[parameter.name] = made
        if self._waiting:
            made.set_value(self._saved(made.name, self._waiting))
        return made

    def named(self) -> dict[str, Any]:
        """Return all accumulators by name; loaded ones that were never used are among them."""
        if not self._found and not self.masters:
            return dict(self._waiting)
        found: dict[str, Any] = {
            tensor.name: tensor for of_kind in self._found.values() for tensor in of_kind.values()
        }
        return found | ({"master_weights": dict(self.masters)} if self.masters else {})

    def load(self, saved: dict[str, Any]) -> None:
        """Fill the existing accumulators; keep other values until their accumulators exist."""
        self._saved_masters = saved.pop("master_weights", {})
        self.masters.clear()
        self._waiting = saved
        for of_kind in self._found.values():
            for tensor in of_kind.values():
                tensor.set_value(self._saved(tensor.name, saved))

    def _saved(self, name: str, saved: dict[str, Any]) -> Array:
        """Return the value for `name`. Its last number counts optimizers, as in Paddle: any number matches."""
        stem = name.rstrip("0123456789")
        key = (
            name if name in saved else next((key for key in saved if key.rstrip("0123456789") == stem), None)
        )
        assert key is not None, f"optimizer Tensor {name} not found in the state dict"
        value = saved[key]
        return value.array if isinstance(value, Tensor) else np.asarray(value)
