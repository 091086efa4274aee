"""``paddle.incubate.autograd``: the derivatives of functions, forwards and backwards.

Of functions in ``functional.py``; here, of Variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.later import front
from minipaddle.paddle.incubate.autograd.functional import Hessian, Jacobian, jvp, pushed_forward, vjp

__all__ = [
    "Hessian", "Jacobian", "disable_prim", "enable_prim", "forward_grad", "grad", "jvp", "prim2orig",
    "prim_enabled", "vjp",
]  # fmt: skip


def _static_only(name: str) -> None:
    assert not current.get().dynamic, (
        f"In PaddlePaddle 2.x, we turn on dynamic graph mode by default, and '{name}()' is only supported in static "
        "graph mode. So if you want to use this api, please call 'paddle.enable_static()' before this api to enter "
        "static graph mode."
    )


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """Return how Variables change when `inputs` move along `grad_inputs` (None: ones); in Programs only.

    Also of what is fed, where ``stop_gradient`` is True by default.

    Raises:
        AssertionError: in dynamic mode; :func:`jvp` works there.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/forward_grad_en.html
    """
    _static_only("forward_grad")
    from minipaddle.paddle.incubate.autograd.heard import heard

    with heard(inputs):
        return pushed_forward(outputs, inputs, grad_inputs)


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """Return the gradients of Variables by `inputs`: a Variable, or as many as `inputs` are; in Programs only.

    Raises:
        AssertionError: in dynamic mode; :func:`paddle.grad` works there.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/grad_en.html
    """
    _static_only("grad")
    from minipaddle.paddle.incubate.autograd.heard import heard
    from minipaddle.paddle.static.gradient import gradients

    with heard(inputs):
        found: Any = gradients(outputs, inputs, grad_outputs)
    return found if isinstance(inputs, Sequence) else found[0]


_prim_is_enabled = False


def enable_prim() -> None:
    """Note it, in Programs: every operator has its rules, none has to be taken apart into primitive ones."""
    _enable_prim("enable_prim", True)


def disable_prim() -> None:
    """Undo :func:`enable_prim`, in Programs."""
    _enable_prim("disable_prim", False)


def prim_enabled() -> bool:
    """Return whether :func:`enable_prim` was called, in Programs."""
    _static_only("prim_enabled")
    return _prim_is_enabled


def prim2orig(block: Any = None, blacklist: Sequence[str] | None = None) -> None:
    """Change nothing, in Programs: no operator was taken apart into primitive ones."""
    _static_only("prim2orig")


def _enable_prim(name: str, enabled: bool) -> None:
    global _prim_is_enabled
    _static_only(name)
    _prim_is_enabled = enabled


__getattr__ = front(globals())
