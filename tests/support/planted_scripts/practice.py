"""Correct scripts as papers and practice have them: no tool may have anything to say of them."""

from tests.support.planted import layer, script
from tests.support.planted_scripts import networks
from tests.support.planted_scripts.controls import control
from tests.support.planted_scripts.forwards import (
    ATTENTION,
    BATCH_NORM,
    COSINE,
    CROSS,
    FOCAL,
    GATES,
    GELU,
    GET_ATTENTION,
    GET_BATCH_NORM,
    GET_COSINE,
    GET_CROSS,
    GET_GELU,
    GET_I,
    GET_LSTM,
    GET_NORM,
    GET_RMS,
    GET_ROPE,
    GET_S,
    GET_SWISH,
    GET_WEIGHT_NORM,
    HEADS,
    INNER,
    LABELS,
    LEAVES,
    LSTM,
    NORM,
    RMS,
    ROPE,
    SORTED,
    SWISH,
    WEIGHT_NORM,
)

SAVE = "ctx.save_for_backward(x)\n"
GET = "(x,) = ctx.saved_tensor()\n"


LAYERS = [
    control(
        "focal loss",
        layer(FOCAL, GET_S + "return dy * (2 * s * (1 - s) ** 2 * paddle.log(s) - (1 - s) ** 3)"),
    ),
    control("cross entropy", layer(CROSS, GET_CROSS + "return dy * (s - hot) / 3, None", "x, t", LABELS)),
    control(
        "layer norm",
        layer(
            NORM,
            GET_NORM + f"return inv * (g - {INNER}), (dy * h).sum(axis=0), dy.sum(axis=0)",
            "x, w, bias",
            LEAVES,
        ),
    ),
    control(
        "rms norm",
        layer(
            RMS,
            GET_RMS + "g = dy * w\ninner = (g * x).mean(axis=-1, keepdim=True)\n"
            "return g * inv - x * inv ** 3 * inner, (dy * x * inv).sum(axis=0)",
            "x, w",
            "Own.apply(x, leaf(4))",
        ),
    ),
    control(
        "batch norm",
        layer(
            BATCH_NORM,
            GET_BATCH_NORM + "return inv * (dy - dy.mean(axis=0) - h * (dy * h).mean(axis=0))",
            call="Own.apply(leaf(8, 4))",
        ),
    ),
    control(
        "weight norm",
        layer(
            WEIGHT_NORM,
            GET_WEIGHT_NORM + "return g / n * (dy - u * inner), inner",
            "v, g",
            "Own.apply(x, leaf(3, 1))",
        ),
    ),
    control(
        "cosine",
        layer(
            COSINE,
            GET_COSINE + "return dy * (y / (nx * ny) - c * x / (nx * nx)), "
            "dy * (x / (nx * ny) - c * y / (ny * ny))",
            "x, y",
        ),
    ),
    control(
        "gelu",
        layer(
            GELU,
            GET_GELU + "inner = 0.7978845608 * (1 + 3 * 0.044715 * x ** 2)\n"
            "return dy * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner)",
        ),
    ),
    control("swish", layer(SWISH, GET_SWISH + "return dy * (s + x * s * (1 - s))")),
    control(
        "attention",
        layer(
            ATTENTION,
            GET_ATTENTION + "dz = s * (ds - (ds * s).sum(axis=-1, keepdim=True)) / 2.0\n"
            "dv = paddle.matmul(s, dy, transpose_x=True)\n"
            "return paddle.matmul(dz, k), paddle.matmul(dz, q, transpose_x=True), dv",
            "q, k, v",
            HEADS,
        ),
    ),
    control(
        "rotary positions",
        layer(
            ROPE,
            GET_ROPE + "return paddle.concat([u * c + w * s, w * c - u * s], axis=1), None",
            "x, angle",
            "Own.apply(x, leaf(3, 2).detach())",
        ),
    ),
    control(
        "gates",
        layer(
            LSTM,
            GET_LSTM + "return (dy * c * i * (1 - i), dy * old * f * (1 - f), dy * i * (1 - c * c), dy * f)",
            "gi, gf, gc, old",
            GATES,
        ),
    ),
    control("sorted", layer(SORTED, GET_I + "return paddle.put_along_axis(paddle.zeros_like(dy), i, dy, 1)")),
    control(
        "sorted back by the order of the order",
        layer(SORTED, GET_I + "return paddle.take_along_axis(dy, paddle.argsort(i, axis=1), 1)"),
    ),
    control(
        "scattered",
        layer(
            "ctx.save_for_backward(i)\nreturn paddle.scatter(w, i, u)",
            GET_I + "keep = paddle.scatter(paddle.ones([3, 4]), i, paddle.zeros([2, 4]))\n"
            "return dy * keep, None, paddle.gather(dy, i)",
            "w, i, u",
            "Own.apply(x, paddle.to_tensor([2, 0]), leaf(2, 4))",
        ),
    ),
    control(
        "straight through, quantised, and says so",
        layer(
            "return paddle.round(x / 0.1) * 0.1",
            "return dy  # minipaddle: not the gradient",
            mark="  # minipaddle: not the gradient",
        ),
    ),
    control(
        "straight through by detach", script("loss_of(x + (paddle.round(x * 4) / 4 - x).detach()).backward()")
    ),
    control(
        "reversal with a strength, excepted",
        layer("ctx.k = 0.3\nreturn x * 1.0", "return dy * -ctx.k", mark="  # minipaddle: not the gradient"),
    ),
    control(
        "clamp at its limits",
        layer(
            SAVE + "return paddle.clip(x, -0.5, 0.5)",
            GET + "return dy * ((x >= -0.5) & (x <= 0.5)).astype('float32')",
            call="Own.apply(paddle.concat([x, paddle.full([1, 4], 0.5)]))",
        ),
    ),
    control(
        "median of three as a maximum of minima",
        layer(
            "lo, hi = paddle.minimum(x, y), paddle.maximum(x, y)\n"
            "ctx.save_for_backward((x <= y).astype('float32'))\nreturn hi - lo",
            "(m,) = ctx.saved_tensor()\nreturn dy * (1 - 2 * m), dy * (2 * m - 1)",
            "x, y",
        ),
    ),
    control(
        "dictionary in the context",
        layer(
            "ctx.parts = {'x': x, 'two': 2}\nreturn x ** 2", "return dy * ctx.parts['two'] * ctx.parts['x']"
        ),
    ),
    control(
        "list in the context, for several calls",
        layer(
            "ctx.parts = [x, y]\nreturn x * y",
            "x, y = ctx.parts\nreturn dy * y, dy * x",
            "x, y",
            "[Own.apply(x, y), Own.apply(p, q), Own.apply(x, q)]",
        ),
    ),
    control(
        "written in place in backward, of its own",
        layer(SAVE + "return x ** 3", GET + "g = dy * 3\ng.multiply_(x)\ng.multiply_(x)\nreturn g"),
    ),
    control(
        "once differentiable",
        layer(SAVE + "return x * x / 2", GET + "return dy * x").replace(
            "    @staticmethod\n    def backward",
            "    @staticmethod\n    @paddle.autograd.py_layer.once_differentiable\n    def backward",
        ),
    ),
    control(
        "none for what is an integer and for what needs none",
        layer(
            "ctx.n = n\nctx.save_for_backward(x)\nreturn x * m * n",
            GET + "return dy * ctx.n * 2.0, None",
            "x, m, n",
            "Own.apply(x, paddle.full([3, 4], 2.0), 3)",
        ),
    ),
    control(
        "non-contiguous",
        layer(
            "ctx.save_for_backward(a)\nreturn (a.transpose([1, 0])[::2] ** 2).reshape([6])",
            "(a,) = ctx.saved_tensor()\ng = paddle.zeros([3, 3])\ng[::2] = dy.reshape([2, 3])\n"
            "return 2 * a * g.transpose([1, 0])",
            "a",
        ),
    ),
    control(
        "broadcast both ways",
        layer(
            "ctx.save_for_backward(u, w)\nreturn u * w",
            "u, w = ctx.saved_tensor()\n"
            "return (dy * w).sum(axis=1, keepdim=True), (dy * u).sum(axis=0, keepdim=True)",
            "u, w",
            "Own.apply(leaf(3, 1), leaf(1, 4))",
        ),
    ),
    control(
        "half inside, for matrices",
        layer(
            "ctx.save_for_backward(a, b)\n"
            "return paddle.matmul(a.astype('float16'), b.astype('float16')).astype('float32')",
            "a, b = ctx.saved_tensor()\ng = dy.astype('float16')\n"
            "return (paddle.matmul(g, b.astype('float16'), transpose_y=True).astype('float32'), "
            "paddle.matmul(a.astype('float16'), g, transpose_x=True).astype('float32'))",
            "a, b",
        ),
    ),
    control(
        "dropout",
        layer(
            "m = (paddle.rand([3, 4]) > 0.4).astype('float32') / 0.6\nctx.save_for_backward(m)\nreturn x * m",
            "(m,) = ctx.saved_tensor()\nreturn dy * m",
        ),
    ),
    control(
        "products of a running kind",
        layer(
            "o = paddle.cumsum(x, axis=1)\nreturn o * 0.5",
            "g = paddle.flip(paddle.cumsum(paddle.flip(dy, axis=[1]), axis=1), axis=[1])\nreturn g * 0.5",
        ),
    ),
    control(
        "complex product",
        layer(
            "ctx.save_for_backward(u, w)\nreturn u * w",
            "u, w = ctx.saved_tensor()\nreturn dy * paddle.conj(w), dy * paddle.conj(u)",
            "u, w",
            "Own.apply(c, d)",
            loss="(paddle.real(out) * x.detach() + paddle.imag(out) * 3).sum()",
        ),
    ),
    control(
        "complex, and back",
        layer(
            "ctx.save_for_backward(z)\nreturn paddle.real(z * z * z)",
            "(z,) = ctx.saved_tensor()\nreturn dy * 3 * (z * z).conj()",
            "z",
            "Own.apply(c)",
        ),
    ),
    control(
        "absolute value of complex numbers",
        layer(
            "r = paddle.abs(z)\nctx.save_for_backward(z, r)\nreturn r",
            "z, r = ctx.saved_tensor()\nreturn dy * z / r",
            "z",
            "Own.apply(c)",
        ),
    ),
    control(
        "complex exponential",
        layer(
            "e = paddle.exp(z)\nctx.save_for_backward(e)\nreturn e",
            "(e,) = ctx.saved_tensor()\nreturn dy * e.conj()",
            "z",
            "Own.apply(c)",
            loss="(paddle.abs(out) ** 2).sum()",
        ),
    ),
    control(
        "complex, in numpy",
        layer(
            "ctx.z = z.numpy()\nreturn paddle.to_tensor(ctx.z ** 2)",
            "return paddle.to_tensor(dy.numpy() * np.conj(2 * ctx.z))",
            "z",
            "Own.apply(c)",
            loss="(paddle.real(out) * 2 + paddle.imag(out)).sum()",
        ),
    ),
    control(
        "numpy softmax",
        layer(
            "e = np.exp(x.numpy() - x.numpy().max(-1, keepdims=True))\nctx.s = e / e.sum(-1, keepdims=True)\n"
            "return paddle.to_tensor(ctx.s)",
            "g, s = dy.numpy(), ctx.s\nreturn paddle.to_tensor(s * (g - (g * s).sum(-1, keepdims=True)))",
        ),
    ),
    control(
        "numpy sorting",
        layer(
            "ctx.i = x.numpy().argsort(1)\nreturn paddle.to_tensor(np.sort(x.numpy(), 1))",
            "g = np.zeros((3, 4), 'float32')\nnp.put_along_axis(g, ctx.i, dy.numpy(), 1)\n"
            "return paddle.to_tensor(g)",
        ),
    ),
    control(
        "double backward of an own layer",
        layer(
            SAVE + "return x ** 3",
            GET + "return dy * 3 * x ** 2",
            loss="(paddle.grad(out.sum(), x, create_graph=True)[0] ** 2).sum()",
        ),
    ),
    control(
        "an own layer in an own layer",
        layer(SAVE + "return Half.apply(x * x)", GET + "return Half.apply(dy) * 2 * x").replace(
            "class Own",
            "class Half(PyLayer):\n    @staticmethod\n    def forward(ctx, x):\n        return x / 2\n"
            "    @staticmethod\n    def backward(ctx, dy):\n        return dy / 2\nclass Own",
        ),
    ),
    control(
        "a whole network recomputed",
        layer(
            "ctx.save_for_backward(x)\nwith paddle.no_grad():\n    return F.relu(paddle.matmul(x, v))",
            GET + "with paddle.enable_grad():\n    z = x.detach()\n    z.stop_gradient = False\n"
            "    o = F.relu(paddle.matmul(z, v))\no.backward(dy)\nreturn z.grad",
            loss="(out * out).sum()",
        ),
    ),
]

CONTROLS = [*LAYERS, *networks.SCRIPTS]
