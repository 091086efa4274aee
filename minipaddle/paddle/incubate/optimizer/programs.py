"""Optimizers of Programs around another: gradients merged over several runs, and forward values computed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.eager import current, within
from minipaddle.ops.creation.full import fill_constant
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.math.arithmetic import add, remainder
from minipaddle.ops.math.scale import increment, scale_op
from minipaddle.paddle.static.build import BUILDING
from minipaddle.paddle.static.build.parameters import create_global_var
from minipaddle.paddle.static.control_flow.cond import branch
from minipaddle.paddle.static.gradient.minimize import Pair
from minipaddle.paddle.static.gradient.recompute import recompute
from minipaddle.paddle.static.gradient.wrapping import WrappingOptimizer
from minipaddle.paddle.static.program import Operator, Role, TableOperator, Variable


class _ProgramsOnly(WrappingOptimizer):
    """What both share: they work in Programs only."""

    def __init__(self, optimizer: Any) -> None:
        if current.get().dynamic:
            raise Exception(f"In dygraph, don't support {type(self).__name__}.")
        super().__init__(optimizer)


class RecomputeOptimizer(_ProgramsOnly):
    """An optimizer whose gradient Program computes what lies between checkpoints once more, and keeps less.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/incubate/optimizer/Overview_en.html)

    Args:
        optimizer: what updates.

    Raises:
        Exception: in **dygraph**.
    """

    def __init__(self, optimizer: Any) -> None:
        super().__init__(optimizer)
        self._checkpoints: list[Any] | None = None

    def _set_checkpoints(self, checkpoints: list[Any]) -> None:
        """Keep these, Variables or names.

        Raises:
            AssertionError: **checkpoints** is no list, or one of them neither Variable nor str.
        """
        assert isinstance(checkpoints, list), "_checkpoints should be a list of Variable or a list of String"
        for one in checkpoints:
            assert isinstance(one, (Variable, str)), (
                "_checkpoints should be a list of Variable or a list of String"
            )
        self._checkpoints = checkpoints

    def load(self, state_dict: Any) -> None:
        """Refuse.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("load function is not supported by Recompute Optimizer for now")

    def backward(
        self,
        loss: Variable,
        startup_program: Any = None,
        parameter_list: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> list[Pair]:
        """Append the gradients, and before those of a segment its Operators again.

        Raises:
            AssertionError: before **_set_checkpoints**.
        """
        assert self._checkpoints is not None, "You should call _set_checkpoints first"
        block = loss.block
        start = len(block.ops)
        found = super().backward(loss, startup_program, parameter_list, no_grad_set, callbacks)
        known = [block.var(one) if isinstance(one, str) else one for one in self._checkpoints]
        recompute(block, known, start)
        return found


class GradientMergeOptimizer(_ProgramsOnly):
    """An optimizer that adds up the gradients of `k_steps` runs, and updates in the last of them.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/incubate/optimizer/Overview_en.html)

    Args:
        inner_optimizer: what updates.
        k_steps: how many runs.
        avg: whether the sum is divided by that.

    Raises:
        Exception: in **dygraph**.
        AssertionError: **inner optimizer** is None, or **k_steps** no positive int.
    """

    def __init__(self, inner_optimizer: Any, k_steps: int = 1, avg: bool = True) -> None:
        super().__init__(inner_optimizer)
        assert inner_optimizer is not None, "inner optimizer can not be None"
        assert k_steps > 0, "k_steps should be a positive integer"
        self.inner_optimizer, self.k_steps, self.avg = inner_optimizer, k_steps, avg

    def _set_k_steps(self, k_steps: int) -> None:
        """Merge so many runs."""
        self.k_steps = k_steps

    def _set_avg(self, avg: bool) -> None:
        """Divide by the number of runs, or do not."""
        self.avg = avg

    def apply_gradients(self, params_grads: Sequence[Pair]) -> list[Operator]:
        """Append the sums, and in a branch that runs every `k_steps` times the updates."""
        if self.k_steps == 1 or not params_grads:
            return super().apply_gradients(params_grads)
        last = self._counted()
        merged = [(one, self._added(one, grad)) for one, grad in params_grads]
        ops: list[Operator] = []
        branch(last, lambda: self._update(merged, ops))
        return ops

    def _counted(self) -> Any:
        """Append the count of runs; return the Variable that says whether this is the last one."""

        def number(name: str, value: float, dtype: str = "int32") -> Variable:
            return create_global_var([1], value, dtype, persistable=True, name=f"gradient_merge_{name}")

        steps, zero, step = number("k", self.k_steps), number("zero", 0), number("step", 0)
        with within(BUILDING):
            increment(step)
            current.get().apply_inplace(remainder, (step, steps), {})
        block = step.block.program.current_block()
        last = block.create_var("gradient_merge_cond", [1], "bool", stop_gradient=True)
        return _written(equal, [step, zero], last)

    @staticmethod
    def _added(parameter: Variable, grad: Variable) -> Variable:
        name = f"{grad.name}@GradientMerge"
        total = create_global_var(list(parameter.shape), 0.0, parameter.dtype, persistable=True, name=name)
        program = parameter.block.program
        if grad.op is not None:
            grad.op.role_var = []
        with program.as_role(Role.BACKWARD):
            _written(add, [grad, total], total)
        assert total.op is not None
        total.op.role_var = [parameter.name, name]
        return total

    def _update(self, merged: Sequence[Pair], ops: list[Operator]) -> None:
        program = merged[0][0].block.program
        with within(BUILDING):
            with program.as_role(Role.BACKWARD):
                for _, total in merged if self.avg else ():
                    current.get().apply_inplace(
                        scale_op, (total,), {**scale_op.defaults, "scale": 1.0 / self.k_steps}
                    )
            ops += self._optimizer.apply_gradients(merged)
            with program.as_role(Role.OPTIMIZE):
                for _, total in merged:
                    _written(
                        fill_constant, [], total, shape=total.meta.shape, value=0.0, dtype=total.meta.dtype
                    )


def _written(definition: Any, inputs: Sequence[Variable], out: Variable, **attrs: Any) -> Variable:
    """Append a call of an operator whose result goes to `out`; return that."""
    block = out.block.program.current_block()
    block.add_op(TableOperator(block, definition, inputs, [out], {**definition.defaults, **attrs}))
    return out
