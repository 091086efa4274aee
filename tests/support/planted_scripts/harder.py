"""Two mistakes at once, mistakes with complex numbers, in loops, and of numbers."""

from tests.support.planted import Planted, layer
from tests.support.planted_scripts.forwards import (
    FOCAL,
    GET,
    GET_NORM,
    GET_S,
    GET_SWISH,
    LEAVES,
    NORM,
    SAVE,
    SWISH,
)

TWO = [
    Planted(
        "two: transposed, and a factor",
        "factor+transposed",
        layer(
            "ctx.save_for_backward(a, b)\nreturn 3 * paddle.matmul(a, b)",
            "a, b = ctx.saved_tensor()\n"
            "return paddle.matmul(dy, b), 3 * paddle.matmul(a, dy, transpose_x=True)  # HERE",
            "a, b",
        ),
    ),
    Planted(
        "two: wrong sign, and a mask",
        "mask+sign",
        layer(
            SAVE + "return F.relu(x) * x - 2 * paddle.sin(x)",
            GET + "return dy * (2 * x + 2 * paddle.cos(x))  # HERE",
        ),
    ),
    Planted(
        "two: focal, sign and factor",
        "factor+sign",
        layer(FOCAL, GET_S + "k = s * (1 - s) ** 2 * paddle.log(s)  # HERE\nreturn dy * (k + (1 - s) ** 3)"),
    ),
    Planted(
        "two: softmax, sum and sign",
        "mean+sign",
        layer(
            "s = F.softmax(x)\nctx.save_for_backward(s)\nreturn s",
            GET_S + "k = (dy * s).mean(axis=-1, keepdim=True)  # HERE\nreturn s * (dy + k)",
        ),
    ),
    Planted(
        "two: layer norm, a term and the mean",
        "mean+term",
        layer(
            NORM,
            GET_NORM + "k = (g * h).sum(axis=-1, keepdim=True)  # HERE\ndx = inv * (g - h * k)\n"
            "return dx, (dy * h).sum(axis=0), dy.sum(axis=0)",
            "x, w, bias",
            LEAVES,
        ),
    ),
    Planted(
        "two: swish, the input and the sign",
        "saved+sign term",
        layer(SWISH, GET_SWISH + "return dy * (s + s * s * (1 + s))  # HERE"),
    ),
]


BOTH = "ctx.save_for_backward(z, w)\nreturn z * w"
GET_BOTH = "z, w = ctx.saved_tensor()\n"
REAL = "(paddle.real(out) * x.detach() + paddle.imag(out) * 3).sum()"


def complex_layer(
    name: str, kind: str, forward: str, backward: str, args: str = "z", loss: str = REAL
) -> Planted:
    """Return a layer of complex numbers with a mistake."""
    call = "Own.apply(c)" if args == "z" else "Own.apply(c, d)"
    return Planted(name, kind, layer(forward, backward, args, call, loss=loss))


SQUARE = "ctx.save_for_backward(z)\nreturn z * z"
GET_Z = "(z,) = ctx.saved_tensor()\n"

