"""What is in a Scope, was fed, or was fetched never shares memory; Programs and their values are let go."""

import gc
import weakref
from itertools import combinations

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
X = np.array([1.0, 2.0, 3.0])
pytestmark = pytest.mark.usefixtures("building")


def test_nothing_shares_memory_after_a_run():
    x, w = S.data("x", [3], "float64"), S.create_parameter([3], "float64")
    handed_on = [S.Print(one, print_phase="backward") for one in (x, w, w * 1.0)]
    views = [paddle.reshape(w, [3, 1]), paddle.transpose(paddle.reshape(x, [1, 3]), [1, 0])]
    for one in (*handed_on, *views, handed_on[2].op.inputs["In"][0]):
        one.persistable = True
    exe, scope, fed = S.Executor(), S.Scope(), X.copy()
    exe.run(S.default_startup_program(), scope=scope)
    fetched = exe.run(feed={"x": fed}, fetch_list=[x, w, x, w, *handed_on, *views], scope=scope)
    held = [scope.find_var(name).value for name in scope.local_var_names()]
    assert len(held) == 7
    assert not any(np.shares_memory(one, other) for one, other in combinations([fed, *fetched, *held], 2))


def test_views_keep_their_values_when_a_parameter_is_updated():
    start = paddle.nn.initializer.Constant(1.0)
    x, w = S.data("x", [3], "float64"), S.create_parameter([2, 3], "float64", default_initializer=start)
    views = [
        paddle.reshape(w, [3, 2]), paddle.transpose(w, [1, 0]), w[0], paddle.squeeze(paddle.unsqueeze(w, 0), 0),
        paddle.flatten(w), paddle.expand(w, [2, 2, 3]), paddle.reshape(paddle.transpose(w, [1, 0]), [-1]),
        S.nn.cond(paddle.sum(x) > 0, lambda: paddle.reshape(w, [6]), lambda: paddle.reshape(w, [6]) * 2.0),
        S.nn.static_pylayer(lambda a: paddle.reshape(a, [6]), [w], lambda d: paddle.reshape(d, [2, 3])),
    ]  # fmt: skip
    paddle.optimizer.SGD(1.0).minimize(paddle.sum(w * x))
    S.Executor().run(S.default_startup_program())
    *found, after = S.Executor().run(feed={"x": X}, fetch_list=[*views, w])
    assert all((one == 1.0).all() for one in found)
    assert after.tolist() == [[0.0, -1.0, -2.0]] * 2


def test_programs_and_their_clones_are_let_go():
    def build_and_run():
        with S.program_guard(S.Program(), S.Program()), S.scope_guard(S.Scope()):
            x = S.data("x", [3], "float64")
            x.stop_gradient = False
            y = S.nn.cond(paddle.sum(x) > 0, lambda: paddle.tanh(x), lambda: x)
            y = S.nn.static_pylayer(lambda a: a * a, [y], lambda d: d * 2.0)
            _, y = S.nn.while_loop(
                lambda i, y: i < 2, lambda i, y: [i + 1, y * x], [paddle.zeros([1], "int64"), y]
            )
            out = S.default_main_program().global_block().create_var(shape=[3], dtype="float64")
            y = S.py_func(lambda a: a, y, out, lambda a, o, d: d)
            (grad,) = S.gradients(y, x)
            main = S.default_main_program()
            programs = [main, main.clone(), main.clone(for_test=True)]
            for one in programs[:2]:
                S.Executor().run(one, {"x": X}, [grad.name])
            return [weakref.ref(one) for one in (*programs, x, y, grad)]

    refs = build_and_run()
    gc.collect()
    assert [one() for one in refs] == [None] * 6
