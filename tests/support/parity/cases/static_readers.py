"""paddle.base: feeders and loaders of Paddle 1, layers made by hand, kinds of Variables, names counted anew."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family, raises

cases = Family("static_readers")
base, core = paddle.base, paddle.base.core
LayerHelper = base.layer_helper.LayerHelper
ROWS = [(np.full(4, number, "float64"), [number]) for number in range(5)]


def placeholders():
    return [feed("x", -1, 2, 2, stop=True), feed("y", -1, 1, dtype="int64", stop=True)]


def plain(batch):
    """A batch as lists, whatever holds it."""
    if isinstance(batch, dict):
        return {name: np.array(value).tolist() for name, value in sorted(batch.items())}
    return [plain(one) if isinstance(one, (dict, list)) else np.array(one).tolist() for one in batch]


@cases
def rows_become_a_tensor_for_each_placeholder():
    fed = base.DataFeeder(placeholders(), paddle.CPUPlace()).feed(ROWS[:2])
    return plain(fed), [str(np.array(fed[name]).dtype) for name in "xy"]


@cases
def a_feeder_takes_names():
    placeholders()
    return plain(base.DataFeeder(["y"], paddle.CPUPlace()).feed([[[3]], [[4]]]))


@cases
def a_feeder_refuses_rows_of_other_lengths():
    return raises(lambda: base.DataFeeder(placeholders(), None).feed([(ROWS[0][0],)]), "number of fields")


@cases
def a_feeder_refuses_what_is_no_variable():
    return raises(lambda: base.DataFeeder([3], None), "should contain a list of variable")


@cases
def a_layer_by_hand():
    x = feed("x", -1, 3)
    helper = LayerHelper("mine", input=x, act="tanh", bias_attr=None)
    weight = helper.create_parameter(attr=helper.param_attr, shape=[3, 2], dtype=helper.input_dtype())
    out = helper.create_variable_for_type_inference(dtype=helper.input_dtype())
    helper.append_op(type="mul", inputs={"X": [x], "Y": [weight]}, outputs={"Out": [out]})
    done = helper.append_activation(helper.append_bias_op(out))
    return done.name, [int(size) for size in done.shape], listing()


@cases
def kinds_of_variables():
    kinds = core.VarDesc.VarType
    x = feed("x", 2)
    return [
        str(x.type), x.type == kinds.LOD_TENSOR, paddle.float32 == kinds.FP32, x.dtype == kinds.FP32,
        str(kinds.STEP_SCOPES), x.element_size(), feed("k", 2, dtype="int64").element_size(),
        base.framework.convert_np_dtype_to_dtype_("float64") == paddle.float64, base.framework.grad_var_name("x"),
    ]  # fmt: skip


@cases
def names_counted_anew():
    names = paddle.utils.unique_name
    before = names.generate("thing")
    kept = names.switch()
    inside = names.generate("thing")
    names.switch(*kept)
    return [before, inside, names.generate("thing"), len(kept)]


@cases
def modes_by_their_older_names():
    answers = [base.dygraph.enabled(), base.in_dygraph_mode(), paddle.is_grad_enabled()]
    with base.dygraph.guard():
        answers += [base.dygraph.enabled(), paddle.is_grad_enabled(), float(paddle.ones([]) + 1)]
    return [*answers, base.dygraph.enabled()]


@cases
def values_of_a_scope_as_arrays():
    scope = core.Scope()
    scope.var("data").get_tensor().set(np.ones((2, 2), "float32"), core.CPUPlace())
    return base.executor.as_numpy(scope.find_var("data").get_tensor())


@cases
def moved_variables():
    x = feed("x", 2)
    found = run([x.cpu()], {"x": np.ones(2, "float32")})
    return found, listing()


@cases
def a_seed_for_all_programs():
    S.default_main_program().global_seed(7)
    try:
        return (
            S.default_main_program().random_seed,
            S.Program().random_seed,
            S.default_startup_program().random_seed,
        )
    finally:
        S.default_main_program().global_seed(0)


@cases
def what_targets_need():
    y = S.nn.fc(feed("x", 2, 3), 2)
    grown, bent = paddle.exp(y), paddle.tanh(y)
    S.append_backward(paddle.mean(grown))
    program = S.default_main_program()
    pruned = [
        program._prune([bent]), program._prune(grown.name), program._prune_with_input([y.name], grown),
        program._prune(grown.op),
    ]  # fmt: skip
    found = [[[op.type for op in one.global_block().ops], sorted(one.global_block().vars)] for one in pruned]
    return found, raises(lambda: program._prune(3), "targets")


@cases
def readable_code():
    y = S.nn.fc(feed("x", 2, 3), 2, bias_attr=False)
    program = S.default_main_program()
    readable = [y._to_readable_code(), y.op._to_readable_code(), program._to_readable_code()]
    return [text.replace(", with_quant_attr = False", "").replace("op_device = , ", "") for text in readable]
