"""Mistakes in activations, and in contexts and NumPy code."""

from tests.support.planted import Planted, layer
from tests.support.planted_scripts.forwards import GELU, GET, GET_GELU, GET_S, GET_SWISH, SAVE, SWISH

ACTIVATIONS = [
    Planted(
        "gelu, inner slope without 3",
        "factor",
        layer(
            GELU,
            GET_GELU + "k = 0.044715 * x ** 2  # HERE\ninner = 0.7978845608 * (1 + k)\n"
            "return dy * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner)",
        ),
    ),
    Planted(
        "gelu, slope of tanh forgotten",
        "factor term",
        layer(
            GELU,
            GET_GELU + "inner = 0.7978845608 * (1 + 3 * 0.044715 * x ** 2)\n"
            "return dy * (0.5 * (1 + t) + 0.5 * x * inner)  # HERE",
        ),
    ),
    Planted("gelu, second half", "term", layer(GELU, GET_GELU + "return dy * 0.5 * (1 + t)  # HERE")),
    Planted(
        "swish, x forgotten",
        "factor",
        layer(SWISH, GET_SWISH + "k = s * (1 - s)  # HERE\nreturn dy * (s + k)"),
    ),
    Planted(
        "swish, output for input",
        "saved factor",
        layer(SWISH, GET_SWISH + "return dy * (s + x * s * (1 - x))  # HERE"),
    ),
    Planted(
        "elu, slope below zero",
        "term operator mask factor elements",
        layer(
            SAVE + "return paddle.where(x > 0, x, paddle.exp(x) - 1)",
            GET + "return paddle.where(x > 0, dy, dy * (paddle.exp(x) - 1))  # HERE",
        ),
    ),
    Planted(
        "leaky relu, slope forgotten",
        "term",
        layer(
            SAVE + "return paddle.where(x > 0, x, 0.1 * x)",
            GET + "return dy * (x > 0).astype('float32')  # HERE",
        ),
    ),
    Planted(
        "prelu, slope's gradient over all",
        "mask",
        layer(
            "ctx.save_for_backward(x, w)\nreturn F.relu(x) - w * F.relu(-x)",
            "x, w = ctx.saved_tensor()\nup = (x > 0).astype('float32')\n"
            "return dy * (up + w * (1 - up)), (dy * x).sum().reshape([1])  # HERE",
            "x, w",
            "Own.apply(x, leaf(1))",
        ),
    ),
    Planted(
        "softplus, beta twice",
        "factor",
        layer(
            SAVE + "return paddle.log(1 + paddle.exp(3 * x)) / 3",
            GET + "return dy * F.sigmoid(3 * x) * 3  # HERE",
        ),
    ),
    Planted(
        "mish, outer product rule",
        "term",
        layer(
            SAVE + "return x * paddle.tanh(F.softplus(x))",
            GET + "t = paddle.tanh(F.softplus(x))\nreturn dy * x * (1 - t * t) * F.sigmoid(x)  # HERE",
        ),
    ),
    Planted(
        "gated unit, halves mixed up",
        "swapped shifted saved",
        layer(
            "a, b = x[:, :2], x[:, 2:]\ns = F.sigmoid(b)\nctx.save_for_backward(a, s)\nreturn a * s",
            "a, s = ctx.saved_tensor()\nreturn paddle.concat([dy * a * s * (1 - s), dy * s], axis=1)  # HERE",
        ),
    ),
    Planted(
        "clamp, lower limit only",
        "mask",
        layer(
            SAVE + "return paddle.clip(x, -0.6, 0.6)",
            GET + "return dy * (x > -0.6).astype('float32')  # HERE",
        ),
    ),
    Planted(
        "hard sigmoid, limits of the output",
        "saved",
        layer(
            "o = paddle.clip(x / 2 + 0.5, 0, 1)\nctx.save_for_backward(x)\nreturn o",
            GET + "return dy / 2 * ((x > 0) & (x < 1)).astype('float32')  # HERE",
        ),
    ),
    Planted(
        "power, exponent not lowered",
        "factor",
        layer(
            "ctx.save_for_backward(p)\nreturn p ** 2.5",
            "(p,) = ctx.saved_tensor()\nreturn dy * 2.5 * p ** 2.5  # HERE",
            "p",
        ),
    ),
    Planted(
        "temperature, not divided",
        "factor",
        layer(
            "s = F.softmax(x / 0.5)\nctx.save_for_backward(s)\nreturn s",
            GET_S + "return s * (dy - (dy * s).sum(axis=-1, keepdim=True))  # HERE",
        ),
    ),
    Planted(
        "fake quantisation, scale twice",
        "factor",
        layer("return x * 0.25 + x.detach() * 0", "return dy * 0.25 * 0.25  # HERE"),
    ),
    Planted(
        "gradient reversal, strength forgotten",
        "factor sign",
        layer("ctx.k = 0.3\nreturn x * -ctx.k", "return -dy  # HERE"),
    ),
]

