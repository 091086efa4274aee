"""What scripts ask of Programs beside the main road: nested fetches, pruning, hooks, rows, straight-through rules."""

import os
import tempfile
from io import BytesIO
from operator import add

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, ones, run, types
from tests.support.parity.kit import Family, dtype_name, raises, refusal

cases = Family("static_asked")
X = np.array([[1.0, 2.0], [3.0, 4.0]], "float32")
Constant = paddle.nn.initializer.Constant


def _block():
    return S.default_main_program().global_block()


def _squares():
    """A sum of squares, and its gradient."""
    x = feed("x", 2, 2)
    y = paddle.sum(x * x)
    return y, S.gradients(y, x)


# -- fetch_list and use_prune ------------------------------------------------------------------------------------------


def lists_in_a_fetch_list_are_flattened():
    y, found = _squares()
    forms = ([y, found], [y, tuple(found)], [y, [found[0], "x"], "x@GRAD"], [[], y], S.append_backward(y))
    return [run(form, {"x": X}) for form in forms]


def a_fetch_list_holds_variables():
    y, found = _squares()
    wrong = ([y, [found]], [y, [None]], [y, None], [y, {}], [y, [3]], [y, y.op], {"y": y}, {y}, [y, (y, [y])])
    return [raises(lambda form=form: run(form, {"x": X})) for form in wrong]


def _trained():
    """A loss, and what minimize returned."""
    first = paddle.ParamAttr(initializer=Constant(1.0))
    loss = paddle.mean(S.nn.fc(feed("x", 2, 2, stop=True), 1, weight_attr=first))
    return loss, paddle.optimizer.SGD(0.1).minimize(loss)


def what_minimize_returned_is_no_value():
    loss, found = _trained()
    wrong = ([loss, *found], [loss, found[0][0]])
    return [raises(lambda form=form: run(form, {"x": X})) for form in wrong]


def pruned_runs_train():
    loss, (updates, pairs) = _trained()
    exe = S.Executor()
    exe.run(S.default_startup_program())
    forms = ([loss], [loss, updates], [(updates, pairs), loss], [pairs[0][1]], [], [updates], ["fc_0.w_0"])
    return [exe.run(feed={"x": X}, fetch_list=form, use_prune=True) for form in forms]


def pruned_runs_begin_at_what_is_fed():
    y = feed("x", 2, 2) * 2
    unused = feed("w", 2, 2) * 3
    z = y + 1
    return [run([z], {y.name: X}, use_prune=True), run([z], {"x": X}, use_prune=True), unused.name]


# -- what goes in ------------------------------------------------------------------------------------------------------

SHAPES = {
    "one row": ([-1, 5], [5]),
    "another size": ([-1, 5], [4]),
    "no row": ([-1, 5], [0]),
    "unknown": ([-1, -1], [5]),
    "columns": ([5, -1], [5]),
    "two of three": ([-1, 3, 4], [7, 3]),
    "wrong sizes": ([2, 5], [5]),
    "a unit axis": ([1, 5], [5]),
    "another place": ([-1, 3, 5], [3, 5]),
    "an axis more": ([-1, 5], [2, 1, 5]),
    "a number": ([-1], []),
}


def fed(declared, given):
    """The shape that a run sees, or the error."""
    with S.program_guard(S.Program(), S.Program()):
        y = feed("x", *declared) * 2
        try:
            return list(run([y], {"x": ones(*given)})[0].shape)
        except ValueError as error:
            return type(error).__name__


def fewer_axes_may_be_fed():
    return {name: fed(*shapes) for name, shapes in SHAPES.items()}


# -- Variables ---------------------------------------------------------------------------------------------------------


def rows():
    a, b = feed("x", 2, 2)
    return [a.name, list(a.shape)], types(), run([a, b], {"x": X}), paddle.concat([*feed("y", 3, 2)]).shape[0]


@cases.ours(refusal("TypeError"))
def rows_of_a_number():
    return raises(lambda: list(feed("x")))


