"""LRScheduler: a learning rate that depends on the epoch."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from minipaddle.engine.tensor.tensor import Tensor


class LRScheduler:
    """Base of all schedules; derive from it and define ``get_lr``.

    The constructor takes the first step, so ``last_epoch`` is 0 afterwards. ``scheduler()`` is the current rate
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/lr/LRScheduler_en.html).

    Args:
        learning_rate: the rate to start from.
        last_epoch: -1, or the epoch to continue from.
        verbose: print each step.

    Raises:
        TypeError: **The type of learning rate must be float**.
        ValueError: **Invalid learning rate**, if it is negative.
    """

    keys: tuple[str, ...] = ("last_epoch", "last_lr")
    """Attributes that are saved."""

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        if not isinstance(learning_rate, (float, int)):
            raise TypeError(
                f"The type of learning rate must be float, but received {type(learning_rate).__name__}"
            )
        if learning_rate < 0:
            raise ValueError(f"Invalid learning rate: {learning_rate}")
        self.base_lr = float(learning_rate)
        self.last_lr = float(learning_rate)
        self.last_epoch = last_epoch
        self.verbose = verbose
        self.step()

    def __call__(self) -> float:
        """Return the current rate."""
        return self.last_lr

    def get_lr(self) -> float:
        """Return the rate for ``self.last_epoch``."""
        raise NotImplementedError(f"{type(self).__name__} must define get_lr()")

    def step(self, epoch: int | None = None) -> None:
        """Advance by one epoch, or to `epoch`. Call it once per epoch, or per batch."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self.last_lr = self.get_lr() if epoch is None else self._jump()
        self._tell()

    def _jump(self) -> float:
        """Return the rate after a jump; a schedule that builds on the last rate needs another formula."""
        return self.get_lr()

    def _tell(self) -> None:
        if self.verbose:
            sys.stdout.write(
                f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {self.last_lr}.\n"
            )

    def state_keys(self) -> None:
        """Set ``self.keys``, if a derived class saves more than the epoch and the rate."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state to save, to resume later."""
        self.state_keys()
        found = {key: self.__dict__[key] for key in self.keys if key in self.__dict__}
        return {key: float(value) if isinstance(value, Tensor) else value for key, value in found.items()}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a saved state.

        Raises:
            RuntimeError: **Please check whether state_dict is correct**, if something is missing.
        """
        self.state_keys()
        for key in self.keys:
            if key not in state_dict:
                raise RuntimeError(
                    "Please check whether state_dict is correct for optimizer. "
                    f"Can't find [ {key} ] in state_dict"
                )
            self.__dict__[key] = state_dict[key]
        if state_dict.keys() - self.keys - self._expected_besides():
            warnings.warn(
                "There are some unused values in state_dict: was it another scheduler?", stacklevel=2
            )

    def _expected_besides(self) -> set[str]:
        """Return the keys that a derived class reads itself."""
        return set()

    set_dict = set_state_dict