COMPLEX = [
    complex_layer(
        "complex, conjugate forgotten", "conjugate", BOTH, GET_BOTH + "return dy * w, dy * z  # HERE", "z, w"
    ),
    complex_layer(
        "complex, conjugate of one of two",
        "conjugate",
        BOTH,
        GET_BOTH + "return dy * w.conj(), dy * z  # HERE",
        "z, w",
    ),
    complex_layer("complex, factor", "factor", SQUARE, GET_Z + "return dy * z.conj()  # HERE"),
    complex_layer("complex, sign", "sign", SQUARE, GET_Z + "return -2 * dy * z.conj()  # HERE"),
    complex_layer(
        "complex, the gradient conjugated", "conjugate", "return z * 2", "return dy.conj() * 2  # HERE"
    ),
    complex_layer(
        "complex, conjugate of a conjugate", "conjugate", "return z.conj() * 3", "return dy * 3  # HERE"
    ),
    complex_layer("complex, i the wrong way", "conjugate sign", "return z * 1j", "return dy * 1j  # HERE"),
    complex_layer(
        "complex, exponential of the input",
        "saved operator factor",
        "e = paddle.exp(z)\nctx.save_for_backward(z, e)\nreturn e",
        "z, e = ctx.saved_tensor()\nreturn dy * z.conj()  # HERE",
    ),
    complex_layer(
        "complex, term",
        "term",
        "ctx.save_for_backward(z)\nreturn z * z + z",
        GET_Z + "return dy * 2 * z.conj()  # HERE",
    ),
    complex_layer(
        "complex, swapped", "swapped", BOTH, GET_BOTH + "return dy * z.conj(), dy * w.conj()  # HERE", "z, w"
    ),
    complex_layer(
        "complex, numpy",
        "conjugate",
        "ctx.z = z.numpy()\nreturn paddle.to_tensor(ctx.z ** 2)",
        "return paddle.to_tensor(2 * dy.numpy() * ctx.z)  # HERE",
    ),
    complex_layer(
        "complex, two: a factor and a conjugate",
        "conjugate+factor",
        "ctx.save_for_backward(z)\nreturn z * z * z",
        GET_Z + "return dy * z * z  # HERE",
    ),
    complex_layer(
        "complex, absolute value",
        "conjugate",
        "r = paddle.abs(z)\nctx.save_for_backward(z, r)\nreturn r",
        "z, r = ctx.saved_tensor()\nreturn dy * z.conj() / r  # HERE",
        loss="loss_of(out)",
    ),
]

LOOPS = [
    Planted(
        "windows put back, not added",
        "accumulate",
        layer(
            "ctx.save_for_backward(w)\n"
            "return paddle.matmul(paddle.stack([x[:, i : i + 3] for i in range(2)], axis=1), w)",
            "(w,) = ctx.saved_tensor()\ng, dx = paddle.matmul(dy, w, transpose_y=True), paddle.zeros([3, 4])\n"
            "for i in range(2):\n    dx[:, i : i + 3] = g[:, i]  # HERE\nreturn dx, None",
            "x, w",
            "Own.apply(x, a.detach())",
        ),
    ),
    Planted(
        "the same factor at every turn",
        "factor",
        layer(
            "ctx.save_for_backward(x)\nh = x\nfor _ in range(3):\n    h = h * x\nreturn h",
            "(x,) = ctx.saved_tensor()\ng = dy * 4\nfor _ in range(3):\n    g = g * x * 2  # HERE\nreturn g",
        ),
    ),
    Planted(
        "reshaped, and not turned back",
        "transposed",
        layer("return x.transpose([1, 0]).reshape([2, 6])", "return dy.reshape([3, 4])  # HERE"),
    ),
    Planted(
        "two numbers mixed up",
        "swapped",
        layer(
            "return x[:, :2] * 2, x[:, 2:] * 3",
            "return paddle.concat([da * 3, db * 2], axis=1)  # HERE",
            grads="da, db",
        ),
    ),
    Planted(
        "a constant of the formula",
        "factor",
        layer(
            "ctx.save_for_backward(x)\nreturn paddle.sin(x) + 0.37 * x * x",
            "(x,) = ctx.saved_tensor()\nk = 0.73 * 2 * x  # HERE\nreturn dy * (paddle.cos(x) + k)",
        ),
    ),
    Planted(
        "logarithm forgotten",
        "factor",
        layer(
            "o = p ** q\nctx.save_for_backward(p, q, o)\nreturn o",
            "p, q, o = ctx.saved_tensor()\nreturn dy * q * p ** (q - 1), dy * o  # HERE",
            "p, q",
        ),
    ),
    Planted(
        "numpy, mask of the wrong side",
        "mask",
        layer(
            "ctx.m = np.abs(x.numpy()) < 1\nreturn paddle.to_tensor(np.clip(x.numpy(), -1, 1))",
            "return dy * paddle.to_tensor(~ctx.m).astype('float32')  # HERE",
        ),
    ),
]

BUGS = [*TWO, *COMPLEX, *LOOPS]
