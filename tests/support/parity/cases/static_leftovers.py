"""What was left: random numbers sized after a batch, arithmetic of another Program's Variables, fc of the last axis."""

import numpy as np
from paddle.tensor.random import uniform_random_batch_size_like

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family, raises

cases = Family("static_leftovers")


def drawn(shape, *args):
    """The Program and the numbers of some runs."""
    y = feed("y", -1, 2, stop=True)
    out = uniform_random_batch_size_like(y, shape, *args)
    again = [run([out], {"y": np.ones((count, 2), "float32")}) for count in (2, 3, 2)]
    return {"program": listing(), "shape": list(out.shape), "stops": out.stop_gradient, "values": again}


cases.add("uniform_random_batch_size_like", drawn, [-1, 4], "float32", 0, 0, -2.0, 3.0, 3)
cases.add("uniform_random_batch_size_like of another axis", drawn, [3, -1, 2], "float64", 0, 1, -1.0, 1.0, 5)
cases.add("uniform_random_batch_size_like of axis 1", drawn, [7, 3], "float32", 1, 0, -1.0, 1.0, 9)


@cases
def arithmetic_of_another_program():
    program = S.Program()
    block = program.global_block()
    x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
    out = (x + y) * 2.0
    return {"other": [op.type for op in block.ops], "same": out.block.program is program, "here": listing()}


@cases
def fc_of_the_last_axis():
    x = feed("x", 4, 6, 3)
    out = S.nn.fc(x, 5, num_flatten_dims=-1)
    return {"program": listing(), "shape": list(out.shape), "refused": raises(lambda: S.nn.fc(x, 5, -2)).kind}
