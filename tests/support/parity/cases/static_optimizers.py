"""Section 14: what an optimizer appends, and whom it refuses."""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, ones, pairs, types, weight
from tests.support.parity.kit import Family, raises

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


def whole_programs():
    optimizer.SGD(0.1).minimize(_net())
    return details(), details(S.default_startup_program())


def order_of_the_updates():
    ws = [weight(1, name=name) for name in ("b", "c", "a")]
    loss = paddle.mean(ws[0] * ws[1] * ws[2])
    _, updated = optimizer.SGD(0.1).minimize(loss)
    updates = [op.input("Param") for op in _block().ops if op.type == "sgd"]
    return [updates, pairs(updated)]


def roles():
    optimizer.Momentum(0.1, weight_decay=0.1, grad_clip=clip("Norm", 1.0)).minimize(_linear())
    return [[op.type, op.attr("op_role"), op.attr("op_role_var")] for op in _block().ops]


def rate_of_a_parameter():
    attr = paddle.ParamAttr(learning_rate=0.5, initializer=paddle.nn.initializer.Constant(1.0))
    w = S.create_parameter([3, 1], "float32", attr=attr)
    optimizer.SGD(0.1).minimize(paddle.mean(feed("x", -1, 3, stop=True) @ w))
    exe = S.Executor()
    exe.run(S.default_startup_program())
    roles = [[op.type, op.attr("op_role"), op.attr("op_role_var")] for op in _block().ops]
    return [roles, exe.run(feed={"x": ones(2, 3)}, fetch_list=[w])]


def regularizer_of_a_parameter_wins():
    attr = paddle.ParamAttr(
        regularizer=regularizer.L1Decay(0.5), initializer=paddle.nn.initializer.Constant(1.0)
    )
    w = S.create_parameter([3, 1], "float32", attr=attr)
    optimizer.SGD(0.1, weight_decay=regularizer.L2Decay(0.1)).minimize(
        paddle.mean(feed("x", -1, 3, stop=True) @ w)
    )
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [types(), exe.run(feed={"x": ones(2, 3)}, fetch_list=[w])]


def parameter_that_is_not_clipped():
    attr = paddle.ParamAttr(need_clip=False, initializer=paddle.nn.initializer.Constant(1.0))
    w = S.create_parameter([3, 1], "float32", attr=attr)
    optimizer.SGD(0.1, grad_clip=clip("Norm", 0.1)).minimize(paddle.mean(feed("x", -1, 3, stop=True) @ w))
    return types()


def backward_and_apply_equal_minimize():
    def build(train):
        with S.program_guard(S.Program(), S.Program()), paddle.utils.unique_name.guard():
            train(optimizer.Adam(0.1, weight_decay=0.1), _net())
            return details(), details(S.default_startup_program())

    whole = build(lambda opt, loss: opt.minimize(loss))
    return build(lambda opt, loss: opt.apply_gradients(opt.backward(loss))) == whole


def backward_returns_pairs():
    return [pairs(optimizer.SGD(0.1).backward(_linear())), types()]


def minimize_of_chosen_parameters():
    _, updated = optimizer.SGD(0.1).minimize(_net(), parameters=["fc_0.w_0"])
    return [pairs(updated), types()]


def minimize_without_chosen_variables():
    _, updated = optimizer.SGD(0.1).minimize(_net(), no_grad_set={"fc_0.w_0"})
    return [pairs(updated), types()]


def minimize_into_another_startup_program():
    main, startup = S.Program(), S.Program()
    with S.program_guard(main, startup):
        loss = _linear()
    optimizer.Adam(0.1).minimize(loss, startup)
    return [types(main.global_block()), types(startup.global_block()), types()]


def frozen_parameters_are_left_out():
    w = weight(3, 1)
    w.stop_gradient = True
    v = weight(1, name="v")
    _, updated = optimizer.SGD(0.1).minimize(paddle.mean(feed("x", -1, 3, stop=True) @ w * v))
    return [pairs(updated), types()]


def nothing_to_train():
    found = optimizer.SGD(0.1).minimize(paddle.mean(feed("x", -1, 3)))
    return [[list(part) for part in found], types()]


def nothing_to_train_though_there_is_a_parameter():
    weight(2)
    found = optimizer.Adam(0.1).minimize(paddle.mean(feed("x", -1, 3)))
    return [[list(part) for part in found], types()]


def refusals():
    return [
        raises(lambda: optimizer.SGD("0.1"), "learning rate"),
        raises(lambda: optimizer.SGD(None)),
        raises(lambda: optimizer.SGD(0.1).minimize(3.0), "loss"),
        raises(lambda: optimizer.SGD(0.1).minimize("loss"), "loss"),
    ]


def set_lr_is_for_dynamic_mode():
    opt = optimizer.SGD(0.1)
    opt.minimize(_linear())
    return [opt.get_lr(), raises(lambda: opt.set_lr(0.5), "dynamic")]


def get_lr_of_a_schedule():
    schedule = optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5)
    opt = optimizer.SGD(schedule)
    opt.minimize(_linear())
    seen = []
    for _ in range(5):
        seen.append(opt.get_lr())
        schedule.step()
    return seen


def schedule_is_written_before_each_run():
    schedule = optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5)
    opt = optimizer.SGD(schedule)
    opt.minimize(_linear())
    exe = S.Executor()
    exe.run(S.default_startup_program())
    seen = []
    for _ in range(5):
        seen += exe.run(feed={"x": ones(2, 3)}, fetch_list=["learning_rate_0", "w"])
        schedule.step()
    return seen


def accumulators_start():
    found = {}
    for name in ("Momentum", "Adam", "AdamW", "Adagrad", "RMSProp"):
        with (
            S.program_guard(S.Program(), S.Program()),
            S.scope_guard(S.Scope()),
            paddle.utils.unique_name.guard(),
        ):
            getattr(optimizer, name)(0.1).minimize(_linear())
            S.Executor().run(S.default_startup_program())
            persistent = sorted(v.name for v in S.default_main_program().list_vars() if v.persistable)
            found[name] = {n: np.array(S.global_scope().find_var(n).get_tensor()) for n in persistent}
    return found


def two_optimizers_over_one_program():
    first, second = weight(2, name="a"), weight(2, name="b")
    optimizer.SGD(0.1).minimize(paddle.mean(first * 2), parameters=[first])
    optimizer.Momentum(0.1).minimize(paddle.mean(second * 3), parameters=[second])
    return [types(), names(v for v in S.default_main_program().list_vars() if v.persistable)]


def _run_steps(steps=5):
    """The Executor after the startup program and some steps, and what w was after each."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    rng = np.random.RandomState(3)
    feeds = [rng.uniform(-1, 1, (2, 3)).astype("float32") for _ in range(steps)]
    return exe, [exe.run(feed={"x": one}, fetch_list=["w"])[0] for one in feeds]


def _curved():
    """One parameter w, and a loss that is not linear."""
    return paddle.mean(paddle.tanh(feed("x", -1, 3, stop=True) @ weight(3, 1)))


def lamb_runs():
    optimizer.Lamb(0.1).minimize(_curved())
    return _run_steps()[1]
