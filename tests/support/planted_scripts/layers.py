"""Mistakes in the backward of a PyLayer."""

from tests.support.planted import Planted, layer

SAVE = "ctx.save_for_backward(x)\n"
GET = "(x,) = ctx.saved_tensor()\n"
SAVE2 = "ctx.save_for_backward(x, y)\n"
GET2 = "x, y = ctx.saved_tensor()\n"
MATRICES = "ctx.save_for_backward(a, b)\nreturn paddle.matmul(a, b)"
GET_MATRICES = "a, b = ctx.saved_tensor()\n"
SOFTMAX = "s = F.softmax(x, axis=-1)\nctx.save_for_backward(s)\nreturn s"
GET_S = "(s,) = ctx.saved_tensor()\n"
NORM = "m = x.mean(axis=1, keepdim=True)\nreturn x - m"

NORMED = """
c = x - x.mean(axis=-1, keepdim=True)
inv = paddle.rsqrt((c * c).mean(axis=-1, keepdim=True) + 1e-5)
h = c * inv
ctx.save_for_backward(h, inv)
return h
"""
GET_NORMED = "h, inv = ctx.saved_tensor()\n"

BUGS = [
    Planted("sign", "sign", layer(SAVE + "return -x * x", GET + "return dy * 2 * x  # HERE")),
    Planted("sign of one of two", "sign", layer("return x - y", "return dy, dy  # HERE", "x, y")),
    Planted(
        "sign inside",
        "sign",
        layer(
            "t = paddle.tanh(x)\nctx.save_for_backward(t)\nreturn t",
            "(t,) = ctx.saved_tensor()\nreturn dy * (1 + t * t)  # HERE",
        ),
    ),
    Planted(
        "minus for plus",
        "sign",
        layer(SAVE + "return x * x + x * 3", GET + "return dy * (2 * x - 3)  # HERE"),
    ),
    Planted("factor 2", "factor", layer(SAVE + "return x * x", GET + "return dy * x  # HERE")),
    Planted("half", "factor", layer("return x * 0.5", "return dy  # HERE")),
    Planted("x forgotten", "factor", layer(SAVE + "return x * x * x", GET + "return dy * 3 * x  # HERE")),
    Planted("x too much", "factor", layer(SAVE + "return x * x", GET + "return dy * 2 * x * x  # HERE")),
    Planted("slope of tanh", "factor", layer("return paddle.tanh(x) * 2", "return dy * 2  # HERE")),
    Planted(
        "inner slope",
        "factor",
        layer(
            SAVE + "return paddle.exp(paddle.sin(x))", GET + "return dy * paddle.exp(paddle.sin(x))  # HERE"
        ),
    ),
    Planted("dy forgotten", "seed", layer(SAVE + "return x * x", GET + "return 2 * x  # HERE")),
    Planted(
        "dy forgotten, where it is 1",
        "seed",
        layer(SAVE + "return x * x", GET + "return 2 * x  # HERE", loss="out.sum()"),
    ),
    Planted(
        "transposed factor",
        "transposed",
        layer(
            MATRICES,
            GET_MATRICES + "return paddle.matmul(dy, b), paddle.matmul(a, dy, transpose_x=True)  # HERE",
            "a, b",
        ),
    ),
    Planted(
        "order of a product",
        "transposed",
        layer(
            MATRICES,
            GET_MATRICES + "g = paddle.matmul(dy, b, transpose_y=True)\n"
            "return g, paddle.matmul(dy, a, transpose_x=True)  # HERE",
            "a, b",
        ),
    ),
    Planted("transposed", "transposed", layer("return a.t()", "return dy  # HERE", "a")),
    Planted(
        "outputs swapped",
        "swapped",
        layer("ctx.save_for_backward(x, y)\nreturn x * y", GET2 + "return dy * x, dy * y  # HERE", "x, y"),
    ),
    Planted(
        "wrong value saved",
        "saved factor",
        layer(
            "s = paddle.exp(y)\nctx.save_for_backward(x)\nreturn x * s",
            GET + "return dy * x, dy * x * x  # HERE",
            "x, y",
        ),
    ),
    Planted(
        "input where output was meant",
        "saved",
        layer(
            "s = F.sigmoid(x)\nctx.save_for_backward(x)\nreturn s",
            GET + "u = 1 - x  # HERE\nreturn dy * F.sigmoid(x) * u",
        ),
    ),
    Planted(
        "saved before it was written over",
        "overwritten",
        layer(
            "s = paddle.exp(x)\nctx.save_for_backward(s)\ns.add_(paddle.ones_like(s))\nreturn s",
            GET_S + "return dy * s  # HERE",
        ),
    ),
    Planted(
        "written over between forward and backward",
        "overwritten",
        layer(
            SAVE2 + "return x * y",
            GET2 + "return dy * y, dy * x",
            "x, y",
            then="with paddle.no_grad():\n    x.add_(paddle.ones_like(x))  # HERE",
        ),
    ),
    Planted(
        "kept in the class",
        "call",
        layer("Own.x = x\nreturn x * x", "return dy * 2 * Own.x  # HERE", call="Own.apply(x) + Own.apply(y)"),
    ),
    Planted(
        "mask flipped",
        "mask",
        layer(SAVE + "return F.relu(x)", GET + "return dy * (x < 0).astype('float32')  # HERE"),
    ),
    Planted("mask forgotten", "mask", layer("return F.relu(x)", "return dy  # HERE")),
    Planted(
        "mask of the gradient",
        "mask saved",
        layer(SAVE + "return F.relu(x)", GET + "return dy * (dy > 0).astype('float32')  # HERE"),
    ),
    Planted(
        "where mixed up",
        "mask",
        layer(
            SAVE + "return paddle.where(x > 0, x * 2, x * 0.1)",
            GET + "return paddle.where(x > 0, dy * 0.1, dy * 2)  # HERE",
        ),
    ),
    Planted(
        "off by one",
        "shifted",
        layer("return paddle.concat([x[:, 1:], x[:, :1]], axis=1)", "return dy  # HERE"),
    ),
    Planted("flipped", "flipped", layer("return paddle.flip(x, axis=[1])", "return dy  # HERE")),
    Planted("slice of a broadcast", "broadcast", layer("return x + v", "return dy, dy[0]  # HERE", "x, v")),
    Planted(
        "mean of a broadcast", "mean", layer("return x + v", "return dy, dy.mean(axis=0)  # HERE", "x, v")
    ),
    Planted(
        "expanded along the wrong axis",
        "transposed",
        layer("r = a.sum(axis=1)\nreturn r", "return paddle.expand(dy, [3, 3])  # HERE", "a"),
    ),
    Planted(
        "sum over the wrong axis",
        "axis",
        layer(
            "ctx.save_for_backward(a, v)\nreturn a * v",
            "a, v = ctx.saved_tensor()\nreturn dy * v, (dy * a).sum(axis=1)  # HERE",
            "a, v[:3]",
        ),
    ),
    Planted(
        "mean not divided", "mean factor", layer("return x.mean()", "return dy * paddle.ones([3, 4])  # HERE")
    ),
    Planted(
        "mean of an axis not divided",
        "mean factor",
        layer("return x.mean(axis=1, keepdim=True)", "return paddle.expand(dy, [3, 4])  # HERE"),
    ),
    Planted(
        "None where a gradient is needed",
        "none",
        layer(SAVE2 + "return x * y", GET2 + "return dy * y, None  # HERE", "x, y"),
    ),
    Planted("zeros", "zero", layer("return x * 3", "return paddle.zeros_like(dy)  # HERE")),
    Planted("term forgotten", "term", layer(SAVE + "return x * x + x", GET + "return dy * 2 * x  # HERE")),
    Planted(
        "second path forgotten",
        "term",
        layer(SAVE + "return x * paddle.exp(x)", GET + "return dy * paddle.exp(x)  # HERE"),
    ),
    Planted("mean not taken off", "term", layer(NORM, "return dy  # HERE")),
    Planted("term too much", "term", layer(SAVE + "return x * x", GET + "return dy * (2 * x + 1)  # HERE")),
    Planted(
        "diagonal of softmax", "diagonal term", layer(SOFTMAX, GET_S + "return dy * s * (1 - s)  # HERE")
    ),
    Planted(
        "softmax, wrong axis",
        "axis transposed",
        layer(
            "s = F.softmax(a, axis=-1)\nctx.save_for_backward(s)\nreturn s",
            GET_S + "t = (dy * s).sum(axis=0, keepdim=True)  # HERE\nreturn s * (dy - t.t())",
            "a",
        ),
    ),
    Planted(
        "sine for cosine",
        "operator",
        layer(SAVE + "return paddle.sin(x)", GET + "return dy * paddle.sin(x)  # HERE"),
    ),
    Planted(
        "product for quotient",
        "operator factor",
        layer(
            "ctx.save_for_backward(p, q)\nreturn p / q",
            "p, q = ctx.saved_tensor()\nreturn dy * q, -dy * p / (q * q)  # HERE",
            "p, q",
        ),
    ),
    Planted("sign of abs", "factor", layer(SAVE + "return paddle.abs(x) * 2", GET + "return dy * 2  # HERE")),
    Planted(
        "wrong at one row",
        "overwritten",
        layer(SAVE + "return x * x", GET + "g = dy * 2 * x\ng[1] = 0.0  # HERE\nreturn g"),
    ),
    Planted(
        "second output ignored",
        "term",
        layer(SAVE + "return x * 2, x * x", GET + "return dy * 2  # HERE", grads="dy, dz"),
    ),
    Planted(
        "both outputs mixed up",
        "swapped",
        layer("return x * 2, x * 5", "return dz * 2 + dy * 5  # HERE", grads="dy, dz"),
    ),
    Planted(
        "second call only",
        "factor",
        layer(
            SAVE + "return x * x",
            GET + "Own.n = getattr(Own, 'n', 0) + 1\nif Own.n == 2:\n"
            "    return dy * x  # HERE\nreturn dy * 2 * x",
            call="[Own.apply(z) for z in (x, y)]",
        ),
    ),
    Planted(
        "half precision inside",
        "factor",
        layer(SAVE + "return x * 3", "return (dy.astype('float16') * 2.5).astype('float32')  # HERE"),
    ),
    Planted(
        "reshaped, not transposed",
        "transposed",
        layer("return a.transpose([1, 0])", "return dy.reshape([3, 3])  # HERE", "a"),
    ),
    Planted(
        "reversed cumulative sum",
        "flipped axis term operator",
        layer("return paddle.cumsum(v)", "return paddle.cumsum(dy)  # HERE", "v"),
    ),
    Planted(
        "norm of a layer, one mean",
        "term",
        layer(NORMED, GET_NORMED + "return inv * (dy - h * (dy * h).mean(axis=-1, keepdim=True))  # HERE"),
    ),
    Planted(
        "norm of a layer, sum for mean",
        "mean",
        layer(
            NORMED,
            GET_NORMED + "inner = (dy * h).sum(axis=-1, keepdim=True)  # HERE\n"
            "return inv * (dy - dy.mean(axis=-1, keepdim=True) - h * inner)",
        ),
    ),
    Planted(
        "rows that are gathered twice",
        "accumulate",
        layer(
            "ctx.save_for_backward(i)\nreturn paddle.gather(x, i)",
            "(i,) = ctx.saved_tensor()\n"
            "return paddle.scatter(paddle.zeros([3, 4]), i, dy, overwrite=True), None  # HERE",
            "x, i",
            "Own.apply(x, paddle.to_tensor([0, 0, 2]))",
        ),
    ),
    Planted(
        "another mask than forward's",
        "saved",
        layer(
            "mask = (paddle.rand([3, 4]) > 0.5).astype('float32')\nreturn x * mask * 2",
            "mask = (paddle.rand([3, 4]) > 0.5).astype('float32')\nreturn dy * mask * 2  # HERE",
        ),
    ),
    Planted(
        "padding cut off at the wrong side",
        "shifted",
        layer("return F.pad(x, [0, 0, 1, 1])", "return dy[:, :4]  # HERE"),
    ),
    Planted(
        "batch of matrices",
        "transposed",
        layer(
            MATRICES,
            GET_MATRICES + "return paddle.matmul(dy, b), paddle.matmul(a, dy, transpose_x=True)  # HERE",
            "a, b",
            "Own.apply(leaf(2, 3, 3), leaf(2, 3, 3))",
        ),
    ),
    Planted(
        "kernel not turned",
        "flipped",
        layer(
            "ctx.save_for_backward(k)\nreturn F.conv2d(i, k, padding=1)",
            "(k,) = ctx.saved_tensor()\nreturn F.conv2d(dy, k.transpose([1, 0, 2, 3]), padding=1), None  # HERE",
            "i, k",
            "Own.apply(leaf(2, 3, 5, 5), leaf(4, 3, 3, 3).detach())",
        ),
    ),
    Planted(
        "kernel in space not turned",
        "flipped",
        layer(
            "ctx.save_for_backward(k)\nreturn F.conv3d(i, k, padding=1)",
            "(k,) = ctx.saved_tensor()\nreturn F.conv3d(dy, k, padding=1), None  # HERE",
            "i, k",
            "Own.apply(leaf(1, 1, 3, 4, 3), leaf(1, 1, 3, 3, 3).detach())",
        ),
    ),
    Planted(
        "inputs in a list, in the wrong order",
        "swapped",
        layer("return xs[0] * 2 + xs[1] * 3", "return [dy * 3, dy * 2]  # HERE", "xs", "Own.apply([x, y])"),
    ),
]
