"""``paddle.compat``: functions and layers with PyTorch's arguments and results."""

from importlib import import_module

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, frozen, raises

cases = Family("compat_functions")
compat = import_module("paddle.compat")
nn = compat.nn
F = nn.functional

X, Y = data(3, 4), data(3, 4, seed=2)
WHOLE = np.array([[5, 8, 9, 5], [0, 0, 1, 7], [6, 9, 2, 4]])
SINGLE = np.arange(12).reshape(3, 4) * 7 % 12
HOLES = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0], [np.nan, np.nan, np.nan]])


def shown(value):
    """Return tensors as arrays with the name of their tuple, and what is no tensor as it is."""
    if isinstance(value, tuple):
        return [type(value).__name__, *value]
    return value


def set_all(layer):
    """Return the layer with parameters that are known."""
    for seed, parameter in enumerate(layer.parameters()):
        parameter.set_value(data(*parameter.shape, seed=seed).astype("float32"))
    return layer


for name in ("max", "min"):
    function = getattr(compat, name)
    cases.add(name, lambda function: differentiate(function, X), function)
    cases.add(f"{name} of two", lambda function: differentiate(function, X, Y), function)
    cases.add(f"{name} along", lambda function: shown(function(frozen(X), 1)), function)
    cases.add(f"{name} kept", lambda function: shown(function(frozen(X), dim=0, keepdim=True)), function)
    cases.add(
        f"{name} gradient", lambda function: differentiate(lambda x: function(x, -1).values, WHOLE), function
    )
    cases.add(f"{name} of one", lambda function: shown(function(frozen(np.array(2.0)), 0)), function)
    for title, args, told in (
        ("None", (None,), {}),
        ("float", (1.5,), {}),
        ("three", (1, False, 2), {}),
        ("keepdim alone", (), {"keepdim": True}),
        ("other", (), {"other": 1}),
    ):
        cases.add(
            f"{name} refuses {title}",
            lambda function, args, told: raises(
                lambda: function(frozen(X), *args, **told), "Invalid arguments"
            ),
            function,
            args,
            told,
        )
    cases.add(
        f"{name} axis",
        lambda function: raises(lambda: function(frozen(X), axis=1), "Did you mean to use paddle"),
        function,
    )
for name in ("median", "nanmedian"):
    function = getattr(compat, name)
    for title, array in {"whole": SINGLE, "holes": HOLES, "some": X}.items():
        cases.add(f"{name} {title}", lambda function, array: shown(function(frozen(array))), function, array)
        cases.add(f"{name} {title} 1", lambda f, array: shown(f(frozen(array), 1, True)), function, array)
cases.add("sort", lambda: shown(compat.sort(frozen(X), 0, descending=True)))
cases.add("sort stable", lambda: shown(compat.sort(frozen(WHOLE), stable=True)))
cases.add(
    "sort out", lambda: raises(lambda: compat.sort(frozen(X), out=frozen(X)), "Expected a list or tuple")
)
cases.add("slogdet", lambda: shown(compat.slogdet(frozen(data(2, 3, 3)))))
cases.add(
    "equal",
    lambda: [compat.equal(frozen(WHOLE), frozen(WHOLE, "float32")), compat.equal(frozen(X), frozen(Y))],
)
for sizes in (2, [1, 3], 4):
    cases.add(f"split {sizes}", lambda sizes: list(compat.split(frozen(X), sizes, 1)), sizes)
cases.add("split -1", lambda: raises(lambda: compat.split(frozen(X), [-1, 4]), "non-negative"))
cases.add("split 0", lambda: raises(lambda: compat.split(frozen(X), 0), "must be greater than 0"))
cases.add("split 5", lambda: raises(lambda: compat.split(frozen(X), 2, 5), "expected to be in range"))
cases.add("unique", lambda: list(compat.unique(frozen(WHOLE), return_inverse=True, return_counts=True)))
cases.add("unique 0", lambda: compat.unique(frozen(WHOLE), dim=0))
cases.add("linear", lambda: differentiate(F.linear, X, data(2, 4), data(2)))
for mode in ("constant", "reflect", "replicate", "circular"):
    cases.add(f"pad {mode}", lambda mode: F.pad(frozen(X), [1, 2], mode), mode)
cases.add("pad both", lambda: F.pad(frozen(X), [1, 2, 3, 0], value=2.0))
for shape in ((4,), (3, 4), (2, 3, 4)):
    cases.add(f"softmax {len(shape)}", lambda shape: F.softmax(frozen(data(*shape))), shape)
cases.add("unfold", lambda: F.unfold(frozen(data(1, 2, 4, 4)), 2, padding=1, stride=2))
cases.add(
    "attention function",
    lambda: F.scaled_dot_product_attention(*(frozen(data(1, 2, 3, 4, seed=s), "float32") for s in range(3))),
    tolerance=1e-5,
)
for axes, layer in enumerate((nn.AvgPool1D, nn.AvgPool2D, nn.AvgPool3D), 1):
    for counts in (True, False):
        cases.add(
            f"pool {axes} {counts}",
            lambda axes, layer, counts: layer(2, padding=1, count_include_pad=counts)(
                frozen(data(1, 2, *[4] * axes), "float32")
            ),
            axes,
            layer,
            counts,
            tolerance=1e-6,
        )
cases.add("linear layer", lambda: set_all(nn.Linear(4, 2))(frozen(X, "float32")), tolerance=1e-5)
cases.add(
    "layers print",
    lambda: [repr(one) for one in (nn.Linear(2, 3), nn.AvgPool1D(2), nn.AvgPool3D(2), nn.Unfold(2))],
)
for title, made, told in (
    ("plain", {}, {}),
    ("causal", {"batch_first": True}, {"is_causal": True}),
    ("widths", {"kdim": 4, "vdim": 4, "bias": False}, {"average_attn_weights": False}),
    ("more keys", {"add_bias_kv": True, "add_zero_attn": True}, {}),
    ("more keys, causal", {"add_bias_kv": True, "batch_first": True}, {"is_causal": True}),
):
    cases.add(
        f"attention {title}",
        lambda made, told: list(
            set_all(nn.MultiheadAttention(4, 2, **made))(
                *(frozen(data(3, 3, 4, seed=seed), "float32") for seed in range(3)), **told
            )
        ),
        made,
        told,
        tolerance=1e-5,
    )
cases.add(
    "attention masks",
    lambda: list(
        set_all(nn.MultiheadAttention(4, 2, batch_first=True))(
            *(frozen(data(2, 3, 4, seed=seed), "float32") for seed in range(3)),
            key_padding_mask=paddle.to_tensor([[False, False, True], [False, True, False]]),
            attn_mask=frozen(data(3, 3), "float32"),
        )
    ),
    tolerance=1e-5,
)
