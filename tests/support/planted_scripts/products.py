"""Mistakes in attention, gates and products of matrices, and in what moves elements."""

from tests.support.planted import Planted, layer
from tests.support.planted_scripts.forwards import (
    ATTENTION,
    GATES,
    GET_ATTENTION,
    GET_I,
    GET_LSTM,
    GET_ROPE,
    HEADS,
    LSTM,
    ROPE,
    SORTED,
)

PRODUCTS = [
    Planted(
        "attention, scale forgotten",
        "factor",
        layer(
            ATTENTION,
            GET_ATTENTION + "dz = s * (ds - (ds * s).sum(axis=-1, keepdim=True))\n"
            "dq = paddle.matmul(dz, k)  # HERE\ndk = paddle.matmul(dz, q, transpose_x=True) / 2.0\n"
            "return dq, dk, paddle.matmul(s, dy, transpose_x=True)",
            "q, k, v",
            HEADS,
        ),
    ),
    Planted(
        "attention, softmax along the other axis",
        "axis",
        layer(
            ATTENTION,
            GET_ATTENTION + "z = (ds * s).sum(axis=1, keepdim=True)  # HERE\ndz = s * (ds - z) / 2.0\n"
            "dq, dk = paddle.matmul(dz, k), paddle.matmul(dz, q, transpose_x=True)\n"
            "return dq, dk, paddle.matmul(s, dy, transpose_x=True)",
            "q, k, v",
            HEADS,
        ),
    ),
    Planted(
        "attention, values not transposed",
        "transposed",
        layer(
            ATTENTION,
            GET_ATTENTION + "dz = s * (ds - (ds * s).sum(axis=-1, keepdim=True)) / 2.0\n"
            "dv = paddle.matmul(s, dy)  # HERE\n"
            "return paddle.matmul(dz, k), paddle.matmul(dz, q, transpose_x=True), dv",
            "q, k, v",
            HEADS,
        ),
    ),
    Planted(
        "attention, keys and queries mixed up",
        "swapped saved",
        layer(
            ATTENTION,
            GET_ATTENTION + "dz = s * (ds - (ds * s).sum(axis=-1, keepdim=True)) / 2.0\n"
            "dk, dq = paddle.matmul(dz, k), paddle.matmul(dz, q, transpose_x=True)  # HERE\n"
            "return dq, dk, paddle.matmul(s, dy, transpose_x=True)",
            "q, k, v",
            HEADS,
        ),
    ),
    Planted(
        "linear layer, bias over the wrong axis",
        "axis transposed",
        layer(
            "ctx.save_for_backward(a, b)\nreturn paddle.matmul(a, b) + c",
            "a, b = ctx.saved_tensor()\ndc = dy.sum(axis=1)  # HERE\n"
            "return paddle.matmul(dy, b, transpose_y=True), paddle.matmul(a, dy, transpose_x=True), dc",
            "a, b, c",
            "Own.apply(a, b, leaf(3))",
        ),
    ),
    Planted(
        "bilinear form, one side only",
        "term",
        layer(
            "ctx.save_for_backward(v, a)\nreturn (v * paddle.matmul(a, v)).sum()",
            "v, a = ctx.saved_tensor()\nreturn dy * paddle.matmul(a, v), dy * v.reshape([3, 1]) * v  # HERE",
            "v, a",
            "Own.apply(leaf(3), a)",
        ),
    ),
    Planted(
        "outer product, transposed",
        "transposed axis swapped",
        layer(
            "ctx.save_for_backward(u, w)\nreturn u.reshape([3, 1]) * w.reshape([1, 3])",
            "u, w = ctx.saved_tensor()\nreturn (dy * w).sum(axis=0), (dy * u.reshape([3, 1])).sum(axis=0)  # HERE",
            "u, w",
            "Own.apply(leaf(3), leaf(3))",
        ),
    ),
    Planted(
        "rotary positions, turned the same way",
        "sign",
        layer(
            ROPE,
            GET_ROPE + "k = u * c - w * s  # HERE\nreturn paddle.concat([k, w * c - u * s], axis=1), None",
            "x, angle",
            "Own.apply(x, leaf(3, 2).detach())",
        ),
    ),
    Planted(
        "forget gate, for the input gate",
        "saved factor",
        layer(
            LSTM,
            GET_LSTM + "d = dy * old * f * (1 - i)  # HERE\n"
            "return dy * c * i * (1 - i), d, dy * i * (1 - c * c), dy * f",
            "gi, gf, gc, old",
            GATES,
        ),
    ),
    Planted(
        "candidate, slope of sigmoid",
        "factor saved sign",
        layer(
            LSTM,
            GET_LSTM + "d = dy * i * c * (1 - c)  # HERE\n"
            "return dy * c * i * (1 - i), dy * old * f * (1 - f), d, dy * f",
            "gi, gf, gc, old",
            GATES,
        ),
    ),
    Planted(
        "old state, the gate forgotten",
        "factor",
        layer(
            LSTM,
            GET_LSTM
            + "return dy * c * i * (1 - i), dy * old * f * (1 - f), dy * i * (1 - c * c), dy  # HERE",
            "gi, gf, gc, old",
            GATES,
        ),
    ),
]

