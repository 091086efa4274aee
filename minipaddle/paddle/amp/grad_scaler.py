"""``paddle.amp.GradScaler``: the loss times a number, so that small gradients do not vanish in float16.

A step with overflowed gradients is skipped, and the factor halved; after many good steps it is doubled. On a CPU
Paddle warns that this has no effect, and so does minipaddle, except under ``FLAGS_emulate_amp`` (``casting.py``).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.amp.casting import emulated, no_effect


class GradScaler:
    """Scales the loss, unscales the gradients, skips steps that overflowed, and adapts the scale.

    Args:
        enable: False: no method has an effect.
        init_loss_scaling: the first scale.
        incr_ratio: factor for growing the scale, after `incr_every_n_steps` good steps in a row.
        decr_ratio: factor for shrinking it, after `decr_every_n_nan_or_inf` bad steps.
        incr_every_n_steps: see `incr_ratio`.
        decr_every_n_nan_or_inf: see `decr_ratio`.
        use_dynamic_loss_scaling: False: the scale never changes.
    """

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**16,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ) -> None:
        if enable and not emulated():
            no_effect("AmpScaler")
            enable = False
        if enable:
            assert incr_ratio > 1.0, "The incr_ratio must be > 1.0."
            assert decr_ratio < 1.0, "The decr_ratio must be < 1.0."
        self._enable = enable
        self._use_dynamic_loss_scaling = enable and use_dynamic_loss_scaling
        self._init_loss_scaling = init_loss_scaling if enable else 1.0
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        self._incr_every_n_steps, self._decr_every_n_nan_or_inf = incr_every_n_steps, decr_every_n_nan_or_inf
        self._incr_count = self._decr_count = 0
        self._scale = Tensor(np.array([self._init_loss_scaling], "float32"))
        self._overflowed: dict[int, bool] = {}
        """Optimizers whose gradients were unscaled since the last update, and whether one was not finite."""
        self._stepped: set[int] = set()

    # -- a step ------------------------------------------------------------------------------------------------------

    def scale(self, var: Any) -> Any:
        """Return the loss times the scale."""
        return var * self._scale if self._enable else var

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients by the scale, in place; store whether any is not finite.

        Raises:
            RuntimeError: **has already been called**, **is being called after step()**.
        """
        if not self._enable:
            return
        if id(optimizer) in self._stepped:
            raise RuntimeError("unscale_() is being called after step().")
        if id(optimizer) in self._overflowed:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        parameters = [parameter for group in optimizer._groups for parameter in group.params]
        found = [parameter.grad for parameter in parameters if parameter.grad is not None]
        self._overflowed[id(optimizer)] = any(not np.isfinite(grad.array).all() for grad in found)
        inverse = 1.0 / float(self._scale.array[0])
        run_inside(current.get().with_grad(False), lambda: [grad.scale_(inverse) for grad in found])

    def step(self, optimizer: Any) -> None:
        """Unscale the gradients, and run the optimizer's step unless one overflowed; call :meth:`update` next.

        Raises:
            RuntimeError: **step() has already been called**.
        """
        if not self._enable:
            optimizer.step()
            return
        if id(optimizer) in self._stepped:
            raise RuntimeError("step() has already been called since the last update().")
        if id(optimizer) not in self._overflowed:
            self.unscale_(optimizer)
        if not self._overflowed[id(optimizer)]:
            optimizer.step()
        self._stepped.add(id(optimizer))
        if not self._use_dynamic_loss_scaling:
            self._finish(False)

    def update(self) -> None:
        """Adapt the scale to the outcome of the last steps."""
        if self._enable and self._use_dynamic_loss_scaling:
            self._finish(any(self._overflowed.values()))

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Unscale the gradients, run the optimizer's step unless one overflowed, and adapt the scale."""
        if not self._enable:
            return optimizer.minimize(*args, **kwargs)
        if id(optimizer) not in self._overflowed:
            self.unscale_(optimizer)
        overflowed = self._overflowed[id(optimizer)]
        found = (None, None) if overflowed else optimizer.minimize(*args, **kwargs)
        self._finish(overflowed)
        return found

    def _finish(self, overflowed: bool) -> None:
        if self._use_dynamic_loss_scaling:
            self._adapt(overflowed)
        self._overflowed.clear()
        self._stepped.clear()

    def _adapt(self, overflowed: bool) -> None:
        """Count good and bad steps in a row; change the scale if there are enough."""
        if not overflowed:
            self._decr_count, self._incr_count = 0, self._incr_count + 1
            if self._incr_count == self._incr_every_n_steps:
                self._scale, self._incr_count = self._scale * self._incr_ratio, 0
            return
        self._incr_count, self._decr_count = 0, self._decr_count + 1
        if self._decr_count == self._decr_every_n_nan_or_inf:
            now = float(self._scale.array[0])
            sys.stdout.write(
                f"Found inf or nan, current scale is: {now}, decrease to: {now}*{float(self._decr_ratio)}\n"
            )
            self._scale, self._decr_count = self._scale * self._decr_ratio, 0

    # -- its settings ------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the scale, its settings and its counts; {} if disabled."""
        if not self._enable:
            return {}
        names = (
            "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf", "incr_count", "decr_count",
            "use_dynamic_loss_scaling",
        )  # fmt: skip
        return {"scale": self._scale.numpy(), **{name: getattr(self, f"_{name}") for name in names}}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a state from :meth:`state_dict`.

        Raises:
            RuntimeError: **The input state dict is empty**.
        """
        if not self._enable:
            return
        if not state_dict:
            why = "possibly because it was saved from a disabled instance of GradScaler"
            raise RuntimeError(f"The input state dict is empty, {why}.")
        others = dict(state_dict)
        self._init_loss_scaling = others.pop("scale")[0]
        self._scale = Tensor(np.array([self._init_loss_scaling], "float32"))
        vars(self).update({f"_{name}": value for name, value in others.items()})
