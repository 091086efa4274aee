"""LBFGS: steps from the curvature that the last gradients tell of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from minipaddle.engine.autograd.grad_mode import enable_grad, no_grad
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.meta import Array
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.line_search import Place, strong_wolfe
from minipaddle.paddle.optimizer.optimizer import Optimizer, dynamic_only
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class LBFGS(Optimizer):
    """Take up to `max_iter` quasi-Newton steps at each call of ``step(closure)`` (Nocedal and Wright, chapter 7).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/LBFGS_en.html)

    Args:
        learning_rate: the length of a step, or the first that a line search tries.
        max_iter: steps of one call, at most.
        max_eval: calls of the closure in one call, at most; None: 1.25 times `max_iter`.
        tolerance_grad: stop when no element of the gradient is larger.
        tolerance_change: stop when parameters and loss change by less.
        history_size: how many steps are remembered.
        line_search_fn: None or "strong_wolfe".
        weight_decay: accepted, like `grad_clip`; makes no difference, as in Paddle.

    Raises:
        RuntimeError: **only 'strong_wolfe' is supported**.
    """

    def __init__(
        self,
        learning_rate: float = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(float(learning_rate), parameters, weight_decay, grad_clip, name)
        self.max_iter = max_iter
        self.max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        self.tolerance_grad = tolerance_grad
        self.tolerance_change = tolerance_change
        self.history_size = history_size
        self.line_search_fn = line_search_fn
        self.state: dict[str, Any] = {}

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Minimize what `closure` returns, for some steps; return its first loss.

        Args:
            closure: clears the gradients, computes the loss, calls ``backward`` and returns the loss.
        """
        dynamic_only("step")
        if closure is None:
            raise TypeError("LBFGS.step() needs a closure that computes the loss anew: opt.step(closure)")
        if self.line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        with no_grad():
            return self._steps(closure)

    def _steps(self, closure: Callable[[], Any]) -> Any:
        state = self.state
        calls = state.get("func_evals", 0)
        loss, grad = first, _ = self._evaluate(closure)
        state["func_evals"] = calls + 1
        for turn in range(1, self.max_iter + 1):
            if turn == 1 and not np.abs(grad).max() > self.tolerance_grad:
                break
            state["n_iter"] = state.get("n_iter", 0) + 1
            direction = self._direction(grad)
            state |= {"d": direction, "prev_flat_grad": grad, "prev_loss": float(loss)}
            length = self.get_lr() * (min(1.0, 1.0 / np.abs(grad).sum()) if state["n_iter"] == 1 else 1.0)
            here = Place(0, float(loss), grad, (grad * direction).sum())
            state["alpha"] = length
            if here.slope > -self.tolerance_change:
                break
            place, evaluations = self._search(closure, here, length, direction, turn == self.max_iter)
            loss, grad, state["alpha"] = place.loss, place.grad, place.distance
            state["func_evals"] += evaluations
            if self._is_done(here, place, direction) or state["func_evals"] - calls >= self.max_eval:
                break
        return first

    def _is_done(self, before: Place, place: Place, direction: Array) -> bool:
        move = np.abs(direction * place.distance).max()
        return bool(
            np.abs(place.grad).max() <= self.tolerance_grad
            or move <= self.tolerance_change
            or abs(place.loss - before.loss) < self.tolerance_change
        )

    def _search(
        self, closure: Callable[[], Any], here: Place, length: Any, direction: Array, last: bool
    ) -> tuple[Place, int]:
        """Move the parameters; return what is there, and how often the closure was called."""
        start = self._flat([parameter.array for parameter in self._parameters])

        def at(distance: Any) -> Place:
            self._move_to(start + distance * direction)
            loss, grad = self._evaluate(closure)
            return Place(distance, float(loss), grad, (grad * direction).sum())

        if self.line_search_fn is None and last:  # nobody asks what the loss is there
            self._move_to(start + length * direction)
            return here._replace(distance=length), 0
        if self.line_search_fn is None:
            return at(length), 1
        place, calls = strong_wolfe(at, here, length, np.abs(direction).max())
        self._move_to(start + place.distance * direction)
        return place, calls

    def _direction(self, grad: Array) -> Array:
        """Return minus the gradient times the inverse of the curvature, as far as known (the two-loop recursion)."""
        state = self.state
        if state["n_iter"] == 1:
            state |= {"old_sk": [], "old_yk": [], "ro": [], "H_diag": 1.0}
            return -grad
        moves, changes, ro = state["old_sk"], state["old_yk"], state["ro"]
        move, change = state["d"] * state["alpha"], grad - state["prev_flat_grad"]
        along = (change * move).sum()
        if along > 1e-10:
            if len(moves) == self.history_size:
                for history in (moves, changes, ro):
                    del history[0]
            moves.append(move)
            changes.append(change)
            ro.append(1.0 / along)
            state["H_diag"] = along / (change * change).sum()
        shares: list[Any] = []
        direction: Array = -grad
        for s, y, r in zip(reversed(moves), reversed(changes), reversed(ro)):
            shares.append((s * direction).sum() * r)
            direction = direction - shares[-1] * y
        direction = direction * state["H_diag"]
        for s, y, r, share in zip(moves, changes, ro, reversed(shares)):
            direction = direction + s * (share - (y * direction).sum() * r)
        return direction

    # -- parameters as one row of numbers

    @property
    def _parameters(self) -> list[Tensor]:
        return [parameter for group in self.groups for parameter in group.params]

    def _flat(self, arrays: list[Array]) -> Array:
        return np.concatenate([array.reshape(-1) for array in arrays])

    def _evaluate(self, closure: Callable[[], Any]) -> tuple[Any, Array]:
        """Return the loss and the gradient; a parameter without one has zeros."""
        with enable_grad():
            loss = closure()
        grads = [np.zeros_like(p.array) if p.grad is None else p.grad.array for p in self._parameters]
        return loss, self._flat(grads)

    def _move_to(self, place: Array) -> None:
        start = 0
        for parameter in self._parameters:
            size = parameter.array.size
            part = place[start : start + size].reshape(parameter.array.shape)
            parameter.set_value(part.astype(parameter.array.dtype))
            start += size

    # -- its state

    def state_dict(self) -> dict[str, Any]:
        """Return what it remembers, as ``state``: ``func_evals``, ``n_iter``, directions and changes."""
        return {"state": {key: _handed_out(value) for key, value in self.state.items()}}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what another one remembered."""
        self.state = {key: _taken_in(value) for key, value in state_dict["state"].items()}

    load_state_dict = set_state_dict

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> NoReturn:
        """Raise: a step needs a closure.

        Raises:
            NotImplementedError: **LBFGS optimizer does not use this way to minimize loss**, as in Paddle.
        """
        raise NotImplementedError(
            "LBFGS optimizer does not use this way to minimize loss. Call opt.step(closure), with a function that "
            "clears the gradients, computes the loss, calls its backward() and returns it."
        )


def _handed_out(value: Any) -> Any:
    if isinstance(value, list):
        return [_handed_out(one) for one in value]
    return Tensor(np.array(value)) if isinstance(value, (np.ndarray, np.generic)) else value


def _taken_in(value: Any) -> Any:
    if isinstance(value, list):
        return [_taken_in(one) for one in value]
    return value.array.copy() if isinstance(value, Tensor) else value
