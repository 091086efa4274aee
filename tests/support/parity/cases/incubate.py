"""``paddle.incubate``: what of it computes on the CPU: fused norms, masks of pruning, parts of rows."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, frozen, raises

cases = Family("incubate")
incubate = paddle.incubate
F = incubate.nn.functional

X, R = data(2, 3, 4), data(2, 3, 4, seed=2)
W, B = data(4, seed=3, low=0.5), data(4, seed=4)

for name, options in {"alone": {}, "residual": {"residual": R}, "all": {"residual": R, "bias": B}}.items():
    for norm in ("fused_layer_norm", "fused_rms_norm"):
        cases.add(
            f"{norm}, {name}",
            lambda norm, told: getattr(F, norm)(
                frozen(X, "float32"),
                frozen(W, "float32"),
                frozen(B, "float32"),
                1e-5,
                begin_norm_axis=2,
                **{name: frozen(array, "float32") for name, array in told.items()},
            )[0],
            norm,
            options,
            tolerance=1e-4,
        )
for p, training in ((0.0, True), (0.5, False)):
    cases.add(
        f"fused_dropout_add {p} {training}",
        lambda p, training: differentiate(lambda x, y: F.fused_dropout_add(x, y, p, training), X, R),
        p,
        training,
    )
cases.add("swiglu", lambda: differentiate(F.swiglu, X))
cases.add("the layer prints", lambda: repr(incubate.nn.FusedTransformerEncoderLayer(4, 2, 8)))
cases.add(
    "parameters of the halves",
    lambda: [
        {name: list(one.shape) for name, one in layer.state_dict().items()}
        for layer in (
            incubate.nn.FusedMultiHeadAttention(4, 2),
            incubate.nn.FusedMultiHeadAttention(4, 2, normalize_before=True),
            incubate.nn.FusedFeedForward(4, 8),
            incubate.nn.FusedBiasDropoutResidualLayerNorm(4),
            incubate.nn.FusedLinear(4, 5, transpose_weight=True),
        )
    ],
)

# ---- masks
S = incubate.asp
MATRICES = {
    "square": data(8, 8, low=0.0),
    "ragged": data(5, 7, seed=2, low=0.0),
    "integers": np.array([[2, 8, 9, 9], [9, 1, 3, 9]] * 2),
}
for name, matrix in MATRICES.items():
    for algorithm in S.MaskAlgo:
        cases.add(
            f"mask {algorithm.name} of a {name} matrix",
            lambda m, a: [
                S.create_mask(m, a),
                S.check_sparsity(S.create_mask(m, a), S.CheckMethod.get_checking_method(a)),
            ],
            matrix,
            algorithm,
        )
for shape in ((8,), (3, 4, 8), (4, 3, 2, 5)):
    cases.add(f"mask of shape {shape}", lambda s: S.create_mask(data(*s)), shape)
CHECKED = {
    "half": [[1, 1, 0, 0]] * 4,
    "a row": [[1] * 4, [0] * 4, [0] * 4, [0] * 4],
    "too many": [[1, 1, 1, 0]] * 4,
}
for name, matrix in CHECKED.items():
    cases.add(
        f"is {name} sparse",
        lambda m: [S.check_mask_1d(np.array(m), 2, 4), S.check_mask_2d(np.array(m), 2, 4)],
        matrix,
    )
cases.add("density", lambda: S.calculate_density(np.array([[0, 1, 3, 0], [1, 1, 0, 1]])))
cases.add("mask by a word", lambda: raises(lambda: S.create_mask(np.ones((2, 2)), "MASK_1D"), "MaskAlgo"))
cases.add("mask of five axes", lambda: raises(lambda: S.create_mask(np.ones((1,) * 5)), "supported"))

# ---- parts of rows, losses, states
PAIR = [data(3, 4), data(3, 4, seed=2)]
for start, length in ((0, 2), (1, -1), (2, 1)):
    for name in ("partial_concat", "partial_sum"):
        cases.add(
            f"{name} {start} {length}",
            lambda n, s, k: differentiate(lambda x, y: getattr(incubate.layers, n)([x, y], s, k), *PAIR),
            name,
            start,
            length,
        )
for reduction in ("none", "sum", "mean", 0, 1, 2):
    cases.add(
        f"identity_loss {reduction!r}",
        lambda r: differentiate(lambda x: incubate.identity_loss(x, r), X),
        reduction,
    )
for wrong in ("q", 3):
    cases.add(
        f"identity_loss {wrong!r}",
        lambda w: raises(lambda: incubate.identity_loss(frozen(X), w), "eduction"),
        wrong,
    )
for name in ("sum", "mean", "min", "max"):
    cases.add(
        f"segment_{name}",
        lambda n: getattr(incubate, f"segment_{n}")(frozen(PAIR[0]), paddle.to_tensor([0, 0, 2])),
        name,
    )
cases.add(
    "graph_send_recv",
    lambda: incubate.graph_send_recv(
        frozen(PAIR[0]), paddle.to_tensor([0, 1, 2, 0]), paddle.to_tensor([1, 2, 1, 0]), "max"
    ),
)
cases.add("primitives in dynamic mode", lambda: raises(incubate.autograd.prim_enabled, "static graph mode"))
