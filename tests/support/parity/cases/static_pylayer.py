"""Section 11: static_pylayer: blocks, names, values, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, names, ones, pairs, run, weight
from tests.support.parity.kit import Family

cases = Family("static_pylayer")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def value(variable):
    """Whether gradients stop at it, and its shape and dtype."""
    return [variable.name, variable.stop_gradient, list(variable.shape), str(variable.dtype)]


def documented_example():
    x = feed("X", -1, 5)
    out = layer(paddle.exp, [x], lambda dy: 2 * paddle.exp(dy))
    (slope,) = S.gradients([out], x)
    given = np.array([[1.0, 2.0, 3.0, 4.0, 5.0]], "float32")
    return {"program": listing(), "values": run([x.name, slope.name, out.name], {"X": given})}


def without_backward():
    x = feed("x", 2, stop=True)
    out = layer(paddle.exp, [x])
    return {"out": value(out), "program": listing(), "values": run([out], {"x": X})}


def requesting_gradients_adds_no_block():
    x = feed("x", 2)
    out = layer(paddle.exp, [x], lambda dy: dy * 3.0)
    before = S.default_main_program().num_blocks
    S.gradients(out, x)
    return before, S.default_main_program().num_blocks


def two_inputs_two_outputs():
    x, y = feed("x", 2), feed("y", 2)
    a, b = layer(lambda x, y: (x * y, x + y), [x, y], lambda da, db: (da * 3.0 + db, db * 5.0))
    found = S.gradients([paddle.sum(a), paddle.mean(b)], [x, y])
    return {
        "names": names([a, b, *found]),
        "program": listing(),
        "values": run([a, b, *found], {"x": X, "y": X}),
    }


def chained():
    x = feed("x", 2)
    outs, out = [], x
    for factor in (2.0, 3.0, 5.0):
        out = layer(lambda t, k=factor: t * k, [out], lambda d, k=factor: d * (k + 1))
        outs.append(out)
    found = S.gradients(paddle.sum(out), x)
    return {"names": names(outs), "program": listing(), "values": run([*outs, *found], {"x": X})}


def identity_forward():
    x = feed("x", 2)
    found = S.gradients(layer(lambda t: t, [x], lambda d: d * 7.0), x)
    return {"program": listing(), "values": run(found, {"x": X})}


def identity_backward():
    x = feed("x", 2)
    found = S.gradients(layer(lambda t: t * 2, [x], lambda d: d), x)
    return {"program": listing(), "values": run(found, {"x": X})}


def the_very_variables_come_in():
    x, seen = feed("x", 2), []

    def forward(t):
        seen.append(t is x)
        seen.append(S.default_main_program().current_block().idx)
        return t * 2

    def backward(d):
        seen.append(value(d))
        seen.append(S.default_main_program().current_block().idx)
        return d

    out = layer(forward, [x], backward)
    seen.append(S.default_main_program().current_block().idx)
    return seen, out.block.idx


def outputs_stop_when_all_inputs_do():
    x, f = feed("x", 2), feed("f", 2, stop=True)
    mixed = layer(lambda a, b: a * b, [x, f], lambda d: (d * 2.0, d * 3.0))
    stopped = layer(lambda a: a * 2, [f], lambda d: d)
    found = S.gradients(paddle.sum(stopped) + paddle.sum(mixed), [x, f])
    return value(mixed), value(stopped), names(found), listing()


def output_that_stops_inside():
    x = feed("x", 2)
    outs = layer(lambda t: (t * 2, t.detach()), [x], lambda *d: d[0] * 3.0)
    return [out.stop_gradient for out in outs]


def unused_output():
    x = feed("x", 2)
    a, b = layer(lambda t: (t * 2, t * 3), [x], lambda da, db: da * 5.0 + db * 7.0)
    found = S.gradients(paddle.sum(b), x)
    return {"program": listing(), "values": run([a, *found], {"x": X})}


def backward_gives_none():
    x, y = feed("x", 2), feed("y", 2)
    found = S.gradients(layer(lambda x, y: x * y, [x, y], lambda d: (d * 3.0, None)), [x, y])
    return {"names": names(found), "program": listing(), "values": run(found, {"x": X, "y": X})}


def stopped_input():
    x, f = feed("x", 2), feed("f", 2, stop=True)
    found = S.gradients(layer(lambda x, f: x * f, [x, f], lambda d: (d * 3.0, d * 5.0)), [x, f])
    return {"names": names(found), "program": listing(), "values": run(found[:1], {"x": X, "f": X})}


def numbers_among_the_inputs():
    x = feed("x", 2)
    out = layer(lambda t, k, n: t * k + n, [x, 3.0, 1], lambda d: d * 5.0)
    return {"program": listing(), "values": run([out, *S.gradients(out, x)], {"x": X})}


def captured_values_and_parameters():
    x, w = feed("x", 2), weight(2, value=3.0)
    scale = 5.0
    out = layer(lambda t: t * w * scale, [x], lambda d: d * w * scale)
    found = S.gradients(paddle.sum(out), [x])
    return run([out, *found], {"x": X})


def own_inputs_and_outputs_inside_backward():
    x = feed("x", 2)

    def backward(d):
        y = S.default_main_program().global_block().var("_generated_var_0")
        return d * x * (1 - paddle.square(y))

    out = layer(paddle.tanh, [x], backward)
    found = S.gradients(paddle.sum(out), x)
    return {"out": out.name, "program": listing(), "values": run([out, *found], {"x": X})}


def parameters_made_inside():
    x = feed("x", 2, 3)
    out = layer(lambda t: S.nn.fc(t, 2), [x], lambda d: paddle.matmul(d, paddle.ones([2, 3])))
    found = S.append_backward(paddle.mean(out))
    held = [p.name for p in S.default_main_program().global_block().all_parameters()]
    return {"pairs": pairs(found), "parameters": held, "program": listing()}


def parameter_as_input_is_trained():
    x, w = feed("x", 2), weight(2)
    out = layer(lambda t, w: t * w, [x, w], lambda d: (d * w, d * x))
    loss = paddle.sum(out)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return {"program": listing(), "values": run([loss, w], {"x": X})}


def fan_out():
    x = feed("x", 2)
    h = x * 2.0
    out = layer(lambda t: t * 3.0, [h], lambda d: d * 5.0)
    found = S.gradients(paddle.mean(out + h), x)
    return {"program": listing(), "values": run(found, {"x": X})}


def minimize_a_chain():
    x = feed("x", -1, 3, stop=True)
    h = S.nn.fc(x, 4, weight_attr=constant(0.5))
    out = layer(paddle.tanh, [h], lambda d: d * 5.0)
    loss = paddle.mean(out)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return {"program": listing(), "values": run([loss, "fc_0.w_0", "fc_0.b_0"], {"x": ones(2, 3)})}


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


KINDS = {
    "float64": (lambda t: t * 2, lambda d: d * 3, np.array([1.0, 2.0])),
    "0-D": (lambda t: t * 2, lambda d: d * 3, np.array(4.0, "float32")),
    "matrix": (lambda t: paddle.matmul(t, t), lambda d: d * 3, np.eye(2, dtype="float32") * 2),
    "another shape": (lambda t: paddle.sum(t), lambda d: paddle.expand(d * 3, [2]), X),
    "another dtype": (lambda t: t.astype("float64"), lambda d: d.astype("float32") * 3, X),
}


def kind(forward, backward, given):
    x = feed("x", *given.shape, dtype=str(given.dtype))
    out = layer(forward, [x], backward)
    return {"out": value(out), "values": run([out, *S.gradients(out, x)], {"x": given})}


for text, (forward, backward, given) in KINDS.items():
    cases.add(f"kind {text}", kind, forward, backward, given)


def compiled():
    x = feed("x", 2)
    found = S.gradients(layer(paddle.exp, [x], lambda d: d * 3.0), x)
    return run(found, {"x": X}, S.CompiledProgram(S.default_main_program()))


def cloned():
    x = feed("x", 2)
    out = layer(paddle.exp, [x], lambda d: d * 3.0)
    paddle.mean(out * weight(2))
    main = S.default_main_program()
    copy = main.clone()
    with S.program_guard(copy):
        (slope,) = S.gradients(copy.global_block().var(out.name), copy.global_block().var("x"))
    tested = main.clone(for_test=True)
    counts = [program.num_blocks for program in (main, copy, tested)]
    return counts, listing(tested), run([slope], {"x": X}, copy), run([out.name], {"x": X}, tested)


def name_is_accepted():
    x = feed("x", 2)
    return value(layer(paddle.exp, [x], lambda d: d, name="custom"))
