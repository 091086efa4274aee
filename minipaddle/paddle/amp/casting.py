"""``paddle.amp.auto_cast`` and ``decorate``: mixed precision.

On a CPU Paddle warns that it has no effect, and so does minipaddle. To see on a CPU what happens on a GPU (overflow in
float16, scaling of the loss), set the flag ``FLAGS_emulate_amp``: then inputs are cast by Paddle's lists.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from contextlib import ContextDecorator
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.creation.cast import cast
from minipaddle.paddle.framework.settings import get_flags

EMULATE = "FLAGS_emulate_amp"
_LEVELS = ("O0", "OD", "O1", "O2")
_SINGLE = np.dtype("float32")


def emulated() -> bool:
    """Return whether a GPU's casts are emulated: by ``paddle.set_flags`` or the environment."""
    return bool(get_flags(EMULATE)[EMULATE]) or os.environ.get(EMULATE, "").lower() in ("1", "true")


def no_effect(what: str) -> None:
    """Warn, as Paddle does on a CPU."""
    warnings.warn(
        f"{what} can only be enabled on CUDAPlace, XPUPlace and CustomPlace, current place is Place(cpu), so it makes "
        f"no effect. (paddle.set_flags({{'{EMULATE}': True}}) shows what it would do there.)",
        stacklevel=4,
    )


