"""paddle.static: While, what a Program reads and updates, parameters in files, settings of strategies."""

import tempfile

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family, raises

cases = Family("static_layers")


def ramp(*shape):
    numbers = np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype("float32")
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(numbers))


@cases
def a_loop_in_a_with_block():
    i, end = paddle.full([1], 0, "int64"), paddle.full([1], 5, "int64")
    total, step = paddle.full([1], 0.0), feed("step", 1)
    cond = paddle.less_than(i, end)
    loop = S.nn.control_flow.While(cond=cond)
    with loop.block():
        paddle.assign(total + step, total)
        i = paddle.increment(i, value=1)
        paddle.assign(paddle.less_than(i, end), output=cond)
    return run([i, total], {"step": np.full(1, 0.5, "float32")})


@cases
def a_loop_refuses_conditions():
    While = S.nn.control_flow.While
    return [
        raises(lambda: While(3), "cond"),
        raises(lambda: While(paddle.full([2], True, "bool")), "condition", "shape"),
        raises(lambda: While(feed("x", 1)), "cond", "bool"),
    ]


@cases
def variables_in_files():
    S.nn.fc(feed("x", 4, 3), 2, weight_attr=ramp(3, 2))
    program, scope, executor = S.default_main_program(), S.global_scope(), S.Executor()
    executor.run(S.default_startup_program())
    weights = [one for one in program.all_parameters() if "w_0" in one.name]
    seen = [[one.name for one in S.io.get_program_persistable_vars(program)]]
    with tempfile.TemporaryDirectory() as folder:
        for how in ({"vars": weights, "filename": "all"}, {"predicate": lambda one: "w_0" in one.name}):
            S.io.save_vars(executor, folder, main_program=program, **how)
            held = scope.find_var(weights[0].name).get_tensor()
            held.set(np.zeros((3, 2), "float32"), paddle.CPUPlace())
            S.io.load_vars(executor, folder, main_program=program, **how)
            seen.append(np.array(scope.find_var(weights[0].name).get_tensor()).tolist())
    return seen


@cases
def variables_of_what_is_no_program():
    return raises(lambda: S.io.save_vars(S.Executor(), "x", main_program=3), "Program")


@cases
def settings_of_strategies():
    def settings(strategy):
        names = [name for name in dir(strategy) if name[0] != "_" and name != "mkldnn_enabled_op_types"]
        return {
            name: value
            for name in names
            if isinstance(value := getattr(strategy, name), (bool, int, str, list))
        }

    build = S.BuildStrategy()
    kinds = [str(build.reduce_strategy), str(build.gradient_scale_strategy), build.memory_optimize]
    build.reduce_strategy = S.BuildStrategy.ReduceStrategy.Reduce
    return settings(S.BuildStrategy()), settings(S.ExecutionStrategy()), kinds, str(build.reduce_strategy)
