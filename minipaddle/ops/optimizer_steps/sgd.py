"""Update operators: one step of an optimizer for one parameter; at the end, the parts of gradient clipping.

The documented exception to "kernels never write to their inputs": in Paddle `ParamOut` *is* `Param`, and
`MomentOut` is `Moment`. So these kernels write to their inputs and return them. An input that is
written has an output slot of its name plus ``Out``; ``Operator.updates`` lists them, and
:meth:`Mode.apply_inplace` gives them memory of their own.

Large arrays are updated piece by piece (:func:`in_pieces`), so that the temporaries of a step stay in the
cache however large the parameter is, and are small enough for the C library to keep their memory. Adam and its
relatives are in ``ops/optimizer_steps/adam.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minipaddle.ops.definition import Array, Meta, Value, invalid, operator, tried_with
from minipaddle.ops.math.exponential import sqrt
from minipaddle.ops.math.maximum_minimum import maximum
from minipaddle.ops.math.rounding import sign
from minipaddle.ops.reduction.sum import reduce_sum

PIECE = 1 << 16
"""Elements of one piece: the best power of two on 784 x 256 (adam takes 588 us whole, 455 so, 560 with 1 << 14)."""


def other_shape(parameter: Array, array: Array) -> ValueError:
    """Return the error for a gradient, or a state, of another shape."""
    return invalid(
        "The gradient and the state of an optimizer must have the shape of the parameter, "
        f"{list(parameter.shape)}, but received {list(array.shape)}."
    )


def in_pieces(rule: Callable[..., None], *arrays: Array) -> None:
    """Call ``rule(*pieces)`` for matching flat pieces of `arrays`, all of one shape; `rule` writes in place.

    Arrays that are not contiguous are passed whole: flattening them would copy, and lose the writes.
    """
    size = arrays[0].size
    for array in arrays:
        if array.shape != arrays[0].shape:  # NumPy would broadcast a smaller one
            raise other_shape(arrays[0], array)
    if size <= PIECE or not all(array.flags.c_contiguous for array in arrays):
        rule(*arrays)
        return
    flat = [array.reshape(-1) for array in arrays]
    for start in range(0, size, PIECE):
        rule(*[array[start : start + PIECE] for array in flat])


P, ONE = (2, 3), (1,)
"""Example shapes: of a parameter, and of a single number."""


def written(*positions: int) -> Callable[..., tuple[Meta, ...]]:
    """Shape rule: each output looks like the input that it overwrites."""
    return lambda *metas, **attrs: tuple(metas[position] for position in positions)


@tried_with(P, P)
@operator("overwrite", name="set_value", infer=lambda param, value: param, writes=("param",))
def overwrite(param: Array, value: Array) -> Array:
    """Overwrite the numbers of `param` by `value`."""
    np.copyto(param, value)
    return param


@tried_with(P, P, ONE)
@operator("sgd", writes=("param",))
def sgd(param: Array, grad: Array, learning_rate: Array) -> Array:
    """Walk downhill: subtract the gradient times the learning rate."""
    rate = learning_rate.item()

    def step(p: Array, g: Array) -> None:
        p -= rate * g

    in_pieces(step, param, grad)
    return param


@tried_with(P, P, P, ONE)
@operator("momentum", infer=written(0, 2), writes=("param", "velocity"))
def momentum(
    param: Array,
    grad: Array,
    velocity: Array,
    learning_rate: Array,
    *,
    mu: float = 0.9,
    use_nesterov: bool = False,
    rescale_grad: float = 1.0,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
) -> tuple[Array, ...]:
    """Roll downhill: the velocity remembers `mu` of itself; Nesterov looks one step ahead.

    With the method "l2_decay" the coefficient times the parameter is added to the gradient first.
    """
    rate = learning_rate.item()
    decays = regularization_method == "l2_decay"

    def step(p: Array, g: Array, v: Array) -> None:
        g = g if rescale_grad == 1 else g * rescale_grad
        g = g + regularization_coeff * p if decays else g
        v *= mu
        v += g
        p -= rate * (g + mu * v if use_nesterov else v)

    in_pieces(step, param, grad, velocity)
    return param, velocity


@tried_with(P, P, P, ONE)
@operator("adagrad", infer=written(0, 2), writes=("param", "moment"))
def adagrad(
    param: Array, grad: Array, moment: Array, learning_rate: Array, *, epsilon: float = 1e-6
) -> tuple[Array, ...]:
    """Slow down where the gradients so far were large."""
    rate = learning_rate.item()

    def step(p: Array, g: Array, s: Array) -> None:
        s += g * g
        p -= rate * g / (np.sqrt(s) + epsilon)

    in_pieces(step, param, grad, moment)
    return param, moment


@tried_with(
    lambda rng: ([rng.uniform(0.2, 0.5, one) + (at == 3) for at, one in enumerate((*[P] * 5, ONE))], {})
)
@operator("rmsprop", infer=written(0, 2, 3, 4), writes=("param", "moment", "mean_square", "mean_grad"))
def rmsprop(
    param: Array,
    grad: Array,
    moment: Array,
    mean_square: Array,
    mean_grad: Array,
    learning_rate: Array,
    *,
    epsilon: float = 1e-6,
    decay: float = 0.95,
    momentum: float = 0.0,
    centered: bool = False,
) -> tuple[Array, ...]:
    """Divide by the root of a running mean square; `centered` takes the square of the running mean off it."""
    rate = learning_rate.item()

    def step(p: Array, g: Array, r: Array, a: Array, v: Array) -> None:
        r *= decay
        r += (1 - decay) * (g * g)
        spread = r + epsilon
        if centered:
            a *= decay
            a += (1 - decay) * g
            spread -= a * a
        v *= momentum
        v += rate * g / np.sqrt(spread)
        p -= v

    in_pieces(step, param, grad, mean_square, mean_grad, moment)
    return param, moment, mean_square, mean_grad


@tried_with(P, P, P, P, ONE)
@operator("adadelta", infer=written(0, 2, 3), writes=("param", "avg_squared_grad", "avg_squared_update"))
def adadelta(
    param: Array,
    grad: Array,
    avg_squared_grad: Array,
    avg_squared_update: Array,
    learning_rate: Array,
    *,
    rho: float = 0.95,
    epsilon: float = 1e-6,
) -> tuple[Array, ...]:
    """Measure the step in units of the steps so far (arXiv 1212.5701)."""
    rate = learning_rate.item()

    def step(p: Array, g: Array, s: Array, u: Array) -> None:
        s *= rho
        s += (1 - rho) * (g * g)
        move = np.sqrt((u + epsilon) / (s + epsilon)) * g
        u *= rho
        u += (1 - rho) * (move * move)
        p -= rate * move

    in_pieces(step, param, grad, avg_squared_grad, avg_squared_update)
    return param, avg_squared_grad, avg_squared_update


@operator("squared_l2_norm", kinds="biuf", infer=lambda x: Meta((1,), x.dtype))
def squared_l2_norm(x: Array) -> Array:
    """Add up the squares of all elements, as a tensor [1]."""
    return np.add.reduce((x * x).reshape(-1), keepdims=True)


squared_l2_norm.gradient("x")(lambda dy, x: dy * (2 * x))


@tried_with((2, 3), max_norm=0.5)
@operator("clip_by_norm", kinds="biuf")
def clip_by_norm(x: Array, *, max_norm: float) -> Array:
    """Scale `x` down to the norm `max_norm` if longer."""
    norm = np.sqrt(np.add.reduce((x * x).reshape(-1)))
    return x * (max_norm / norm) if norm > max_norm else x.copy()


@clip_by_norm.gradient("x", program=True)
def _(dy: Value, x: Value, max_norm: float) -> Value:
    length = maximum(sqrt(reduce_sum(x * x)), reduce_sum(x * 0) + max_norm)
    clipped = sign(length - max_norm)
    along = clipped * reduce_sum(dy * x) / (length * length)
    return (dy - x * along) * (max_norm / length)
