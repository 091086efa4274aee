"""Section 11: what static_pylayer refuses, and where 2.6.2 is wrong.

3.3.1 gives our answer for: one Variable for two inputs, outer Variables, target gradients, a second call of
`gradients`, checked shapes and dtypes.
"""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family, raises, refusal

cases = Family("static_pylayer_errors")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def _fails(*inputs):
    raise KeyError("mine")


@cases.ours([1, []])
def failed_building_is_rolled_back():
    x = feed("x", 2)
    raises(lambda: layer(paddle.exp, [x], _fails))
    main = S.default_main_program()
    return [main.num_blocks, [op.type for op in main.global_block().ops]]


@cases.ours([X * 3, X * 2])
def captured_variables_live_on():
    x = feed("x", 2)
    h = x * 3.0
    h.stop_gradient = True
    out = layer(lambda t: t * 1.0, [x], lambda d: d * h)
    other = layer(lambda t: t * 1.0, [x], lambda d: d * paddle.sqrt(x * x * 4.0))
    return run([S.gradients(out, x)[0], S.gradients(other, x)[0]], {"x": X})


@cases.ours([X * 0 + 3, X * 0 + 3])
def one_variable_for_two_inputs():
    x, y = feed("x", 2), feed("y", 2)

    def backward(d):
        both = d * 3.0
        return both, both

    return run(S.gradients(layer(lambda x, y: x * y, [x, y], backward), [x, y]), {"x": X, "y": X})


@cases.ours([X * 0 + 1, X * 0 + 1])
def upstream_itself_for_two_inputs():
    x, y = feed("x", 2), feed("y", 2)
    out = layer(lambda x, y: x + y, [x, y], lambda d: (d, d))
    return run(S.gradients(out, [x, y]), {"x": X, "y": X})


@cases.ours([X])
def variable_of_the_outer_block():
    x, y = feed("x", 2), feed("y", 2)
    return run(S.gradients(layer(lambda t: t * 2, [x], lambda d: y), x), {"x": X, "y": X})


@cases.ours(refusal("TypeError"))
def number_for_a_gradient():
    x = feed("x", 2)
    return raises(lambda: layer(lambda t: t * 2, [x], lambda d: 3.0))


@cases.ours([X * 0 + 8])
def one_input_twice():
    x = feed("x", 2)
    out = layer(lambda a, b: a * b, [x, x], lambda d: (d * 3.0, d * 5.0))
    return run(S.gradients(out, x), {"x": X})


@cases.ours([X * 6])
def target_gradients_on_its_output():
    x, seed = feed("x", 2), feed("seed", 2, stop=True)
    out = layer(lambda t: t * 2, [x], lambda d: d * 3.0)
    return run(S.gradients(out, x, target_gradients=seed), {"x": X, "seed": X * 2})


@cases.ours([X * 0 + 3, X * 0 + 3])
def second_call_of_gradients():
    x = feed("x", 2)
    out = layer(lambda t: t * 2, [x], lambda d: d * 3.0)
    return run([S.gradients(out, x)[0], S.gradients(out, x)[0]], {"x": X})


@cases.ours([X * 2])
def second_order():
    x = feed("x", 2)
    (first,) = S.gradients(layer(paddle.exp, [x], lambda d: d * x * x), x)
    return run(S.gradients(first, x), {"x": X})


@cases.ours(refusal("ValueError", "shape"))
def gradient_of_another_shape():
    x = feed("x", 2)
    return raises(lambda: layer(lambda t: t * 2, [x], lambda d: paddle.sum(d)), "shape")


@cases.ours(refusal("ValueError", "dtype"))
def gradient_of_another_dtype():
    x = feed("x", 2)
    return raises(lambda: layer(lambda t: t * 2, [x], lambda d: d.astype("float64")), "dtype")
