"""Section 13: cond: blocks, names, values, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, names, ones, pairs, run, skeleton, types, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_control")
X = np.array([1.0, 2.0], "float32")
cond = S.nn.cond


def both(fetch):
    """Run with a small and a large x: both branches of `small`."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(feed={"x": X * k}, fetch_list=fetch) for k in (1.0, 10.0)]


def small(x):
    return paddle.mean(x) < 5.0


def one_result():
    x = feed("x", 2)
    out = cond(small(x), lambda: x * 2.0, lambda: x * 3.0)
    return {
        "out": [out.name, out.stop_gradient, list(out.shape)],
        "program": listing(),
        "values": both([out]),
    }


def fed_predicate():
    x, p = feed("x", 2), feed("p", 1, dtype="bool", stop=True)
    out = cond(p, lambda: x * 2.0, lambda: x * 3.0)
    values = [run([out], {"x": X, "p": np.array([truth])}) for truth in (True, False)]
    return {"program": listing(), "values": values}


def gradient():
    x = feed("x", 2)
    out = cond(small(x), lambda: x * 2.0, lambda: paddle.tanh(x))
    found = S.gradients(paddle.mean(out), x)
    return {"program": listing(), "values": both([out, *found])}


def several_results():
    x, y = feed("x", 2), feed("y", 2)
    outs = cond(paddle.mean(x) < paddle.mean(y), lambda: (x * 2.0, x * y), lambda: (x * 3.0, y * x * y))
    forward = listing()
    found = S.gradients([paddle.mean(outs[0]), paddle.sum(outs[1])], [x, y])
    branches = listing()[3:]  # of block 0 Paddle orders the closing sums by chance
    values = [run([*outs, *found], {"x": X, "y": X * k}) for k in (0.5, 2.0)]
    return {"names": names(outs), "forward": forward, "branches": branches, "values": values}


def branches_read_different_variables():
    x, y = feed("x", 2), feed("y", 2)
    out = cond(small(x), lambda: paddle.tanh(x), lambda: y)
    found = S.gradients(paddle.mean(out), [x, y])
    values = [run([out, *found], {"x": X * k, "y": X}) for k in (1.0, 10.0)]
    return {"program": listing(), "values": values}


def stopped_branch():
    x = feed("x", 2)
    out = cond(small(x), lambda: x * 2.0, lambda: paddle.ones([2]))
    found = S.gradients(paddle.mean(out), x)
    return {"stop": out.stop_gradient, "program": listing(), "values": both([out, *found])}


def parameters_in_branches():
    x = feed("x", 2)
    a, b = weight(2, name="a"), weight(2, name="b", value=3.0)
    out = cond(small(x), lambda: x * a, lambda: x * b)
    found = S.append_backward(paddle.mean(out))
    return {"pairs": pairs(found), "program": listing(), "values": both([out, *(g for _, g in found)])}


def layers_in_branches():
    x = feed("x", -1, 3, stop=True)
    out = cond(small(x), lambda: S.nn.fc(x, 2), lambda: S.nn.fc(x, 2, activation="tanh"))
    parameters = [p.name for p in S.default_main_program().global_block().all_parameters()]
    forward = listing()
    return {"parameters": parameters, "program": forward, "pairs": pairs(S.append_backward(paddle.mean(out)))}


STRUCTURES = {
    "list": (lambda x: [x * 1, x * 2], lambda x: [x * 3, x * 4]),
    "tuple": (lambda x: (x * 1, x * 2), lambda x: (x * 3, x * 4)),
    "list of one": (lambda x: [x * 1], lambda x: [x * 3]),
    "nested": (lambda x: (x * 1, [x * 2]), lambda x: (x * 3, [x * 4])),
    "dict": (lambda x: {"a": x * 1, "b": x * 2}, lambda x: {"a": x * 3, "b": x * 4}),
    "same twice": (lambda x: (x, x), lambda x: (x * 3, x * 4)),
    "equal numbers": (lambda x: (1, x), lambda x: (1, x)),
    "different numbers": (lambda x: (2, x), lambda x: (3, x)),
    "none": (lambda x: None, lambda x: None),
}


def structure(true, false):
    x = feed("x", 2)
    made = cond(small(x), lambda: true(x), lambda: false(x))
    return {"result": skeleton(made), "program": listing()}


for text, (true, false) in STRUCTURES.items():
    cases.add(f"structure {text}", structure, true, false)


