"""Section 6: copies of programs, and copies for testing."""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, ones, pairs, run, types, weight
from tests.support.parity.kit import Family, data, raises

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


def same_listing():
    _net(paddle.optimizer.SGD(0.1))
    return details(_main().clone()) == details()


def clone_is_independent():
    x = feed("x", 2)
    y = x + 1
    copy = _main().clone()
    with S.program_guard(copy):
        paddle.exp(copy.global_block().var(y.name))
    after_copy = types()
    paddle.tanh(y)
    other = copy.global_block()
    return {
        "main": [after_copy, types()],
        "copy": types(other),
        "vars": [other.var("x") is x, other.var("x").name, other.has_var("tanh_0.tmp_0")],
        "program": [other.program is copy, copy is _main()],
    }


def clone_keeps_flags_and_seed():
    x = S.data("x", [2])
    x.persistable = True
    feed("flowing", 2)
    weight(2)
    _main().random_seed = 7
    copy = _main().clone()
    block = copy.global_block()
    return {
        "seed": copy.random_seed,
        "flags": {n: [block.var(n).stop_gradient, block.var(n).persistable] for n in ("x", "flowing", "w")},
        "parameters": [[type(p).__name__, p.name, p.trainable] for p in copy.all_parameters()],
        "is_data": bool(block.var("x").is_data),
    }


def clone_keeps_sub_blocks():
    x = feed("x", 2)
    S.nn.cond(paddle.mean(x) > 0, lambda: x + 1, lambda: x - 1)
    copy = _main().clone()
    op = next(op for op in copy.global_block().ops if op.type == "conditional_block")
    inner = op.all_attrs()["sub_block"]
    return {
        "blocks": [copy.num_blocks, [types(block) for block in copy.blocks]],
        "links": [[block.idx, block.parent_idx] for block in copy.blocks],
        "attribute": [inner is copy.block(1), inner is _main().block(1)],
    }


def values_are_shared_by_name():
    w = weight(2)
    paddle.scale(w, 2.0)
    copy = _main().clone()
    exe = S.Executor()
    exe.run(S.default_startup_program())
    S.global_scope().find_var("w").get_tensor().set(np.full([2], 5.0, "float32"), paddle.CPUPlace())
    return [exe.run(_main(), fetch_list=["w"])[0], exe.run(copy, fetch_list=["w"])[0]]


def original_variables_can_be_fetched():
    x = feed("x", 2)
    y = paddle.exp(x)
    return run([y, x], {"x": ones(2)}, _main().clone())


def feeds_are_still_checked():
    y = paddle.exp(feed("x", -1, 3))
    copy = _main().clone()
    return [
        raises(lambda: run([y], {"x": ones(2, 4)}, copy), "x"),
        raises(lambda: run([y], {"x": np.ones([2, 3])}, copy), "float32"),
    ]


def clones_can_be_differentiated_separately():
    x, w = feed("x", -1, 3, stop=True), weight(3, 1)
    loss = paddle.mean(x @ w)
    copy = _main().clone()
    with S.program_guard(copy):
        found = S.append_backward(copy.global_block().var(loss.name))
    return {"main": types(), "copy": types(copy.global_block()), "pairs": pairs(found)}


@cases.ours(["b", "a", "exp_0.tmp_0"])
def order_of_the_variables():
    feed("b", 2)
    paddle.exp(feed("a", 2))
    return list(_main().clone().global_block().vars)


OPTIMIZERS = {
    "SGD": lambda: paddle.optimizer.SGD(0.1),
    "Adam": lambda: paddle.optimizer.Adam(0.1),
    "Momentum with decay": lambda: paddle.optimizer.Momentum(0.1, weight_decay=0.1),
    "clipped": lambda: paddle.optimizer.SGD(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)),
}


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


def for_test_before_minimize():
    _, _, loss = _net()
    copy = _main().clone(for_test=True)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [types(copy.global_block()), [op.attr("op_role") for op in copy.global_block().ops]]


def training_dropout_scales_what_it_keeps():
    x = feed("x", -1, 100)
    y = F.dropout(x, 0.75)
    (out,) = run([y], {"x": ones(20, 100)})
    (tested,) = run([y], {"x": ones(20, 100)}, _main().clone(for_test=True))
    return [
        sorted(set(out.ravel().tolist())),
        0.15 < out.astype(bool).mean() < 0.35,
        tested.min(),
        tested.max(),
    ]


def testing_while_training():
    _, answer, loss = _net(paddle.optimizer.SGD(0.1))
    test = _main().clone(for_test=True)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    first = exe.run(test, _fed(), [answer, loss])
    again = exe.run(test, _fed(), [answer, loss])
    exe.run(_main(), _fed())
    later = exe.run(test, _fed(), [loss])
    return [first, np.array_equal(first[0], again[0]), float(later[0]) != float(first[1])]


def for_test_drops_the_backward_blocks_of_pylayer():
    x = feed("x", 2)
    y = S.nn.static_pylayer(lambda a: paddle.exp(a), [x], lambda g: g * 2)
    S.gradients([y], [x])
    copy = _main().clone(for_test=True)
    return [
        _main().num_blocks,
        copy.num_blocks,
        [types(block) for block in copy.blocks],
        run([y], {"x": ones(2)}, copy),
    ]
