"""What distributions share: shapes, parameters given as numbers or tensors, and what follows from each other."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.definition.infer_meta import broadcast_shapes
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


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return how far `p` is from `q`: the mean, over `p`, of the difference of their logarithmic densities.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/kl_divergence_en.html)

    Raises:
        NotImplementedError: if there is no formula for these two.
    """
    method = type(p).kl_divergence
    if method is type(q).kl_divergence and method is not Distribution.kl_divergence:
        return p.kl_divergence(q)
    raise failure(
        NotImplementedError,
        f"There is no formula for the divergence of {type(p).__name__} from {type(q).__name__}.",
    )


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
        if not isinstance(one, (float, list, tuple, np.ndarray)) or np.iscomplexobj(one):
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


def pair(*given: Any) -> tuple[Any, ...]:
    """Return two parameters as tensors: floats, integers and lists as float32, an array of floats in its type.

    Raises:
        ValueError: **all arguments should be Tensor**, if one is.
        TypeError: **Type of input args must be**.
    """
    if all(isinstance(one, Value) for one in given):
        return given
    given = tuple(float(one) if isinstance(one, int) else one for one in given)
    typed = [one.dtype.name for one in given if isinstance(one, np.ndarray) and one.dtype.kind == "f"]
    return tuple(one.astype((*typed, "float32")[0]) for one in parameters(*given))
