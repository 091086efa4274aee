"""WeightNormParamAttr: a parameter learned as a length and a direction (arXiv 1602.07868)."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.creation.assign import assign_out
from minipaddle.ops.math.arithmetic import divide, multiply
from minipaddle.ops.math.exponential import sqrt, square
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn.parameter.create import ParameterSpec
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr
from minipaddle.paddle.static.build.parameters import declared, new_parameter
from minipaddle.paddle.static.program import (
    Variable,
    default_main_program,
    default_startup_program,
    program_guard,
)


class WeightNormParamAttr(ParamAttr):
    """How to make a parameter ``g v / |v|``, of which g and v are learned: ``NAME_g`` and ``NAME_v``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/WeightNormParamAttr_en.html)

    Args:
        dim: each slice along this axis has a length of its own; None: one length for all.
        name: see ``paddle.ParamAttr``, also for the others.
        initializer: of v; g starts as its length.
        learning_rate: factor for the optimizer's learning rate.
        regularizer: a decay of its own.
        trainable: whether it requires gradient.
        do_model_average: kept for scripts that set it.
        need_clip: whether gradient clipping applies to it.
    """

    def __init__(
        self,
        dim: int | None = None,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = False,
        need_clip: bool = True,
    ) -> None:
        super().__init__(
            name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip
        )
        self.dim = dim

    def made(self, spec: ParameterSpec) -> Variable:
        """Make both parameters of a Program; return what they make."""
        kept = [] if self.dim is None else [self.dim % len(spec.shape)]
        size = tuple([length if axis in kept else 1 for axis, length in enumerate(spec.shape)])
        main, startup = default_main_program(), default_startup_program()
        lengths = spec._replace(name=f"{spec.name}_g", shape=size)
        length, started = declared(main, lengths), declared(startup, lengths)
        direction = new_parameter(spec._replace(name=f"{spec.name}_v"))
        if started.op is None:
            with program_guard(startup, startup):
                drawn = self._lengths(startup.global_block().var(direction.name))
                assign_out.bind_inplace(started, reshape(drawn, list(size)))
        made: Variable = multiply(direction, divide(length, self._lengths(direction)))
        return made

    def _lengths(self, weight: Any) -> Any:
        """Return the length of each slice, in a shape that broadcasts."""
        axes = [axis for axis in range(weight.ndim) if self.dim is None or axis != self.dim % weight.ndim]
        return sqrt(sum(square(weight), axis=axes, keepdim=True))
