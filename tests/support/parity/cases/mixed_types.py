"""Tensors of different types in one call: what promotes, what casts, what is refused; and paddle.Tensor(...)."""

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, data, raises

cases = Family("mixed_types")
WORDS = "does not match the type of data"


def of(dtype, *shape):
    return paddle.to_tensor(data(*shape)).astype(dtype)


REFUSED = cases.table("refused", globals())
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
