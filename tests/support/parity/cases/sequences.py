"""Attention."""

import paddle

from tests.support.parity.kit import Family, data, derive

cases = Family("sequences")
F = paddle.nn.functional

q, k, v = (data(2, 4, 2, 3, seed=seed).astype("float32") for seed in (1, 2, 3))
CALLS = {
    "scaled_dot_product_attention": lambda: derive(lambda *x: F.scaled_dot_product_attention(*x), q, k, v),
    "scaled_dot_product_attention of one": lambda: derive(
        lambda *x: F.scaled_dot_product_attention(*x, is_causal=True), q[0], k[0], v[0]
    ),
}
for text, call in CALLS.items():
    cases.add(text, call)