def sums_of_shapes():
    shape = feed("x", -1, 3).shape
    sums = add(shape, (4,)), add((1,), shape), add(shape[:-1], (5,)), shape * 2
    return [list(one) for one in sums], shape == (-1, 3)


@cases.ours([[-1, 4], [2, -1, 3]])
def sums_of_shapes_and_lists():
    shape = feed("x", -1, 3).shape
    return [list(add(shape[:-1], [4])), list(add([2], shape))]


def made(value, **options):
    found = paddle.to_tensor(value, **options)
    return [list(found.shape), dtype_name(found), found.stop_gradient], found


def to_tensor():
    x, n = feed("x", 2, 2, stop=True), feed("n", stop=True)
    values = [x, [n, n * 2], [n, 2.0], [1, 2.0], 3, True, X, [[1], [2]]]
    found = [made(value) for value in values] + [made(x, dtype="float64"), made([1.5], stop_gradient=False)]
    listed = types()
    return [about for about, _ in found], listed, run([one for _, one in found], {"x": X, "n": ones()})


def to_tensor_lets_gradients_pass_only_if_it_is_told_to():
    x = feed("x", 2, 2)
    through, stopped = paddle.to_tensor(x * 2, stop_gradient=False), paddle.to_tensor(x * 3)
    return run(S.gradients(paddle.sum(through + stopped), x), {"x": X})


@cases.ours(["float64", False])
def to_tensor_of_doubles():
    x = feed("x", 2, 2)
    found = dtype_name(paddle.to_tensor(X.astype("float64")))
    paddle.to_tensor(x)
    return [found, x.stop_gradient]


# -- hooks -------------------------------------------------------------------------------------------------------------


def _hooked(*hooks, late=False):
    """Values, gradients of x and of what has the hooks, and the types of the operators."""
    x = feed("x", 2, 2)
    h = x * 2
    y = paddle.sum(h * h) if late else None
    for hook in hooks:
        h.register_hook(hook)
    y = y if late else paddle.sum(h * h)
    return run([y, *S.gradients(y, [x, h])], {"x": X}), types()


def a_hook():
    return _hooked(lambda grad: grad * 5)


def the_last_hook_comes_first():
    return _hooked(lambda grad: grad * 5, lambda grad: grad + 1)


def a_hook_concerns_what_comes_later():
    return _hooked(lambda grad: grad * 5, late=True)[0]


def a_hook_of_a_parameter():
    w = S.create_parameter([2, 2], "float32", default_initializer=Constant(1.0))
    w.register_hook(lambda grad: grad * 5)
    y = paddle.sum(paddle.matmul(feed("x", 2, 2, stop=True), w))
    return run([y, S.append_backward(y)[0][1]], {"x": X})


# -- rules of the user's around functions that have none ---------------------------------------------------------------

STEPS = {
    "cast": lambda x: paddle.cast(x, "int32"),
    "compare": lambda x: (x > 2.0).astype("float32"),
    "round": paddle.round,
    "sign": paddle.sign,
}


def straight(step):
    x = feed("x", 2, 2)
    y = S.nn.static_pylayer(step, [x * 2], lambda grad: paddle.full([2, 2], 3.0))
    found = S.gradients(paddle.sum(y), [x])
    return y.stop_gradient, run([y, *found], {"x": X})


for name, step in STEPS.items():
    cases.add(f"straight through {name}", straight, step)
cases.add(
    "straight through argmax",
    lambda: straight(lambda x: paddle.argmax(x).astype("float32"))[1][1:],
    ours=[np.full((2, 2), 6.0, "float32")],
)


# -- loops over containers ---------------------------------------------------------------------------------------------


def loop(start, turn):
    """What three turns leave in a container."""
    done = S.nn.while_loop(
        lambda i, kept: i < 3, lambda i, kept: [i + 1, turn(kept)], [paddle.zeros([1], "int64"), start]
    )
    return done[1]


def times(kept, key, other):
    kept[key] = kept[key] * kept[other]
    return kept


