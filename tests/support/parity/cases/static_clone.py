"""Section 6: copies of programs, and copies for testing."""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, ones, run, types
from tests.support.parity.kit import Family, data

cases = Family("static_clone")
S = paddle.static
F = paddle.nn.functional


def _main():
    return S.default_main_program()


def _net(optimizer=None):
    """fc, dropout, fc, loss; perhaps trained."""
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, stop=True)
    given = paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(data(3, 4).astype("float32")))
    hidden = F.dropout(S.nn.fc(x, 4, weight_attr=given, activation="tanh"), 0.5)
    answer = S.nn.fc(hidden, 1, weight_attr=paddle.nn.initializer.Constant(0.5))
    loss = paddle.mean(F.square_error_cost(answer, label))
    if optimizer:
        optimizer.minimize(loss)
    return hidden, answer, loss


def _fed():
    return {"x": ones(2, 3), "label": ones(2, 1)}


OPTIMIZERS = cases.table("optimizers", globals())


def for_test(make):
    hidden, _, _ = _net(make())
    before = details()
    copy = _main().clone(for_test=True)
    return {
        "types": types(copy.global_block()),
        "vars": sorted(copy.global_block().vars),
        "roles": sorted({op.attr("op_role") for op in copy.global_block().ops}),
        "is_test": [op.attr("is_test") for op in copy.global_block().ops if op.has_attr("is_test")],
        "original untouched": details() == before,
        "parameters": sorted(names(copy.all_parameters())),
        "hidden is the tanh": np.allclose(*run([hidden, "fc_0.tmp_2"], _fed(), copy)),
    }


for name, make in OPTIMIZERS.items():
    cases.add(f"for_test {name}", for_test, make)
