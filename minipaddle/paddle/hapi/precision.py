"""Mixed precision for ``Model``: what its `amp_configs` mean."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minipaddle.engine.errors import failure

CASTING = ("custom_white_list", "custom_black_list", "dtype", "use_promote")
SCALING = (
    "init_loss_scaling",
    "incr_ratio",
    "decr_ratio",
    "incr_every_n_steps",
    "decr_every_n_nan_or_inf",
    "use_dynamic_loss_scaling",
)


class Precision:
    """How forward is cast and the loss scaled: not at all, or as ``paddle.amp`` does.

    Raises:
        ValueError: if there is no such level, or no such setting.
    """

    def __init__(self, configs: Any) -> None:
        given = {"level": configs} if isinstance(configs, str) else dict(configs or {"level": "O0"})
        level = given.pop("level", "O1")
        if level not in ("O0", "O1", "O2"):
            raise failure(ValueError, "The level of amp_configs should be 'O0', 'O1' or 'O2'.")
        unknown = tuple(name for name in given if name not in (*CASTING, *SCALING, "use_fp16_guard"))
        if unknown:
            raise failure(
                ValueError,
                "Except for 'level', the keys of 'amp_configs' must be accepted by mixed precision APIs, "
                f"but {unknown} could not be recognized.",
                f"it may have {', '.join((*CASTING, *SCALING))}",
            )
        self._casting = {name: given[name] for name in CASTING if name in given} | {"level": level}
        self._scaler: Any = None
        if level != "O0":
            from minipaddle.paddle.amp import GradScaler

            self._scaler = GradScaler(**{name: given[name] for name in SCALING if name in given})

    def casting(self) -> AbstractContextManager[Any]:
        """Return the context for the calls of the network."""
        if self._scaler is None:
            return nullcontext()
        from minipaddle.paddle.amp import auto_cast

        context: AbstractContextManager[Any] = auto_cast(**self._casting)
        return context

    def scale(self, loss: Any) -> Any:
        """Return the loss that backward begins with."""
        return loss if self._scaler is None else self._scaler.scale(loss)

    def step(self, optimizer: Any) -> None:
        """Let the optimizer step, unless a scaled gradient overflowed."""
        if self._scaler is None:
            optimizer.step()
        else:
            self._scaler.step(optimizer)
            self._scaler.update()