def a_loop_that_writes_into_a_dict():
    x = feed("x", 1)
    kept = {"a": x * 1.0, "b": x * 3.0}
    done = loop(kept, lambda kept: times(kept, "a", "b"))
    return run([done["a"], *S.gradients(done["a"], x), kept["a"]], {"x": ones(1)})


def a_loop_that_writes_into_a_list():
    done = loop([paddle.ones([1]), paddle.full([1], 2.0)], lambda kept: times(kept, 0, 1))
    return run(done)


def a_loop_that_adds_a_key():
    def turn(kept):
        kept["b"] = kept["a"] * 2
        return kept

    return raises(lambda: loop({"a": paddle.ones([1])}, turn))


# -- parameters and files ----------------------------------------------------------------------------------------------


def create_parameter():
    options = {"initializer": Constant(3.0), "regularizer": paddle.regularizer.L2Decay(0.1)}
    made = _block().create_parameter(name="p", shape=[2, 2], dtype="float32", **options)
    unnamed = _block().create_parameter(shape=[2], dtype="float32")
    loss = paddle.mean(made * made)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return unnamed.name, types(), types(S.default_startup_program().global_block()), run([loss, "p"])


def create_parameter_in_startup():
    started = S.default_startup_program().global_block()
    for _ in range(2):
        started.create_parameter(name="p", shape=[2], dtype="float32", initializer=Constant(2.0))
    p = _block().create_parameter([2], "float32", name="p")
    return types(started), run([p * 2])


def programs_in_files():
    y = feed("x", 2, 2, stop=True) * 2
    stream = BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program")
        for place in (path, stream):
            paddle.save(S.default_main_program(), place)
        stream.seek(0)
        found = [paddle.load(path), paddle.load(stream)]
        nested = raises(lambda: paddle.save({"program": S.default_main_program()}, path))
    return [S.Executor().run(one, feed={"x": X}, fetch_list=[y.name]) for one in found], nested


def values_in_files():
    weight = S.create_parameter([2], "float32", default_initializer=Constant(2.0))
    run()
    stream = BytesIO()
    paddle.save(weight.get_value(), stream)
    stream.seek(0)
    found = paddle.load(stream, return_numpy=True)
    weight.set_value(found * 2)
    return found, run([weight * 1.0], program=None)[0].shape == found.shape


# -- arguments ---------------------------------------------------------------------------------------------------------


def no_grad_set_of_a_wrong_type():
    x = feed("x", 2, 2)
    loss = paddle.mean(S.nn.fc(x, 1))
    wrong = (3, "x", {"x": 1}, X, True, "", [3], (None,), {1})
    asked = [
        lambda given: S.append_backward(loss, no_grad_set=given),
        lambda given: paddle.optimizer.SGD(0.1).minimize(loss, no_grad_set=given),
        lambda given: S.gradients(loss, x, no_grad_set=given),
    ]
    return [[raises(lambda ask=ask, given=given: ask(given)) for given in wrong] for ask in asked]


def operands_of_a_wrong_type():
    x = feed("x", 2, 2)
    calls = [
        lambda: paddle.nn.functional.relu(None),
        lambda: paddle.where(x, x, x),
        lambda: paddle.concat([x, None]),
        lambda: x + None,
        lambda: x * "text",
        lambda: x - [1.0, 2.0],
    ]
    return [raises(call) for call in calls], types()


def indices_stop_gradients():
    x = feed("x", 2, 2)
    return [one.stop_gradient for one in (*paddle.topk(x, 1), paddle.argsort(x), *paddle.split(x, 2))]


def a_variable_is_no_no_grad_set():
    x = feed("x", 2, 2)
    loss = paddle.mean(S.nn.fc(x, 1))
    return raises(lambda: S.append_backward(loss, no_grad_set=x))


def no_grad_set_naming_an_output():
    x = feed("x", 2, 2)
    y = x * 2
    z = paddle.sum(y * y)
    return [one is None for one in S.gradients([z], [x, y], no_grad_set=[z])], types()
