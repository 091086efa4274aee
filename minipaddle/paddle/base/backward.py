"""paddle.base.backward: gradients of a Program, and the updates of an optimizer with them."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.static import append_backward, gradients
from minipaddle.paddle.static.gradient.minimize import Pair, append_updates
from minipaddle.paddle.static.program import Operator, Parameter, Program, program_guard

__all__ = ["append_backward", "gradients", "gradients_with_optimizer"]


def gradients_with_optimizer(
    program: Program, optimizer: Any, inputs: Any = None, outputs: Any = None
) -> tuple[list[Operator], list[Pair]]:
    """Append gradients of `outputs` and the updates of the parameters among `inputs`.

    Args:
        program: where they are.
        optimizer: what updates.
        inputs: Variables; None: what no Operator writes.
        outputs: Variables; None: what no Operator reads.

    Returns:
        the update Operators, and pairs of parameter and gradient.

    Raises:
        TypeError: **program** is no Program, or **optimizer** no Optimizer.
    """
    for name, given, kind in (("program", program, Program), ("optimizer", optimizer, Optimizer)):
        if not isinstance(given, kind):
            raise TypeError(
                f"The type of '{name}' in paddle.static.gradients_with_optimizer must be {kind}, but received "
                f"{type(given)}."
            )
    ops = [op for block in program.blocks for op in block.ops]
    read = dict.fromkeys(one for op in ops for one in op.reads() if one is not None)
    written = dict.fromkeys(one for op in ops for one in op.writes())
    inputs = [one for one in read if one not in written] if inputs is None else inputs
    outputs = [one for one in written if one not in read] if outputs is None else outputs
    with program_guard(program):
        found = zip(inputs, gradients(outputs, inputs))
        pairs: list[Pair] = [(one, g) for one, g in found if isinstance(one, Parameter) and g is not None]
        return append_updates(optimizer, pairs), pairs


__getattr__ = missing(__name__, __all__)
