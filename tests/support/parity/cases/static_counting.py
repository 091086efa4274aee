"""Section 3: layers that count: static.nn.data_norm and continuous_value_model."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, raises

cases = Family("static_counting")
S = paddle.static
ROWS = data(4, 3).astype("float32")
SEEN = np.abs(ROWS) * np.array([[1], [0], [1], [1]], "float32")
FIRST = {"batch_size": 4.0, "batch_sum": 2.0, "batch_square": 8.0, "scale_w": 2.0, "bias": 0.5}
COUNTS = np.arange(8, dtype="float32").reshape(4, 2)


def results(build, rows=ROWS, **fed):
    """The result, its name and shape, and the gradients of the input and of all parameters."""
    x = S.data("x", [4, 3])
    x.stop_gradient = False
    y = build(x)
    parameters = S.default_main_program().all_parameters()
    grads = S.gradients([y], [x, *parameters])
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [y.name, y.shape, [one.name for one in parameters]], exe.run(
        feed={"x": rows, **fed}, fetch_list=[y, *[one for one in grads if one is not None]]
    )


def norm(case, rows=ROWS, **options):
    cases.add(f"data_norm {case}", lambda: results(lambda x: S.nn.data_norm(x, **options), rows))


norm("plain")
norm("of first values", param_attr=dict(FIRST), act="tanh", epsilon=1e-3)
norm("with a scale", param_attr=dict(FIRST), enable_scale_and_shift=True)
norm("of slots", SEEN, param_attr=dict(FIRST), slot_dim=3, name="mine")
norm("of the last axis", data_layout="NHWC")
for _use in (True, False):
    cases.add(
        f"continuous_value_model {_use}",
        lambda use=_use: results(
            lambda x: S.nn.continuous_value_model(x, S.data("c", [4, 2]), use), np.abs(ROWS), c=COUNTS
        ),
    )


@cases
def refused():
    x, count = S.data("x", [4, 3]), S.data("c", [4, 2])
    return [
        raises(lambda: S.nn.data_norm(x, data_layout="CHWN"), "unsupported data layout"),
        raises(lambda: S.nn.data_norm(x, epsilon=0.1), "0.001"),
        raises(lambda: S.nn.data_norm(S.data("y", [4])), "Input < 2"),
        raises(lambda: S.nn.continuous_value_model(x.astype("int64"), count), "data type", "input"),
    ]
