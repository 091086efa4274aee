"""``Variable.register_hook``: a py_func that hands a Variable on as it is, and calls the hook on its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.static.custom.py_func import PyFuncOperator, PyFunction
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Operator, Variable, default_main_program
from minipaddle.paddle.static.program import variable as points


@points.register_hook.filled
def hooked(variable: Variable, hook: Callable[[Any], Any]) -> Hook:
    """Append a py_func that writes `variable` as it is, and calls `hook` on its gradient, as Paddle 2.6.2 does."""
    mode: Any = current.get()

    def backward(grad: HostTensor) -> Any:
        answer = hook(Tensor(grad.numpy()) if mode.as_eager else grad.numpy())
        return grad if answer is None else answer

    block = variable.block if mode.as_eager else default_main_program().current_block()
    same, wrapped = PyFunction(lambda value: value), PyFunction(backward)
    op = PyFuncOperator(block, [variable], [variable], same, wrapped, [variable])
    block.add_op(op, _behind_the_maker(variable) if mode.as_eager else None)
    return Hook(op)


def _behind_the_maker(variable: Variable) -> int:
    """Return the place in the Block of `variable` where it is made, and no hook was called yet."""
    for place, op in enumerate(variable.block.ops):
        if variable in set(op.writes()):
            return place if variable in set(op.reads()) else place + 1
    return 0


class Hook:
    """A hook of a Variable; :meth:`remove` takes it back."""

    def __init__(self, op: Operator) -> None:
        self._op = op

    def remove(self) -> bool:
        """Take the Operator away; return whether it was still there."""
        block = self._op.block
        if self._op not in block.ops:
            return False
        block._remove_op(self._op.idx)
        for op in block.ops:  # the Variable is again what the last Operator before made
            if self._op.inputs["X"][0] in set(op.writes()):
                self._op.inputs["X"][0].op = op
        return True
