"""CustomCall: a call of a custom operator in a Program, and how its gradient is appended.

The operator itself is static_pylayer's (``pylayer_operator.py``), py_func's (``py_func.py``), or a call that waits for
its numbers (``call_at_run.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.paddle.static.program import Block, Operator


class CustomCall(Operator, in_files=False):
    """A call whose first slot has its inputs, and whose slot Out what it gives."""

    def gradient_call(self, block: Block, grads: Sequence[Any], results: Sequence[Any]) -> Operator:
        """Return the Operator that gives `results`, one for each input or None, for `grads`, one for each output."""
        raise NotImplementedError

    def of_reads(self, maker: Any, results: Sequence[Any]) -> Sequence[Any]:
        """Return the gradient of each of :meth:`reads`, given those of the inputs."""
        return results

    def gradients(self, maker: Any, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient, with zeros where an output has none."""
        outs = [one for one in self.outputs["Out"] if one is not None]
        whole = [maker.zeros(out) if grad is None else grad for out, grad in zip(outs, grads)]
        asked = dict(zip(self.reads(), wanted, strict=True))
        given = next(iter(self.inputs.values()))
        results = [maker.new_like(one) if asked[one] else None for one in given]
        call = self.gradient_call(maker.block, whole, results)
        call.origin = self
        maker.append(call)
        return self.of_reads(maker, results)
