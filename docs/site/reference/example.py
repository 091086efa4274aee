"""One call of an operator on its own example: the shapes that go in and come out, and the small mirror of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, Eager
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.definition.example import example_of
from minipaddle.tools.picture.api import graph


@dataclass(frozen=True)
class Example:
    """What a call with these inputs and attributes gave."""

    inputs: list[tuple[str, Tensor | None]]
    attrs: dict[str, Any]
    outputs: list[tuple[str, Tensor]]

    @property
    def svg(self) -> str:
        """The picture of its gradient, or "" if it has none."""
        roots = [out for _, out in self.outputs if not out.stop_gradient]
        if not roots:
            return ""
        params = {name: tensor for name, tensor in [*self.inputs, *self.outputs] if tensor is not None}
        picture = graph(roots, values="none", params=params)
        return str(picture.svg())


def example(op: Operator) -> Example:
    """Call an operator on its example, with a gradient wanted wherever a rule knows one."""
    arrays, attrs = example_of(op, np.random.default_rng(0))
    last = len(op.input_names) - 1
    ruled = {rule.input for rule in op.rules}
    tensors = [_tensor(array, min(place, last) in ruled) for place, array in enumerate(arrays)]
    made = Eager.apply(EAGER, op, tuple(tensors), {**op.defaults, **attrs})
    outs = list(made) if op.multiple else [made]
    return Example(
        list(zip(_numbered(op.input_names, len(tensors)), tensors)),
        dict(attrs),
        list(zip(_numbered(op.output_names, len(outs)), outs)),
    )


def _tensor(array: Any, ruled: bool) -> Tensor | None:
    if array is None:
        return None
    tensor = Eager.tensor(np.array(array))
    tensor.stop_gradient = not (ruled and tensor.array.dtype.kind in "fc")
    return tensor


def _numbered(names: list[str], count: int) -> list[str]:
    """Return `count` names: several under the last one are numbered."""
    if count <= len(names):
        return names[:count]
    *first, last = names
    return [*first, *(f"{last}_{place}" for place in range(count - len(first)))]
