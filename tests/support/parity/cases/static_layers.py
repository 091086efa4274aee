"""paddle.static.nn: convolutions of volumes, bilinear and row products, norms, While, and parameters in files."""

import tempfile
import warnings

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family, raises

cases = Family("static_layers")
CUBE = np.random.default_rng(0).normal(size=(2, 2, 4, 5, 3)).astype("float32")
ROWS = np.random.default_rng(1).normal(size=(2, 4, 3)).astype("float32")


def ramp(*shape):
    numbers = np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype("float32")
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(numbers))


def started(out, fed):
    """What the layer gives, and the gradient of its input."""
    x = S.default_main_program().global_block().var(next(iter(fed)))
    found = S.gradients(paddle.sum(out * out), x)
    parameters = [[one.name, [int(size) for size in one.shape]] for one in x.block.all_parameters()]
    S.Executor().run(S.default_startup_program())
    return [int(size) for size in out.shape], parameters, run([out, *found], fed)


@cases
def conv3d():
    x = feed("x", 2, 2, 4, 5, 3)
    out = S.nn.conv3d(
        x, 4, [3, 2, 2], stride=2, padding=1, groups=2, param_attr=ramp(4, 1, 3, 2, 2), act="tanh"
    )
    return started(out, {"x": CUBE})


@cases
def conv3d_transpose():
    x = feed("x", 2, 2, 4, 5, 3)
    out = S.nn.conv3d_transpose(
        x, 3, filter_size=2, stride=2, param_attr=ramp(2, 3, 2, 2, 2), bias_attr=ramp(3)
    )
    return started(out, {"x": CUBE})


@cases
def conv3d_transpose_to_a_size():
    out = S.nn.conv3d_transpose(feed("x", 2, 2, 4, 5, 3), 3, output_size=[8, 9, 6], stride=2)
    return [int(size) for size in out.shape], [list(one.shape) for one in out.block.all_parameters()]


@cases
def conv3d_refuses():
    x = feed("x", 2, 2, 4, 5, 3)
    return [
        raises(lambda: S.nn.conv3d(x, 4, 2, groups=3), "must be divisible by"),
        raises(lambda: S.nn.conv3d_transpose(x, 4), "output_size", "filter_size"),
    ]


@cases
def bilinear_tensor_product():
    x, y = feed("x", 4, 3), feed("y", 4, 3)
    out = S.nn.bilinear_tensor_product(x, y, 2, param_attr=ramp(2, 3, 3), bias_attr=ramp(1, 2))
    return started(out, {"x": ROWS[0], "y": ROWS[1]})


@cases
def row_conv():
    return started(S.nn.row_conv(feed("x", 2, -1, 3), 2, param_attr=ramp(3, 3)), {"x": ROWS})


@cases
def spectral_norm_of_a_weight():
    weight = S.create_parameter([2, 8, 4], "float32", name="w")
    out = S.nn.spectral_norm(weight, dim=1, power_iters=2)
    found = [[one.name, list(one.shape), one.stop_gradient] for one in out.block.all_parameters()]
    return list(out.shape), found


@cases
def spectral_norm_makes_the_largest_singular_value_one():
    weight = S.create_parameter([3, 4], "float32", attr=ramp(3, 4))
    out = S.nn.spectral_norm(weight, power_iters=50)
    S.Executor().run(S.default_startup_program())
    return run([out])


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
def a_weight_of_length_and_direction():
    wide = S.WeightNormParamAttr(dim=1, initializer=ramp(3, 2).initializer)
    out = S.nn.fc(feed("x", 4, 3), 2, weight_attr=wide)
    S.Executor().run(S.default_startup_program())
    names = [one.name for one in out.block.all_parameters()]
    return names, run([out, *names], {"x": ROWS[0]})


@cases
def a_weight_of_one_length_and_its_gradients():
    whole = S.WeightNormParamAttr(name="whole", initializer=ramp(3, 2).initializer)
    out = S.nn.fc(feed("x", 4, 3), 2, weight_attr=whole)
    S.append_backward(paddle.sum(out * out))
    S.Executor().run(S.default_startup_program())
    names = [one.name for one in out.block.all_parameters()]
    return names, run([out, *names, *(f"{name}@GRAD" for name in names)], {"x": ROWS[0]})


@cases
def updates_of_what_a_program_reads():
    out = S.nn.fc(feed("x", 4, 3, stop=True), 2, weight_attr=ramp(3, 2))
    paddle.mean(out)
    ops, pairs = paddle.base.backward.gradients_with_optimizer(
        S.default_main_program(), paddle.optimizer.SGD(0.1)
    )
    return [op.type for op in ops], sorted([one.name, grad.name] for one, grad in pairs)


@cases
def the_area_under_the_curve():
    rng = np.random.default_rng(0)
    predict, label = feed("predict", -1, 2), feed("label", -1, 1, dtype="int64")
    area, of_the_last, counts = S.auc(predict, label, num_thresholds=7, slide_steps=2)
    S.Executor().run(S.default_startup_program())
    seen = []
    for _ in range(4):
        chance = rng.uniform(size=(5, 1)).astype("float32")
        fed = {"predict": np.concatenate([1 - chance, chance], 1), "label": rng.integers(0, 2, (5, 1))}
        seen.append(run([area, of_the_last, *counts], fed))
    return seen


@cases
def the_area_of_any_curve_is_that_of_roc():
    predict, label, real = feed("predict", 6, 2), feed("label", 6, 1, dtype="int64"), feed("real", 6, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        area, _, _ = S.auc(predict, label, curve="PR", ins_tag_weight=real)
    S.Executor().run(S.default_startup_program())
    chance = np.array([[0.1], [0.4], [0.35], [0.8], [0.7], [0.2]], "float32")
    fed = {"predict": np.concatenate([1 - chance, chance], 1), "real": np.zeros((6, 1), "float32")}
    return run([area], fed | {"label": np.array([[0], [0], [1], [1], [0], [1]])})


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