MOVES = [
    Planted("sorted, not sorted back", "moved", layer(SORTED, GET_I + "return dy  # HERE")),
    Planted(
        "sorted back by the same order",
        "moved",
        layer(SORTED, GET_I + "return paddle.take_along_axis(dy, i, 1)  # HERE"),
    ),
    Planted(
        "running sum along the other axis",
        "axis",
        layer(
            "return paddle.cumsum(a, axis=1)",
            "g = paddle.cumsum(paddle.flip(dy, axis=[1]), axis=0)  # HERE\nreturn paddle.flip(g, axis=[1])",
            "a",
        ),
    ),
    Planted(
        "rolled the same way",
        "shifted",
        layer("return paddle.roll(x, 1, axis=1)", "return paddle.roll(dy, 1, axis=1)  # HERE"),
    ),
    Planted(
        "lower triangle, all of it", "mask", layer("return paddle.tril(a)", "return dy * 1.0  # HERE", "a")
    ),
    Planted(
        "lower triangle, upper taken",
        "mask operator transposed",
        layer("return paddle.tril(a)", "return paddle.triu(dy)  # HERE", "a"),
    ),
    Planted(
        "tiled, one copy taken",
        "broadcast",
        layer("return paddle.tile(v, [3, 1])", "return dy[0]  # HERE", "v"),
    ),
    Planted(
        "average pooling, not divided",
        "factor mean",
        layer(
            "return x.reshape([3, 2, 2]).mean(axis=2)",
            "return paddle.expand(dy.reshape([3, 2, 1]), [3, 2, 2]).reshape([3, 4])  # HERE",
        ),
    ),
    Planted(
        "nearest upsampling, averaged",
        "mean",
        layer(
            "return paddle.expand(x.reshape([3, 4, 1]), [3, 4, 2]).reshape([3, 8])",
            "return dy.reshape([3, 4, 2]).mean(axis=2)  # HERE",
        ),
    ),
    Planted(
        "maxima, to all of the row",
        "mask",
        layer(
            "m = x.max(axis=1, keepdim=True)\nctx.save_for_backward(x, m)\nreturn m",
            "x, m = ctx.saved_tensor()\nreturn paddle.expand(dy, [3, 4])  # HERE",
        ),
    ),
    Planted(
        "embedding, rows overwritten",
        "accumulate",
        layer(
            "ctx.save_for_backward(i)\nreturn paddle.index_select(w, i, axis=0)",
            GET_I + "g = paddle.zeros([3, 4])\nfor row in range(4):\n"
            "    g[int(i[row])] = dy[row]  # HERE\nreturn g, None",
            "w, i",
            "Own.apply(x, paddle.to_tensor([0, 2, 2, 1]))",
        ),
    ),
    Planted(
        "scattered, gathered from the front",
        "shifted saved elements",
        layer(
            "ctx.save_for_backward(i)\nreturn paddle.scatter(w, i, u)",
            GET_I + "keep = paddle.scatter(paddle.ones([3, 4]), i, paddle.zeros([2, 4]))\n"
            "return dy * keep, None, dy[:2]  # HERE",
            "w, i, u",
            "Own.apply(x, paddle.to_tensor([2, 0]), leaf(2, 4))",
        ),
    ),
    Planted(
        "scattered, what was written over keeps its gradient",
        "mask term",
        layer(
            "ctx.save_for_backward(i)\nreturn paddle.scatter(w, i, u)",
            GET_I + "return dy, None, paddle.gather(dy, i)  # HERE",
            "w, i, u",
            "Own.apply(x, paddle.to_tensor([2, 0]), leaf(2, 4))",
        ),
    ),
    Planted(
        "dropout, not scaled back",
        "factor",
        layer(
            "m = (paddle.to_tensor(rng.uniform(size=(3, 4)).astype('float32')) > 0.4).astype('float32')\n"
            "ctx.save_for_backward(m)\nreturn x * m / 0.6",
            "(m,) = ctx.saved_tensor()\nreturn dy * m  # HERE",
        ),
    ),
    Planted(
        "convolution by hand, window turned",
        "flipped shifted",
        layer(
            "ctx.save_for_backward(x, k)\nreturn k[0] * x[:, :-2] + k[1] * x[:, 1:-1] + k[2] * x[:, 2:]",
            "x, k = ctx.saved_tensor()\ng = F.pad(dy, [0, 0, 2, 2])\n"
            "dx = k[0] * g[:, :4] + k[1] * g[:, 1:5] + k[2] * g[:, 2:]  # HERE\n"
            "dk = paddle.stack([(dy * x[:, j:j + 2]).sum() for j in range(3)])\nreturn dx, dk",
            "x, k",
            "Own.apply(x, leaf(3))",
        ),
    ),
    Planted(
        "stacked, undone in the wrong order",
        "swapped",
        layer("return paddle.stack([x, 2 * y])", "return dy[1] * 2, dy[0]  # HERE", "x, y"),
    ),
    Planted(
        "channels last, not moved back",
        "transposed",
        layer("return t.transpose([0, 2, 1]) * 2", "return dy * 2  # HERE", "t", "Own.apply(leaf(2, 3, 3))"),
    ),
]

BUGS = [*PRODUCTS, *MOVES]
