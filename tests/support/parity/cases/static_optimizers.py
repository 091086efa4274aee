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


OPTIMIZERS = {
    "SGD": lambda: optimizer.SGD(0.1),
    "SGD decay": lambda: optimizer.SGD(0.1, weight_decay=0.1),
    "SGD L1": lambda: optimizer.SGD(0.1, weight_decay=regularizer.L1Decay(0.1)),
    "SGD L2": lambda: optimizer.SGD(0.1, weight_decay=regularizer.L2Decay(0.1)),
    "Momentum": lambda: optimizer.Momentum(0.1, momentum=0.8),
    "Momentum nesterov": lambda: optimizer.Momentum(0.1, use_nesterov=True),
    "Momentum L2": lambda: optimizer.Momentum(0.1, weight_decay=regularizer.L2Decay(0.1)),
    "Adam": lambda: optimizer.Adam(0.1),
    "Adam betas": lambda: optimizer.Adam(0.1, beta1=0.8, beta2=0.9, epsilon=1e-3),
    "Adam L1": lambda: optimizer.Adam(0.1, weight_decay=regularizer.L1Decay(0.1)),
    "AdamW": lambda: optimizer.AdamW(0.1),
    "AdamW decay": lambda: optimizer.AdamW(0.1, weight_decay=0.2),
    "AdamW chosen": lambda: optimizer.AdamW(0.1, apply_decay_param_fun=lambda name: name.endswith("w_0")),
    "Adagrad": lambda: optimizer.Adagrad(0.1, epsilon=1e-3, initial_accumulator_value=0.5),
    "RMSProp": lambda: optimizer.RMSProp(0.1, rho=0.9, momentum=0.5),
    "RMSProp centered": lambda: optimizer.RMSProp(0.1, centered=True),
    "Lamb": lambda: optimizer.Lamb(0.1, lamb_weight_decay=0.02),
    "clip by value": lambda: optimizer.SGD(0.1, grad_clip=clip("Value", 0.3)),
    "clip by norm": lambda: optimizer.SGD(0.1, grad_clip=clip("Norm", 0.3)),
    "clip by global norm": lambda: optimizer.SGD(0.1, grad_clip=clip("GlobalNorm", 0.3)),
    "clip and decay": lambda: optimizer.Adam(0.1, weight_decay=0.1, grad_clip=clip("Value", 0.3)),
    "schedule": lambda: optimizer.SGD(optimizer.lr.StepDecay(0.1, step_size=2)),
}


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
