"""Section 7: running programs, what can be fetched, what a run leaves alone."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, declared, feed, ones, run, types, weight
from tests.support.parity.kit import Family, dtype_name, raises

cases = Family("static_exec")
X = np.array([[1.0, 2.0, 3.0]], "float32")


def places():
    made = (S.Executor(), S.Executor(None), S.Executor(paddle.CPUPlace()), S.Executor("cpu"))
    return [str(exe.place) for exe in made]


def close():
    exe = S.Executor()
    exe.run(S.Program())
    exe.close()
    exe.close()
    return raises(lambda: exe.run(S.Program()), "closed")


def default_program_is_main():
    y = feed("x", -1, 3) * 2
    return S.Executor().run(feed={"x": X}, fetch_list=[y])


def fetch_forms():
    x = feed("x", -1, 3)
    y, z = x * 2, paddle.mean(x)
    forms = {
        "none": None,
        "empty": [],
        "variable": z,
        "name": z.name,
        "tuple": (z, y.name),
        "mixed": [y, "x"],
    }
    exe = S.Executor()
    found = {name: exe.run(feed={"x": X}, fetch_list=form) for name, form in forms.items()}
    return found, [type(value).__name__ for value in found.values()], type(found["variable"][0]).__name__


def zero_d():
    x = feed("x", -1, 3)
    (total,) = run([paddle.sum(x)], {"x": X})
    return [total, list(total.shape), type(total).__name__]


def tensors_instead_of_arrays():
    x = feed("x", -1, 3)
    found = run([x * 2, paddle.sum(x)], {"x": X}, return_numpy=False)
    return [[np.array(t), list(t.shape())] for t in found]


def results_never_alias():
    x = feed("x", -1, 3)
    given, y = X.copy(), x * 2
    exe = S.Executor()
    first = exe.run(feed={"x": given}, fetch_list=[x, y, y])
    first[0][:] = 7.0
    first[1][:] = 7.0
    return given, first, exe.run(feed={"x": given}, fetch_list=[x, y])


def parameters_fetched_are_copies():
    w = weight(2)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    first = exe.run(fetch_list=[w])[0]
    first[:] = 7.0
    return exe.run(fetch_list=[w])


def noting(seen, name):
    """A py_func that writes down when it runs."""

    def func(t):
        seen.append(name)
        return np.array(t)

    return func


def _two_probes():
    seen, x = [], feed("x", 2)
    first = S.py_func(noting(seen, "first"), x, declared("a", 2))
    S.py_func(noting(seen, "second"), first, declared("b", 2))
    S.py_func(noting(seen, "third"), x, declared("c", 2))
    return seen


def everything_runs_in_order():
    seen = _two_probes()
    run(["a"], {"x": ones(2)})
    run(None, {"x": ones(2)})
    return seen


def use_prune():
    seen = _two_probes()
    run(["b"], {"x": ones(2)}, use_prune=True)
    run(["c"], {"x": ones(2)}, use_prune=True)
    return seen


def operators_added_between_runs():
    x = feed("x", -1, 3)
    y = x * 2
    first = run([y], {"x": X})
    before = types()
    z = y + 1.0
    second = run([y, z], {"x": X})
    return [first, second, before, types()]


def running_adds_nothing():
    x = feed("x", -1, 3)
    y = paddle.nn.functional.relu(S.nn.fc(x, 2))
    main = S.default_main_program()
    before = str(main), list(main.global_block().vars)
    run([y], {"x": X})
    return before == (str(main), list(main.global_block().vars))


def any_size_for_minus_one():
    y = feed("x", -1, -1) * 2
    exe = S.Executor()
    return [
        exe.run(feed={"x": ones(*shape)}, fetch_list=[y])[0] for shape in ((1, 3), (2, 1), (4, 2), (0, 3))
    ]


def fetch_any_global_variable():
    x = feed("x", -1, 3)
    w = weight(3, 2)
    loss = paddle.mean(paddle.matmul(x, w))
    S.append_backward(loss)
    return run(["x", "w", w, "matmul_v2_0.tmp_0", "x@GRAD", "w@GRAD", f"{loss.name}@GRAD"], {"x": X})


def fetch_sees_the_update():
    x = feed("x", -1, 3)
    w = weight(3, 2)
    loss = paddle.mean(paddle.matmul(x, w))
    paddle.optimizer.SGD(0.5).minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(feed={"x": X}, fetch_list=[w, loss]) for _ in range(2)]


def fetch_unknown():
    x = feed("x", 2)
    paddle.assign(x)
    return raises(lambda: run(["nobody"], {"x": ones(2)}), "nobody")


def fetch_inside_a_branch():
    x = feed("x", 2)
    S.nn.cond(paddle.mean(x) < 5.0, lambda: paddle.exp(x), lambda: x)
    return raises(lambda: run(["exp_0.tmp_0"], {"x": ones(2)}), "exp_0.tmp_0")


def fetch_wrong_things():
    feed("x", 2)
    return [
        raises(lambda thing=thing: run([thing], {"x": ones(2)}), "fetch_list") for thing in (3, None, 2.5)
    ]


def fetch_result_of_minimize():
    x = feed("x", -1, 3)
    loss = paddle.mean(S.nn.fc(x, 2, bias_attr=False, weight_attr=constant(0.5)))
    found = paddle.optimizer.SGD(0.1).minimize(loss)
    return run([loss, found], {"x": X}), run([found, loss.name], {"x": X})


def constant(value):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(value))


def feeds_a_parameter():
    w = weight(2)
    y = w * 2
    exe = S.Executor()
    exe.run(S.default_startup_program())
    fed = exe.run(feed={"w": np.array([5.0, 6.0], "float32")}, fetch_list=[w, y])
    return fed, exe.run(fetch_list=[w, y])


def feeds_an_intermediate():
    x = feed("x", -1, 3)
    y = x * 2
    return run([y], {"x": X, y.name: X * 100})


def compiled_program():
    x = feed("x", -1, 3)
    y = paddle.mean(x)
    compiled = S.CompiledProgram(S.default_main_program())
    strategy = S.CompiledProgram(S.default_main_program(), build_strategy=S.BuildStrategy())
    return run([y], {"x": X}, compiled), run([y], {"x": X}, strategy)


def compiled_program_of_something_else():
    return raises(lambda: S.CompiledProgram(3))


def dtypes_of_results():
    kinds = ("float32", "float64", "int32", "int64", "bool")
    made = [feed(kind, 1, dtype=kind, stop=True) for kind in kinds]
    found = run(made, {kind: np.ones(1, kind) for kind in kinds})
    return [dtype_name(array) for array in found]
