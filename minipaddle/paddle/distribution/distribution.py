"""What distributions share: shapes, parameters given as numbers or tensors, and what follows from one of the others."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from minipaddle.engine.autograd.grad import grad
from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.full import full
from minipaddle.ops.reduction.broadcast import broadcast_to

_FLOATS = ("float32", "float64")


class Distribution:
    """A distribution over numbers or, with an event shape, over vectors; `batch_shape` counts independent ones.

    A subclass says what it can: :meth:`rsample` and :meth:`log_prob` first of all.
    """

    def __init__(self, batch_shape: Any = (), event_shape: Any = ()) -> None:
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """How many independent distributions this is, in which shape."""
        return self._batch_shape

    @property
    def event_shape(self) -> tuple[int, ...]:
        """Shape of one draw of one of them."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        """The mean."""
        raise NotImplementedError(f"{type(self).__name__}.mean")

    @property
    def variance(self) -> Any:
        """The variance."""
        raise NotImplementedError(f"{type(self).__name__}.variance")

    def sample(self, shape: Any = ()) -> Any:
        """Draw, without a gradient: `shape` + batch shape + event shape."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach the parameters."""
        raise NotImplementedError(f"{type(self).__name__}.rsample")

    def entropy(self) -> Any:
        """Return the entropy, in nats."""
        raise NotImplementedError(f"{type(self).__name__}.entropy")

    def kl_divergence(self, other: Any) -> Any:
        """Return how far this is from `other`: the mean of the difference of their logarithmic densities."""
        raise NotImplementedError(f"{type(self).__name__}.kl_divergence")

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density, or of the probability, at `value`."""
        raise NotImplementedError(f"{type(self).__name__}.log_prob")

    def prob(self, value: Any) -> Any:
        """Return the density, or the probability, at `value`."""
        return self.log_prob(value).exp()

    def probs(self, value: Any) -> Any:
        """Return the density, or the probability, at `value`."""
        return self.prob(value)

    def extended(self, shape: Any) -> tuple[int, ...]:
        """Return the shape of draws of this `shape`.

        Raises:
            TypeError: **must be Iterable**.
        """
        if not isinstance(shape, Iterable):
            raise failure(TypeError, "sample shape must be Iterable object.")
        return (*(int(size) for size in shape), *self._batch_shape, *self._event_shape)


class ExponentialFamily(Distribution):
    """A distribution whose entropy follows from its log normalizer, a function of its natural parameters.

    A subclass says ``_natural_parameters``, a tuple; ``_log_normalizer``, of these; ``_mean_carrier_measure``.
    """

    _natural_parameters: Any
    _mean_carrier_measure: Any = 0

    def _log_normalizer(self, *parameters: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._log_normalizer")

    def entropy(self) -> Any:
        """Return the entropy: the log normalizer, less its gradient times the parameters."""
        parameters = [parameter.detach() for parameter in self._natural_parameters]
        for parameter in parameters:
            parameter.stop_gradient = False
        normalizer = self._log_normalizer(*parameters)
        found = normalizer - self._mean_carrier_measure
        for parameter, slope in zip(
            parameters, grad(normalizer.sum(), parameters, create_graph=True), strict=True
        ):
            found = found - parameter * slope
        return found


# -- parameters ---------------------------------------------------------------------------------------------------


def parameters(*given: Any) -> tuple[Any, ...]:
    """Return parameters as tensors: those that are as they are; numbers, lists and arrays as float32 of one shape.

    Raises:
        ValueError: **all arguments should be Tensor**, if some are.
        TypeError: **Type of input args must be**.
    """
    values = [isinstance(one, Value) for one in given]
    if all(values):
        return given
    if any(values):
        raise failure(ValueError, "if one argument is Tensor, all arguments should be Tensor")
    arrays = []
    for one in given:
        if not isinstance(one, (float, list, tuple, np.ndarray)):
            raise failure(
                TypeError,
                "Type of input args must be float, list, tuple, numpy.ndarray or Tensor, but received type "
                f"{type(one)}",
            )
        array = np.asarray(one)
        if array.dtype.name not in _FLOATS:
            warnings.warn(
                "data type of argument only support float32 and float64, your argument will be convert to float32.",
                stacklevel=3,
            )
        arrays.append(array.astype("float32"))
    return tuple(constant(np.array(one)) for one in np.broadcast_arrays(*arrays))


def real_or_tensor(name: str, given: Any) -> Any:
    """Return a parameter that is a number or a tensor as a tensor.

    Raises:
        TypeError: **Expected type of**, for anything else.
    """
    if isinstance(given, Value):
        return given
    if not isinstance(given, numbers.Real):
        raise failure(TypeError, f"Expected type of {name} is Real|Variable, but got {type(given)}")
    return full([], float(given), default_float())


def together(*values: Any) -> list[Any]:
    """Return values that are broadcast to one shape."""
    shapes: list[tuple[int, ...]] = [tuple(value.shape) for value in values]
    shape = [*reduce(broadcast_shapes, shapes)]
    return [value if list(value.shape) == shape else broadcast_to(value, shape) for value in values]


def like(parameter: Any, value: Any) -> Any:
    """Return a float `value` in the type of the parameters, with a warning if it has another."""
    if value.dtype == parameter.dtype or value.dtype.name not in _FLOATS:
        return value
    warnings.warn(
        "dtype of input 'value' needs to be the same as parameters of distribution class. dtype of 'value' will be "
        "converted.",
        stacklevel=3,
    )
    return value.astype(parameter.dtype)


def sum_rightmost(value: Any, count: int) -> Any:
    """Return the sum over the last `count` axes."""
    return value.sum(list(range(-count, 0))) if count > 0 else value


def same_kind(this: Any, other: Any) -> None:
    """Raise unless both are distributions of one class.

    Raises:
        TypeError: **Expected type of other**.
    """
    if not isinstance(other, type(this)):
        raise failure(TypeError, f"Expected type of other is {type(this).__name__}, but got {type(other)}")
