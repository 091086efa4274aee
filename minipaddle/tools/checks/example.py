"""A recording of one operator: a call on its own example, and the backward pass."""

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.ops.definition.example import example_of
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.sources.eager.recorder import Recorder


def record_operator(name: str) -> Trace:
    """Return the recording of one call of an operator and its backward; inputs have the names of the parameters.

    Raises KeyError if there is no such operator.
    """
    op = next((op for op in TABLE.values() if name in (op.type, op.name)), None)
    if op is None:
        raise KeyError(name)
    recorder = Recorder(f"check {name}")
    with watching(recorder):
        _run(op)
    trace = recorder.finish()
    for event in trace.events:
        event.where = None
        for input_name, id_ in zip(op.input_names, event.inputs if event.kind == "op" else ()):
            if id_ is not None:
                trace.values[id_].name = input_name
    return trace


def _run(op: Operator) -> None:
    """Apply the operator, and run backward from each of its outputs with random gradients."""
    inputs, attrs = example_of(op, np.random.default_rng(0))
    tensors = [None if array is None else Tensor(array) for array in inputs]
    for tensor in tensors:
        if tensor is not None and tensor.array.dtype.kind == "f":
            tensor.stop_gradient = False
    out = current.get().apply(op, tuple(tensors), {**op.defaults, **attrs})
    for one in out if isinstance(out, tuple) else (out,):
        if not one.stop_gradient:
            seed = np.random.default_rng(1).uniform(0.5, 1.5, one.array.shape)
            one.backward(Tensor(seed), retain_graph=True)
