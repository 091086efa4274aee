"""Mistakes in losses, and in norms."""

from tests.support.planted import Planted, layer
from tests.support.planted_scripts.forwards import (
    BATCH_NORM,
    COSINE,
    CROSS,
    FOCAL,
    GET,
    GET_BATCH_NORM,
    GET_COSINE,
    GET_CROSS,
    GET_NORM,
    GET_RMS,
    GET_S,
    GET_WEIGHT_NORM,
    INNER,
    LABELS,
    LEAVES,
    NORM,
    RMS,
    SAVE,
    WEIGHT_NORM,
)

LOSSES = [
    Planted(
        "focal loss, the power forgotten",
        "term factor",
        layer(FOCAL, GET_S + "return dy * -((1 - s) ** 3)  # HERE"),
    ),
    Planted(
        "focal loss, sign of the second term",
        "sign",
        layer(FOCAL, GET_S + "return dy * (-2 * s * (1 - s) ** 2 * paddle.log(s) - (1 - s) ** 3)  # HERE"),
    ),
    Planted(
        "focal loss, gamma missing",
        "factor",
        layer(FOCAL, GET_S + "k = s * (1 - s) ** 2 * paddle.log(s)  # HERE\nreturn dy * (k - (1 - s) ** 3)"),
    ),
    Planted(
        "cross entropy, not divided by the batch",
        "mean factor",
        layer(CROSS, GET_CROSS + "return dy * (s - hot), None  # HERE", "x, t", LABELS),
    ),
    Planted(
        "cross entropy, sign",
        "sign",
        layer(CROSS, GET_CROSS + "return dy * (hot - s) / 3, None  # HERE", "x, t", LABELS),
    ),
    Planted(
        "cross entropy, label not taken off",
        "term",
        layer(CROSS, GET_CROSS + "return dy * s / 3, None  # HERE", "x, t", LABELS),
    ),
    Planted(
        "cross entropy, label added",
        "sign",
        layer(CROSS, GET_CROSS + "return dy * (s + hot) / 3, None  # HERE", "x, t", LABELS),
    ),
    Planted(
        "log of softmax, sum of dy forgotten",
        "seed",
        layer(
            "o = F.log_softmax(x, axis=1)\nctx.save_for_backward(o)\nreturn o",
            "(o,) = ctx.saved_tensor()\nreturn dy - paddle.exp(o)  # HERE",
        ),
    ),
    Planted(
        "log of sum of exp, exp only",
        "factor",
        layer(
            "m = x.max(axis=1, keepdim=True)\ne = paddle.exp(x - m)\nctx.save_for_backward(e)\n"
            "return paddle.log(e.sum(axis=1, keepdim=True)) + m",
            "(e,) = ctx.saved_tensor()\nreturn dy * e  # HERE",
        ),
    ),
    Planted(
        "huber loss, outside as inside",
        "mask",
        layer(
            SAVE + "return paddle.where(x.abs() < 0.5, 0.5 * x * x, 0.5 * (x.abs() - 0.25))",
            GET + "return dy * x  # HERE",
        ),
    ),
    Planted(
        "huber loss, sign forgotten outside",
        "factor mask elements",
        layer(
            SAVE + "return paddle.where(x.abs() < 0.5, 0.5 * x * x, 0.5 * (x.abs() - 0.25))",
            GET + "return dy * paddle.where(x.abs() < 0.5, x, x * 0 + 0.5)  # HERE",
        ),
    ),
    Planted(
        "hinge loss, mask of the wrong side",
        "mask",
        layer(
            "m = 1 - x * y\nctx.save_for_backward(y, m)\nreturn F.relu(m)",
            "y, m = ctx.saved_tensor()\nreturn -dy * y * (m < 0).astype('float32'), None  # HERE",
            "x, y",
            "Own.apply(x, paddle.sign(y.detach()))",
        ),
    ),
    Planted(
        "dice loss, quotient half done",
        "term",
        layer(
            "i, u = (x * t).sum(), x.sum() + t.sum()\nctx.save_for_backward(t, i, u)\nreturn 1 - 2 * i / u",
            "t, i, u = ctx.saved_tensor()\nreturn dy * (-2 * t / u), None  # HERE",
            "x, t",
            "Own.apply(p, (q.detach() > 1).astype('float32'))",
        ),
    ),
    Planted(
        "divergence, one of the logs",
        "term factor",
        layer(
            "ctx.save_for_backward(p, q)\nreturn (p * (paddle.log(p) - paddle.log(q))).sum()",
            "p, q = ctx.saved_tensor()\nreturn dy * (paddle.log(p) - paddle.log(q)), -dy * p / q  # HERE",
            "p, q",
        ),
    ),
    Planted(
        "log cosh, tanh forgotten",
        "factor",
        layer(SAVE + "return paddle.log(paddle.cosh(x))", GET + "return dy * paddle.sinh(x)  # HERE"),
    ),
]