CONTEXTS = [
    Planted(
        "what came in is written over",
        "overwritten factor saved seed",
        layer(
            "ctx.save_for_backward(x, y)\nreturn x * y",
            "x, y = ctx.saved_tensor()\n"
            "dx = dy * y\n"
            "dy.multiply_(paddle.ones_like(dy) * 2)  # HERE\n"
            "return dx, dy * x",
            "x, y",
        ),
    ),
    Planted(
        "tuple in the context, in another order",
        "saved swapped",
        layer(
            "ctx.parts = (y, x)\nreturn x * x * y",
            "x, y = ctx.parts\nreturn dy * 2 * x * y, dy * x * x  # HERE",
            "x, y",
        ),
    ),
    Planted(
        "a list of the class, its last",
        "call",
        layer(
            "Own.kept.append(x)\nreturn x ** 3",
            "return dy * 3 * Own.kept[0] ** 2  # HERE",
            call="[Own.apply(z) for z in (x, y)]",
        ).replace("PyLayer):", "PyLayer):\n    kept = []"),
    ),
    Planted(
        "once differentiable, a half",
        "factor",
        layer(SAVE + "return x * x / 2", GET + "return dy * x / 2  # HERE").replace(
            "    @staticmethod\n    def backward",
            "    @staticmethod\n    @paddle.autograd.py_layer.once_differentiable\n    def backward",
        ),
    ),
    Planted(
        "None for the wrong input",
        "none swapped",
        layer(
            "ctx.save_for_backward(x, m)\nreturn x * m",
            "x, m = ctx.saved_tensor()\nreturn None, dy * x  # HERE",
            "x, m",
            "Own.apply(x, y)",
        ),
    ),
    Planted(
        "truncated by a cast",
        "operator",
        layer(SAVE + "return x * x", GET + "return dy * (2 * x).astype('int32').astype('float32')  # HERE"),
    ),
    Planted(
        "third of three outputs",
        "term",
        layer(
            SAVE + "return x * 2, x * x, paddle.sin(x)",
            GET + "return da * 2 + db * 2 * x  # HERE",
            grads="da, db, dc",
        ),
    ),
    Planted(
        "detached saved part",
        "none zero",
        layer(
            "ctx.save_for_backward(x, y)\nreturn x * y",
            "x, y = ctx.saved_tensor()\nreturn dy * y, paddle.zeros_like(y)  # HERE",
            "x, y",
        ),
    ),
]

NUMPY = [
    Planted(
        "numpy softmax, diagonal",
        "diagonal elements",
        layer(
            "e = np.exp(x.numpy())\nctx.s = e / e.sum(-1, keepdims=True)\nreturn paddle.to_tensor(ctx.s)",
            "g = dy.numpy() * ctx.s * (1 - ctx.s)\nreturn paddle.to_tensor(g)  # HERE",
        ),
    ),
    Planted(
        "numpy, mean not divided",
        "mean factor",
        layer(
            "return paddle.to_tensor(x.numpy().mean(0))",
            "return paddle.to_tensor(np.broadcast_to(dy.numpy(), (3, 4)).copy())  # HERE",
        ),
    ),
    Planted(
        "numpy, matrices",
        "transposed",
        layer(
            "ctx.a, ctx.b = a.numpy(), b.numpy()\nreturn paddle.to_tensor(ctx.a @ ctx.b)",
            "g = dy.numpy()\nreturn paddle.to_tensor(g @ ctx.b), paddle.to_tensor(ctx.a.T @ g)  # HERE",
            "a, b",
        ),
    ),
    Planted(
        "numpy, order of sorting",
        "moved",
        layer(
            "ctx.i = x.numpy().argsort(1)\nreturn paddle.to_tensor(np.sort(x.numpy(), 1))",
            "return paddle.to_tensor(np.take_along_axis(dy.numpy(), ctx.i, 1))  # HERE",
        ),
    ),
]

BUGS = [*ACTIVATIONS, *CONTEXTS, *NUMPY]
