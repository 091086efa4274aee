"""Section 14: what an optimizer appends, and whom it refuses."""

import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, pairs, weight
from tests.support.parity.kit import Family

cases = Family("static_optimizers")
S = paddle.static
optimizer = paddle.optimizer
regularizer = paddle.regularizer


def _block():
    return S.default_main_program().global_block()


def _net(**options):
    """Two fc layers and their loss."""
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, stop=True)
    answer = S.nn.fc(S.nn.fc(x, 4, activation="tanh"), 1, **options)
    return paddle.mean(paddle.nn.functional.square_error_cost(answer, label))


def _linear():
    """One parameter w and a loss."""
    return paddle.mean(feed("x", -1, 3, stop=True) @ weight(3, 1))


def clip(name, *args):
    return getattr(paddle.nn, f"ClipGradBy{name}")(*args)


OPTIMIZERS = cases.table("optimizers", globals())


def appended(make):
    """What minimize appends after the gradients and to the startup program, and what it returns."""
    ops, updated = make().minimize(_net())
    (main,) = details()
    kinds = [getattr(op, "type", None) for op in ops] if isinstance(ops, list) else ops
    return {
        "ops": [line for line in main["ops"] if " | 2 " in line],
        "vars": main["vars"],
        "startup": details(S.default_startup_program())[0]["ops"],
        "returned": [kinds, pairs(updated)],
    }


for text, make in OPTIMIZERS.items():
    cases.add(text, appended, make)


def roles():
    optimizer.Momentum(0.1, weight_decay=0.1, grad_clip=clip("Norm", 1.0)).minimize(_linear())
    return [[op.type, op.attr("op_role"), op.attr("op_role_var")] for op in _block().ops]
