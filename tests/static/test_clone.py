"""Clones: independent in everything but the values of the Scope."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
F = paddle.nn.functional


def objects(program):
    """All Variables and Blocks that a Program's Operators know."""
    found = set()
    for block in program.blocks:
        found.add(block)
        for op in block.ops:
            found.update(one for one in (*op.reads(), *op.writes()) if one is not None)
            found.update(op.blocks())
            found.update(
                one for slot in (*op.inputs.values(), *op.outputs.values()) for one in slot if one is not None
            )
    return found


def everything():
    x = S.data("x", [-1, 3])
    x.stop_gradient = False
    y = S.nn.cond(paddle.mean(x) > 0, lambda: S.nn.fc(x, 3), lambda: paddle.exp(x))
    y = S.nn.static_pylayer(lambda a: paddle.tanh(a), [y], lambda d: d * 2.0)
    i = paddle.zeros([1], "int64")
    _, y = S.nn.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, y * x], [i, y])
    y = paddle.reshape(F.dropout(y, 0.5), [paddle.shape(x)[0], -1])
    paddle.optimizer.Adam(0.1).minimize(paddle.mean(y))
    return y


def test_a_clone_shares_no_object_with_the_original():
    everything()
    main = S.default_main_program()
    assert not objects(main) & objects(main.clone())
    assert all(one.program is not main for one in main.clone().blocks)


def test_a_clone_prints_the_same():
    everything()
    assert str(S.default_main_program().clone()) == str(S.default_main_program())


def test_a_clone_for_test_runs_without_training():
    y = everything()
    main = S.default_main_program()
    test = main.clone(for_test=True)
    assert not objects(main) & objects(test)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    x = np.ones((2, 3), "float32")
    assert np.array_equal(*[exe.run(test, {"x": x}, [y])[0] for _ in range(2)])
    assert not [one.name for one in test.list_vars() if "@GRAD" in one.name or "moment" in one.name]
    assert {op.role for block in test.blocks for op in block.ops} <= {0, 256}


def test_operators_of_a_clone_know_their_forward_operators():
    y = paddle.tanh(paddle.exp(S.create_parameter([2], "float32")))
    S.append_backward(paddle.mean(y))
    copy = S.default_main_program().clone()
    origins = [op.origin for op in copy.global_block().ops if op.type == "tanh_grad"]
    assert [origin in copy.global_block().ops for origin in origins] == [True]


def test_variables_of_a_clone_know_the_operator_that_made_them():
    y = paddle.exp(S.data("x", [2]))
    copy = S.default_main_program().clone()
    assert copy.global_block().var(y.name).op is copy.global_block().ops[0]
    assert y.op is S.default_main_program().global_block().ops[0]
