"""Tensors of different types in one call: what promotes, what casts, what is refused; and paddle.Tensor(...)."""

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, data, raises

cases = Family("mixed_types")
WORDS = "does not match the type of data"


def of(dtype, *shape):
    return paddle.to_tensor(data(*shape)).astype(dtype)


REFUSED = {
    "matmul": lambda a, b: paddle.matmul(of(a, 2, 2), of(b, 2, 2)),
    "bmm": lambda a, b: paddle.bmm(of(a, 2, 2, 2), of(b, 2, 2, 2)),
    "mv": lambda a, b: paddle.mv(of(a, 2, 2), of(b, 2)),
    "dot": lambda a, b: paddle.dot(of(a, 2), of(b, 2)),
    "einsum": lambda a, b: paddle.einsum("ij,jk->ik", of(a, 2, 2), of(b, 2, 2)),
    "solve": lambda a, b: paddle.linalg.solve(of(a, 2, 2), of(b, 2, 2)),
    "addmm": lambda a, b: paddle.addmm(of(a, 2, 2), of(b, 2, 2), of(b, 2, 2)),
    "heaviside": lambda a, b: paddle.heaviside(of(a, 2), of(b, 2)),
    "isclose": lambda a, b: paddle.isclose(of(a, 2), of(b, 2)),
    "allclose": lambda a, b: paddle.allclose(of(a, 2), of(b, 2)),
    "linear": lambda a, b: F.linear(of(a, 2, 2), of(b, 2, 2)),
    "conv1d": lambda a, b: F.conv1d(of(a, 1, 1, 4), of(b, 1, 1, 2)),
    "conv2d": lambda a, b: F.conv2d(of(a, 1, 1, 4, 4), of(b, 1, 1, 2, 2)),
    "conv2d_transpose": lambda a, b: F.conv2d_transpose(of(a, 1, 1, 4, 4), of(b, 1, 1, 2, 2)),
    "layer_norm": lambda a, b: F.layer_norm(of(a, 2, 3), 3, of(b, 3), of(b, 3)),
    "instance_norm": lambda a, b: F.instance_norm(of(a, 2, 3, 4), None, None, of(b, 3), of(b, 3)),
    "batch_norm": lambda a, b: F.batch_norm(
        of(a, 2, 3), of(b, 3), of(b, 3), of(b, 3), of(b, 3), training=True
    ),
    "prelu": lambda a, b: F.prelu(of(a, 2, 3), of(b, 1)),
    "bce": lambda a, b: F.binary_cross_entropy(F.sigmoid(of(a, 2, 3)), F.sigmoid(of(b, 2, 3))),
    "bce_logits": lambda a, b: F.binary_cross_entropy_with_logits(of(a, 2, 3), F.sigmoid(of(b, 2, 3))),
    "soft": lambda a, b: F.cross_entropy(of(a, 2, 3), of(b, 2, 3), soft_label=True),
    "masked_fill": lambda a, b: paddle.masked_fill(of(a, 2), of(a, 2) > 0, of(b, 1)),
    "put_along_axis": lambda a, b: paddle.put_along_axis(of(a, 2, 2), of("int64", 1, 2) * 0, of(b, 1, 2), 0),
    "scatter": lambda a, b: paddle.scatter(of(a, 2, 2), paddle.to_tensor([1]), of(b, 1, 2)),
    "Linear": lambda a, b: paddle.nn.Linear(2, 2)(of("float64", 2, 2)),
    "LSTM": lambda a, b: paddle.nn.Conv2D(1, 1, 1)(of("float64", 1, 1, 2, 2)),
}
for name, call in REFUSED.items():
    cases.add(
        f"refused: {name}",
        lambda call=call: [
            raises(lambda: call("float32", "float64"), WORDS),
            raises(lambda: call("float64", "float32"), WORDS),
        ],
    )


for first in ("float32", "float64", "int64"):
    for second in ("float32", "float64", "int64", "int32"):
        cases.add(f"{first} @ {second}", lambda a=first, b=second: of(a, 2, 3) @ of(b, 3, 2))
cases.add("gradients of @", lambda: [*map(str, _gradient_types())])
for text, call in {
    "matmul": lambda: paddle.matmul(of("complex64", 2, 2), of("float32", 2, 2)),
    "kl_div": lambda: F.kl_div(of("float32", 2, 2), abs(of("float64", 2, 2))),
    "smooth_l1": lambda: F.smooth_l1_loss(of("float32", 2, 2), of("float64", 2, 2)),
}.items():
    cases.add(f"meets: {text}", call)


def _gradient_types():
    x, y = of("float32", 2, 3), of("float64", 3, 2)
    x.stop_gradient = y.stop_gradient = False
    (x @ y).sum().backward()
    return x.grad.dtype, y.grad.dtype
