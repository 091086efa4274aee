"""The base of distributions: shapes, parameters from numbers or tensors; also Normal and Uniform."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.math.exponential import exp, log
from minipaddle.ops.random.sample import gaussian, uniform
from minipaddle.ops.random.sample import normal as draw_normal
from minipaddle.ops.reduction.sum import broadcast_to

_FLOATS = ("float32", "float64")


class Distribution:
    """A distribution over numbers or, with an event shape, over vectors; `batch_shape` counts independent ones.

    A subclass defines its methods: :meth:`rsample` and :meth:`log_prob` first of all. Its parameters are numbers, lists
    and arrays, or all of them Tensors; a ValueError or a TypeError names one that is not.
    """

    def __init__(self, batch_shape: Any = (), event_shape: Any = ()) -> None:
        self.batch_shape = tuple(batch_shape)
        """The shape of the independent distributions."""
        self.event_shape = tuple(event_shape)
        """The shape of one draw from one of them."""

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
        """Return the divergence from `other`: the mean of the difference of the log densities."""
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
        return (*(int(size) for size in shape), *self.batch_shape, *self.event_shape)


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """Return the divergence of `p` from `q`: the mean, over `p`, of the difference of their log densities.

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
    """Return parameters as tensors: tensors unchanged; numbers, lists and arrays as float32 of one shape.

    Raises:
        ValueError: **all arguments should be Tensor**, if some are.
        TypeError: **Type of input args must be**.
    """
    values = [isinstance(one, Value) for one in given]
    if all(values):
        return given
    if any(values):
        raise invalid("if one argument is Tensor, all arguments should be Tensor")
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


class Normal(Distribution):
    """The normal distribution around `loc` with standard deviation `scale`."""

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name or "Normal"
        self.loc, self.scale = pair(loc, scale)
        self.dtype = self.loc.dtype.name
        super().__init__((self.loc + self.scale).shape)

    @property
    def mean(self) -> Any:
        """`loc`."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The square of `scale`."""
        return self.scale.pow(2)

    def sample(self, shape: Any = (), seed: int = 0) -> Any:
        """Draw; a nonzero `seed` is for this call alone."""
        drawn = gaussian(list(self.extended(shape)), 0.0, 1.0, seed, self.dtype)
        return drawn * self.scale + self.loc

    def rsample(self, shape: Any = ()) -> Any:
        """Draw so that gradients reach `loc` and `scale`."""
        return self.loc + draw_normal(0.0, 1.0, list(self.extended(shape))) * self.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        none = zeros(list(self.batch_shape), self.scale.dtype)
        return 0.5 + none + (0.5 * math.log(2 * math.pi) + log(self.scale + none))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        normalizer = log(self.scale) + math.log(math.sqrt(2.0 * math.pi))
        return -1.0 * (away * away) / (2.0 * variance) - normalizer

    def prob(self, value: Any) -> Any:
        """Return the density."""
        variance, away = self.scale * self.scale, like(self.loc, value) - self.loc
        return exp(-1.0 * (away * away) / (2.0 * variance)) / (math.sqrt(2 * math.pi) * self.scale)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from another normal distribution."""
        ratio = self.scale / other.scale
        ratio, away = ratio * ratio, (self.loc - other.loc) / other.scale
        return 0.5 * ratio + 0.5 * (away * away - 1.0 - log(ratio))


class Uniform(Distribution):
    """The distribution that has the same density everywhere between `low` and `high`."""

    def __init__(self, low: Any, high: Any, name: str | None = None) -> None:
        self.name = name or "Uniform"
        self.low, self.high = pair(low, high)
        self.dtype = self.low.dtype.name
        super().__init__((self.low + self.high).shape)

    def sample(self, shape: Any = (), seed: int = 0) -> Any:
        """Draw; a nonzero `seed` is for this call alone."""
        drawn = uniform(list(self.extended(shape)), self.dtype, 0.0, 1.0, seed)
        return drawn * (self.high - self.low) + self.low

    rsample = sample

    def _inside(self, value: Any) -> Any:
        """Return 1 for a value between both bounds, else 0."""
        return cast(self.low < value, value.dtype) * cast(value < self.high, value.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density: -inf outside."""
        value = like(self.low, value)
        return log(self._inside(value)) - log(self.high - self.low)

    def prob(self, value: Any) -> Any:
        """Return the density: 0 outside."""
        value = like(self.low, value)
        return self._inside(value) / (self.high - self.low)

    def entropy(self) -> Any:
        """Return the entropy."""
        return log(self.high - self.low)

    def kl_divergence(self, other: Any) -> Any:
        """Return the divergence from `other`: infinite unless `other` covers this interval."""
        covered = cast(other.low <= self.low, self.low.dtype) * cast(self.high <= other.high, self.low.dtype)
        return log((other.high - other.low) / (self.high - self.low)) - log(covered)