def different_numbers_have_values():
    x = feed("x", 2)
    whole, real = cond(small(x), lambda: (2, 2.5), lambda: (3, 3.5))
    return both([whole, real]), str(whole.dtype), str(real.dtype)


def differing_dimensions():
    x = feed("x", 2, 3)
    out = cond(paddle.mean(x) < 5.0, lambda: x * 2.0, lambda: paddle.concat([x, x]))
    return list(out.shape), [run([out], {"x": ones(2, 3) * k}) for k in (1.0, 10.0)]


def outer_assignment():
    x = feed("x", 2)
    target = paddle.zeros([2])

    def write():
        paddle.assign(x * 2.0, target)

    nothing = cond(small(x), write)
    return nothing, listing(), both([target])


def only_the_taken_branch_runs():
    x, seen = feed("x", 2), []

    def noting(word):
        out = S.default_main_program().current_block().create_var(name=word, shape=[2], dtype="float32")
        return S.py_func(lambda t: seen.append(word) or np.array(t), x, out)

    out = cond(small(x), lambda: noting("true"), lambda: noting("false"))
    both([out])
    return seen


def missing_branches():
    x = feed("x", 2)
    seen = [cond(small(x), None, None), cond(small(x), lambda: None), cond(small(x), None, lambda: None)]
    return seen, [op.type for op in S.default_main_program().global_block().ops]


def nested():
    x = feed("x", 2)

    def inner():
        return cond(paddle.mean(x) < 2.0, lambda: x * 2.0, lambda: x * 3.0)

    out = cond(small(x), inner, lambda: x * 4.0)
    found = S.gradients(paddle.mean(out), x)
    values = [run([out, *found], {"x": X * k}) for k in (1.0, 2.0, 10.0)]
    return {"program": listing(), "values": values}


def result_used_twice():
    x = feed("x", 2)
    out = cond(small(x), lambda: x * x, lambda: x * 3.0)
    found = S.gradients(paddle.sum(out * out + x), x)
    return {"program": listing(), "values": both(found)}


def one_of_two_results_used():
    x = feed("x", 2)
    a, _ = cond(small(x), lambda: (x * 2.0, x * 3.0), lambda: (x * 4.0, x * 5.0))
    found = S.gradients(paddle.sum(a), x)
    return {"types": types(), "branches": listing()[1:], "values": both(found)}


@cases.ours([X * 2.0, X * 2.0])
def second_call_of_gradients():
    x = feed("x", 2)
    total = paddle.sum(cond(small(x), lambda: x * x, lambda: x * 3.0))
    return run([S.gradients(total, x)[0], S.gradients(total, x)[0]], {"x": X})


def trained():
    x, w = feed("x", 2), weight(2)
    loss = paddle.sum(cond(small(x), lambda: x * w, lambda: x * w * w))
    paddle.optimizer.SGD(0.1).minimize(loss)
    return both([loss, w])


def clone_for_test():
    x, w = feed("x", 2), weight(2)
    out = cond(small(x), lambda: x * w, lambda: x * 3.0)
    tested = S.default_main_program().clone(for_test=True)
    paddle.optimizer.SGD(0.1).minimize(paddle.sum(out))
    return S.default_main_program().num_blocks, listing(tested), run([out.name], {"x": X}, tested)


def errors():
    x = feed("x", 2)
    p, wide = small(x), feed("p", 3, dtype="bool", stop=True)
    return [
        raises(lambda: cond(True, lambda: x, lambda: x)),
        raises(lambda: cond(paddle.mean(x), lambda: x, lambda: x), "bool"),
        raises(lambda: cond(p, 3, lambda: x), "true_fn"),
        raises(lambda: cond(p, lambda: x, 3), "false_fn"),
        raises(lambda: cond(p, lambda: x, lambda: None), "None"),
        raises(lambda: cond(p, lambda: x, None), "None"),
        raises(lambda: cond(p, lambda: (x, x), lambda: (x, x, x)), "vars"),
        raises(lambda: cond(p, lambda: (x, "a"), lambda: (x, "a"))),
        raises(lambda: run(names([cond(wide, lambda: x, lambda: x * 2.0)]), {"x": X, "p": np.ones(3, bool)})),
    ]


def eagerly():
    paddle.disable_static()
    x = paddle.to_tensor(X, stop_gradient=False)
    out = cond(small(x), lambda: x * 2.0, lambda: x * 3.0)
    paddle.sum(out).backward()
    return out, x.grad
