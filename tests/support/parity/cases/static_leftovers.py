"""What was left: arithmetic of another Program's Variables, fc of the last axis."""

from tests.support.parity.graphs import S, feed, listing
from tests.support.parity.kit import Family, raises

cases = Family("static_leftovers")


def arithmetic_of_another_program():
    program = S.Program()
    block = program.global_block()
    x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
    out = (x + y) * 2.0
    return {"other": [op.type for op in block.ops], "same": out.block.program is program, "here": listing()}


def fc_of_the_last_axis():
    x = feed("x", 4, 6, 3)
    out = S.nn.fc(x, 5, num_flatten_dims=-1)
    return {"program": listing(), "shape": list(out.shape), "refused": raises(lambda: S.nn.fc(x, 5, -2)).kind}