class AutoCast(Around):
    """The mode `inner`, with the inputs of each call cast by the lists."""

    __slots__ = ("black", "dtype", "level", "white")

    def __init__(
        self, inner: Mode, level: str, dtype: str, white: frozenset[str], black: frozenset[str]
    ) -> None:
        super().__init__(inner)
        self.level, self.dtype, self.white, self.black = level, dtype, white, black

    def like(self, inner: Mode) -> Mode:
        """Return this mode around another inner mode."""
        return AutoCast(inner, self.level, self.dtype, self.white, self.black)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Cast the operands that are float32 or of the low type, then apply."""
        wanted = None if op is cast else self._wanted(op.type, inputs)
        if wanted is not None:
            inputs = tuple(self._as(one, wanted) for one in inputs)
        return self.inner.apply(op, inputs, attrs)

    def _wanted(self, type: str, inputs: tuple[Any, ...]) -> np.dtype[Any] | None:
        """Return the type that an operator computes in; None if its inputs decide."""
        low = as_numpy(self.dtype)
        if type in self.white or (self.level == "O2" and type not in self.black):
            return low
        if type in self.black or self.level == "OD":
            return _SINGLE
        kinds = {one.array.dtype for one in inputs if isinstance(one, Tensor)}
        return _SINGLE if {low, _SINGLE} <= kinds else None

    def _as(self, value: Any, wanted: np.dtype[Any]) -> Any:
        castable = isinstance(value, Tensor) and value.array.dtype in (_SINGLE, as_numpy(self.dtype))
        return (
            self.inner.apply(cast, (value,), {"dtype": wanted})
            if castable and value.array.dtype != wanted
            else value
        )


class auto_cast(ContextDecorator, within):
    """Casts the inputs of calls to float16, in a ``with`` block or a decorated function.

    Args:
        enable: False: change nothing.
        custom_white_list: types of operators to compute in the low type, such as 'elementwise_add'.
        custom_black_list: types of operators to compute in float32.
        level: 'O1' uses lists; 'O2' casts all but a few down, 'OD' all but a few up; 'O0' none.
        dtype: 'float16'.

    Raises:
        ValueError: **level should be**, **dtype should be**, or for lists that overlap.
    """

    def __init__(
        self,
        enable: bool = True,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        level: str = "O1",
        dtype: Any = "float16",
        use_promote: bool = True,
    ) -> None:
        within.__init__(self)
        level, name = level.upper(), getattr(dtype, "name", str(dtype)).lower()
        if level not in _LEVELS:
            raise ValueError("level should be O0, OD, O1 or O2.")
        if enable and as_numpy(name) != np.float16:
            raise ValueError("If enable amp, dtype should be 'float16'.")
        self.level, self.dtype = level, name
        self.lists = lists(level, name, custom_white_list, custom_black_list)
        self.works = enable and level != "O0" and emulated()
        if enable and not emulated():
            no_effect("amp_guard")

    def enter(self) -> Mode:
        """Return the mode of the block."""
        mode = current.get()
        assert mode.dynamic, "We only support 'amp_guard' in dynamic mode."
        return AutoCast(mode, self.level, self.dtype, *self.lists) if self.works else mode


def decorate(
    models: Any,
    optimizers: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    save_dtype: str | None = None,
    master_grad: bool = False,
    excluded_layers: Any = None,
) -> Any:
    """Return the models (and the optimizers): unchanged on a CPU, as in Paddle.

    Under ``FLAGS_emulate_amp``, level O2 casts parameters in place, except in normalizations and in
    `excluded_layers` (layers or classes), and the optimizers keep a float32 master weight of each, unless
    `master_weight` is False.

    Raises:
        ValueError: **level should be O1 or O2**, **dtype only support**.
    """
    if level not in ("O1", "O2"):
        raise ValueError(
            "level should be O1 or O2, O1 represent AMP train mode, O2 represent Pure fp16 train mode."
        )
    if as_numpy(dtype) != np.float16:
        raise ValueError("dtype only support float16.")
    if level == "O2" and emulated():
        excluded = excluded_layers if isinstance(excluded_layers, (list, tuple)) else [excluded_layers]
        for model in models if isinstance(models, (list, tuple)) else [models]:
            _lower(model, dtype, [one for one in excluded if one is not None])
        for optimizer in optimizers if isinstance(optimizers, (list, tuple)) else [optimizers]:
            if optimizer is not None:
                optimizer.keep_master_weights(master_weight is not False)
    return models if optimizers is None else (models, optimizers)


def _lower(model: Any, dtype: str, excluded: list[Any]) -> None:
    """Cast the parameters of `model`, layer by layer."""
    classes = tuple(one for one in excluded if isinstance(one, type))
    layers = (one for one in excluded if not isinstance(one, type))
    kept = {id(inner) for one in layers for inner in one.sublayers(include_self=True)}
    for layer in model.sublayers(include_self=True):
        if "Norm" in type(layer).__name__ or isinstance(layer, classes) or id(layer) in kept:
            continue
        layer.to(dtype=dtype) if not layer.sublayers() else _cast_own(layer, dtype)


def _cast_own(layer: Any, dtype: str) -> None:
    """Cast the direct parameters of a layer that has sublayers."""
    for parameter in layer.parameters(include_sublayers=False):
        parameter.array = np.asarray(parameter.array, as_numpy(dtype))


_WHITE = "conv2d einsum matmul matmul_v2 max_pool2d_with_index mul"
"""Cast to the low type: fast in it, and safe."""
_BLACK = """
    acos asin cosh cumprod cumsum exp expm1 frobenius_norm group_norm huber_loss layer_norm log log2 log_loss mean
    nll_loss pow reciprocal reduce_mean reduce_prod reduce_sum rsqrt sigmoid_cross_entropy_with_logits sinh softmax
    softmax_with_cross_entropy softplus square tan
    """
"""Cast to float32 in level O1: sums, powers and logarithms overflow or lose too much."""
_ALWAYS_BLACK = """
    bicubic_interp_v2 bilinear_interp_v2 linear_interp_v2 lookup_table_v2 nearest_interp_v2 scatter
    trilinear_interp_v2
    """
"""Cast to float32 in every level."""


def lists(
    level: str, dtype: str, white: Iterable[str] | None = None, black: Iterable[str] | None = None
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the operators to cast down, and up; names in `white` and `black` move to the other list.

    Raises:
        ValueError: **Custom white list overlap custom black list**.
    """
    down = frozenset(_WHITE.split())
    up = frozenset((_ALWAYS_BLACK + (_BLACK if level == "O1" else "")).split())
    own_down, own_up = frozenset(white or ()), frozenset(black or ())
    if own_down & own_up:
        raise ValueError("Custom white list overlap custom black list")
    return (down | own_down) - own_up, (up | own_up) - own_down