NORMS = [
    Planted(
        "layer norm, weight's gradient of the input",
        "saved",
        layer(
            NORM.replace("(h, inv, w)", "(h, inv, w, x)"),
            "h, inv, w, x = ctx.saved_tensor()\ng = dy * w\n"
            f"dw = (dy * x).sum(axis=0)  # HERE\nreturn inv * (g - {INNER}), dw, dy.sum(axis=0)",
            "x, w, bias",
            LEAVES,
        ),
    ),
    Planted(
        "layer norm, bias's gradient averaged",
        "mean",
        layer(
            NORM,
            GET_NORM + f"db = dy.mean(axis=0)  # HERE\nreturn inv * (g - {INNER}), (dy * h).sum(axis=0), db",
            "x, w, bias",
            LEAVES,
        ),
    ),
    Planted(
        "layer norm, mean over the batch",
        "axis",
        layer(
            NORM,
            GET_NORM + "m = g.mean(axis=0, keepdim=True)  # HERE\n"
            "dx = inv * (g - m - h * (g * h).mean(axis=-1, keepdim=True))\n"
            "return dx, (dy * h).sum(axis=0), dy.sum(axis=0)",
            "x, w, bias",
            LEAVES,
        ),
    ),
    Planted(
        "layer norm, weight left out of the inner terms",
        "saved factor",
        layer(
            NORM,
            GET_NORM + "m = dy.mean(axis=-1, keepdim=True)  # HERE\n"
            "dx = inv * (g - m - h * (g * h).mean(axis=-1, keepdim=True))\n"
            "return dx, (dy * h).sum(axis=0), dy.sum(axis=0)",
            "x, w, bias",
            LEAVES,
        ),
    ),
    Planted(
        "rms norm, sum for mean",
        "mean",
        layer(
            RMS,
            GET_RMS + "g = dy * w\ninner = (g * x).sum(axis=-1, keepdim=True)  # HERE\n"
            "return g * inv - x * inv ** 3 * inner, (dy * x * inv).sum(axis=0)",
            "x, w",
            "Own.apply(x, leaf(4))",
        ),
    ),
    Planted(
        "rms norm, root's power",
        "factor",
        layer(
            RMS,
            GET_RMS + "g = dy * w\ninner = (g * x).mean(axis=-1, keepdim=True)\n"
            "back = x * inv * inner  # HERE\nreturn g * inv - back, (dy * x * inv).sum(axis=0)",
            "x, w",
            "Own.apply(x, leaf(4))",
        ),
    ),
    Planted(
        "rms norm, inverse root as a constant",
        "term",
        layer(
            RMS,
            GET_RMS + "return dy * w * inv, (dy * x * inv).sum(axis=0)  # HERE",
            "x, w",
            "Own.apply(x, leaf(4))",
        ),
    ),
    Planted(
        "batch norm, statistics as constants",
        "term",
        layer(BATCH_NORM, GET_BATCH_NORM + "return dy * inv  # HERE"),
    ),
    Planted(
        "batch norm, sums not divided",
        "mean",
        layer(
            BATCH_NORM,
            GET_BATCH_NORM + "a = dy.sum(axis=0)  # HERE\nreturn inv * (dy - a - h * (dy * h).mean(axis=0))",
        ),
    ),
    Planted(
        "weight norm, not projected",
        "term",
        layer(
            WEIGHT_NORM,
            GET_WEIGHT_NORM + "return dy * g / n, inner  # HERE",
            "v, g",
            "Own.apply(x, leaf(3, 1))",
        ),
    ),
    Planted(
        "weight norm, gradient of the length",
        "factor saved",
        layer(
            WEIGHT_NORM,
            GET_WEIGHT_NORM + "dg = (dy * v).sum(axis=1, keepdim=True)  # HERE\n"
            "return g / n * (dy - u * inner), dg",
            "v, g",
            "Own.apply(x, leaf(3, 1))",
        ),
    ),
    Planted(
        "spectral norm, sigma as a constant",
        "term",
        layer(
            "u = paddle.ones([3, 1]) / 3 ** 0.5\nr = paddle.matmul(w, u, transpose_x=True)\n"
            "sigma = paddle.sqrt((r * r).sum())\nctx.save_for_backward(sigma)\nreturn w / sigma",
            "(sigma,) = ctx.saved_tensor()\nreturn dy / sigma  # HERE",
            "w",
            "Own.apply(x)",
        ),
    ),
    Planted(
        "unit length, projection on the input",
        "saved factor",
        layer(
            "n = paddle.sqrt((x * x).sum(axis=1, keepdim=True))\nctx.save_for_backward(x, n)\nreturn x / n",
            "x, n = ctx.saved_tensor()\nback = x * (dy * x).sum(axis=1, keepdim=True) / n  # HERE\n"
            "return dy / n - back / n",
        ),
    ),
    Planted(
        "cosine, first term only",
        "term",
        layer(
            COSINE,
            GET_COSINE + "return dy * y / (nx * ny), dy * (x / (nx * ny) - c * y / (ny * ny))  # HERE",
            "x, y",
        ),
    ),
    Planted(
        "standardised, divided by n for n - 1",
        "factor mean",
        layer(
            "m = x.mean()\nctx.save_for_backward(x, m)\nreturn ((x - m) ** 2).sum() / 11",
            "x, m = ctx.saved_tensor()\nreturn dy * 2 * (x - m) / 12  # HERE",
        ),
    ),
]

BUGS = [*LOSSES, *NORMS]
