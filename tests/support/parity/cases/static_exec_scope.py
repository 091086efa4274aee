"""Section 8: scopes, and where programs share their numbers."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, ones, run, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_exec_scope")


def held(name, scope=None):
    """The numbers of a variable in the scope in force, or None."""
    found = (scope or S.global_scope()).find_var(name)
    return None if found is None else np.array(found.get_tensor())


def write(value, scope=None):
    """Put other numbers into the parameter `w`."""
    tensor = (scope or S.global_scope()).find_var("w").get_tensor()
    tensor.set(np.full(2, value, "float32"), paddle.CPUPlace())


def _start():
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe


def variables():
    scope = S.Scope()
    made = scope.var("a")
    missing = scope.find_var("b")
    return missing is None, made is not None, scope.find_var("a") is not None


def children_see_their_parents():
    scope = S.Scope()
    scope.var("a")
    child = scope.new_scope()
    child.var("b")
    return child.find_var("a") is not None, scope.find_var("b") is None


def reading_and_writing_tensors():
    w = weight(2)
    exe = _start()
    tensor = S.global_scope().find_var("w").get_tensor()
    before = np.array(tensor), list(tensor.shape())
    write(5.0)
    return before, exe.run(fetch_list=[w]), held("w")


def writing_another_shape_and_dtype():
    scope = S.Scope()
    tensor = scope.var("a").get_tensor()
    tensor.set(np.array([[1, 2]], "int64"), paddle.CPUPlace())
    return held("a", scope), list(tensor.shape())


def guard():
    outer, inner = S.global_scope(), S.Scope()
    with S.scope_guard(inner):
        inside = S.global_scope() is inner
    return inside, S.global_scope() is outer


def guard_restores_after_an_exception():
    outer = S.global_scope()

    def fails():
        with S.scope_guard(S.Scope()):
            raise KeyError("x")

    return raises(fails), S.global_scope() is outer


def only_what_persists_stays():
    x = feed("x", 2)
    w = weight(2)
    y = paddle.mean(x * w)
    paddle.optimizer.Momentum(0.5).minimize(y)
    run([y], {"x": ones(2)})
    gone = [held(name) is None for name in (y.name, "tmp_0", "w@GRAD")]
    return gone, held("w"), held("w_velocity_0"), held("learning_rate_0")


def scopes_are_independent():
    w = weight(2)
    one, other = S.Scope(), S.Scope()
    exe = S.Executor()
    exe.run(S.default_startup_program(), scope=one)
    exe.run(S.default_startup_program(), scope=other)
    write(9.0, one)
    return [exe.run(fetch_list=[w], scope=scope) for scope in (one, other)], held("w") is None


def programs_share_by_name():
    weight(2)
    exe = _start()
    write(9.0)
    main, startup = S.Program(), S.Program()
    with S.program_guard(main, startup):
        y = weight(2, value=4.0) * 2
    before = exe.run(main, fetch_list=[y])
    exe.run(startup)
    return before, exe.run(main, fetch_list=[y]), held("w")


def startup_again_starts_again():
    w = weight(2)
    exe = _start()
    write(9.0)
    exe.run(S.default_startup_program())
    return exe.run(fetch_list=[w])


def values_of_variables():
    w = weight(2)
    before = raises(w.get_value, "w")
    _start()
    w.set_value(np.array([3.0, 4.0], "float32"))
    wrong = raises(lambda: w.set_value(np.ones(3, "float32")), "shape")
    return before, np.array(w.get_value()), wrong
