"""``paddle.incubate.optimizer.functional``: BFGS and L-BFGS for a function of one tensor, in dynamic mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.autograd.grad import grad
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import guard_all
from minipaddle.engine.core.meta import Array
from minipaddle.paddle.optimizer.line_search import Place, lowest_between
from minipaddle.paddle.optimizer.optimizer import dynamic_only

_NEARLY_EQUAL, _FARTHEST = 1e-8, 10


def minimize_bfgs(
    objective_func: Callable[[Tensor], Tensor],
    initial_position: Tensor,
    max_iters: int = 50,
    tolerance_grad: float = 1e-7,
    tolerance_change: float = 1e-9,
    initial_inverse_hessian_estimate: Tensor | None = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """Return whether and where a function is least: converged, calls, position, value, gradient, inverse Hessian.

    (BFGS: Nocedal and Wright, Numerical Optimization, algorithm 6.1)

    Args:
        objective_func: from a tensor [n] to a number.
        initial_position: [n], where to start.
        max_iters: steps, at most.
        tolerance_grad: converged, when no element of the gradient is larger.
        tolerance_change: converged, when no element of the direction is larger.
        initial_inverse_hessian_estimate: [n, n], symmetric and positive definite; None: ones on the diagonal.
        line_search_fn: "strong_wolfe".
        max_line_search_iters: distances that are tried in one step, at most.
        initial_step_length: the first of them.
        dtype: "float32" or "float64", that of the position.
        name: not used.

    Raises:
        ValueError: **The dtype must be 'float32' or 'float64'**, the estimate **symmetric and positive definite**.
        NotImplementedError: **Currently only support line_search_fn = 'strong_wolfe'**.
    """
    search = _Search(objective_func, max_line_search_iters, initial_step_length, line_search_fn, dtype)
    inverse = _first_inverse(initial_inverse_hessian_estimate, initial_position, dtype)
    unit = np.eye(len(inverse), dtype=dtype)

    def direction(gradient: Array) -> Array:
        return -(inverse @ gradient)

    def learn(move: Array, change: Array, ro: Any) -> None:
        nonlocal inverse
        onto = unit - ro * np.outer(move, change)
        inverse = onto @ inverse @ onto.T + ro * np.outer(move, move)

    found = _minimize(search, initial_position, direction, learn, max_iters, tolerance_grad, tolerance_change)
    return (*found, Tensor(inverse))


def minimize_lbfgs(
    objective_func: Callable[[Tensor], Tensor],
    initial_position: Tensor,
    history_size: int = 100,
    max_iters: int = 50,
    tolerance_grad: float = 1e-8,
    tolerance_change: float = 1e-8,
    initial_inverse_hessian_estimate: Tensor | None = None,
    line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50,
    initial_step_length: float = 1.0,
    dtype: str = "float32",
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """Return whether and where a function is least: converged, calls, position, value, gradient.

    (L-BFGS, which remembers the last steps only: Nocedal and Wright, algorithm 7.5.)

    `history_size` says how many; the other arguments are those of :func:`minimize_bfgs`.

    Raises:
        ValueError: **The dtype must be 'float32' or 'float64'**, the estimate **symmetric and positive definite**.
        NotImplementedError: **Currently only support line_search_fn = 'strong_wolfe'**.
    """
    search = _Search(objective_func, max_line_search_iters, initial_step_length, line_search_fn, dtype)
    inverse = _first_inverse(initial_inverse_hessian_estimate, initial_position, dtype)
    history: list[tuple[Array, Array, Any]] = []

    def direction(gradient: Array) -> Array:
        shares = []
        for move, change, ro in reversed(history):
            shares.append(ro * np.dot(move, gradient))
            gradient = gradient - shares[-1] * change
        found = inverse @ gradient
        for (move, change, ro), share in zip(history, reversed(shares), strict=True):
            found = found + move * (share - ro * np.dot(change, found))
        return -found

    def learn(move: Array, change: Array, ro: Any) -> None:
        history.append((move, change, ro))
        del history[: max(len(history) - history_size + 1, 0)]  # Paddle's ring keeps one place free

    return _minimize(search, initial_position, direction, learn, max_iters, tolerance_grad, tolerance_change)


def _minimize(
    search: _Search,
    initial_position: Tensor,
    direction: Callable[[Array], Array],
    learn: Callable[[Array, Array, Any], None],
    max_iters: int,
    tolerance_grad: float,
    tolerance_change: float,
) -> tuple[Tensor, ...]:
    """Step until nothing changes: `direction` of a gradient, `learn` what a move did to the gradient."""
    position = initial_position.array.copy()
    value, gradient = search.evaluate(position)
    converged = False
    for _ in range(max_iters):
        step = direction(gradient)
        place = search.along(position, step)
        value = place.loss
        move, change = place.distance * step, place.grad - gradient
        product = np.dot(change, move)
        learn(move, change, 1000.0 if product == 0 else 1.0 / product)
        position, gradient = position + move, place.grad
        converged = bool(np.abs(gradient).max() < tolerance_grad or np.abs(step).max() < tolerance_change)
        if converged or place.distance == 0:
            break
    calls = np.array([search.calls], "int64")
    return tuple(map(Tensor, (np.array([converged]), calls, position, np.asarray(value), gradient)))


class _Search:
    """The function to minimize, its calls counted, and the line search on it (algorithms 3.5 and 3.6)."""

    def __init__(
        self, function: Callable[[Tensor], Tensor], tries: int, first: float, method: str, dtype: str
    ) -> None:
        dynamic_only("paddle.incubate.optimizer.functional.minimize")
        if dtype not in ("float32", "float64"):
            raise ValueError(f"The dtype must be 'float32' or 'float64', but the specified is {dtype}.")
        if method != "strong_wolfe":
            raise NotImplementedError(
                f"Currently only support line_search_fn = 'strong_wolfe', but the specified is '{method}'"
            )
        self._function = function
        self._tries = tries
        self._first = np.dtype(dtype).type(first)
        self.calls = 0

    def evaluate(self, position: Array) -> tuple[Array, Array]:
        """Return the value and the gradient."""
        self.calls += 1
        x = Tensor(position)
        x.stop_gradient = False
        value = self._function(x)
        (gradient,) = grad([value], [x])
        assert gradient is not None  # it is refused where there is none
        return value.array, gradient.array

    def along(self, position: Array, direction: Array) -> Place:
        """Return a place along the direction that satisfies the strong Wolfe conditions, or else the start."""

        def at(distance: Any) -> Place:
            value, gradient = self.evaluate(position + distance * direction)
            return Place(distance, value, gradient, np.dot(gradient, direction))

        start = before = at(self._first * 0)
        distance = self._first
        for tries in range(self._tries):
            now = at(distance)
            if np.isinf(now.loss).any():
                break
            if now.falls_short_of(start) or (now.loss >= before.loss and tries > 1):
                return self._zoom(at, start, before, now)
            if now.is_flat_beside(start):
                return now
            if now.slope >= 0:
                return self._zoom(at, start, now, before)
            before, distance = now, min(2 * distance, distance * 0 + _FARTHEST)
        return start

    def _zoom(self, at: Callable[[Any], Place], start: Place, low: Place, high: Place) -> Place:
        for _ in range(self._tries):
            width = abs(high.distance - low.distance)
            if width < _NEARLY_EQUAL:
                break
            distance = lowest_between(low, high)
            if min(abs(distance - low.distance), abs(distance - high.distance)) < 0.1 * width:
                distance = 0.5 * (low.distance + high.distance)
            place = at(distance)
            if place.falls_short_of(start) or place.loss >= low.loss:
                high = place
                continue
            if place.is_flat_beside(start):
                return place
            high = low if place.slope * (high.distance - low.distance) >= 0 else high
            low = place
        return low


def _first_inverse(given: Tensor | None, position: Tensor, dtype: str) -> Array:
    if not isinstance(position, Tensor):
        raise TypeError(
            f"The input: initial_position should be Tensor, but received {type(position).__name__}."
        )
    if given is None:
        return np.eye(position.array.shape[0], dtype=dtype)
    if not _is_positive(given.array):
        raise ValueError(
            "The initial_inverse_hessian_estimate should be symmetric and positive definite, but the specified is not."
        )
    return given.array.copy()


def _is_positive(matrix: Array) -> bool:
    symmetric: Sequence[bool] = np.equal(matrix, matrix.T).reshape(-1).tolist()
    return all(symmetric) and bool((np.linalg.eigvalsh(matrix) > 0).all())


guard_all(globals())
