"""Correct scripts, of which no tool has anything to say: what is unusual in them is meant, or only looks wrong."""

from tests.support.planted import Planted, layer, script
from tests.support.planted_scripts.others import function, program

SAVE = "ctx.save_for_backward(x)\n"
GET = "(x,) = ctx.saved_tensor()\n"
STE = "return paddle.round(x)", "return dy * 1"


def control(name: str, text: str, words: str = "") -> Planted:
    """Return a script that is right."""
    return Planted(name, "", text, words)


def extreme(name: str, text: str) -> Planted:
    """Return a script that is right, with gradients so large or small that `flow` may well say so."""
    return Planted(name, "", text, tools=("check", "nan"))


LAYERS = [
    control("square", layer(SAVE + "return x * x", GET + "return dy * 2 * x")),
    control(
        "by the result",
        layer(
            "t = paddle.tanh(x)\nctx.save_for_backward(t)\nreturn t",
            "(t,) = ctx.saved_tensor()\nreturn dy * (1 - t * t)",
        ),
    ),
    control(
        "product of matrices",
        layer(
            "ctx.save_for_backward(a, b)\nreturn paddle.matmul(a, b)",
            "a, b = ctx.saved_tensor()\n"
            "return paddle.matmul(dy, b, transpose_y=True), paddle.matmul(a, dy, transpose_x=True)",
            "a, b",
        ),
    ),
    control("broadcast undone", layer("return x + v", "return dy, dy.sum(axis=0)", "x, v")),
    control(
        "softmax",
        layer(
            "s = F.softmax(x)\nctx.save_for_backward(s)\nreturn s",
            "(s,) = ctx.saved_tensor()\nreturn s * (dy - (dy * s).sum(axis=-1, keepdim=True))",
        ),
    ),
    control(
        "relu, with the other mask at 0",
        layer(
            SAVE + "return F.relu(x)",
            GET + "return dy * (x >= 0).astype('float32')",
            call="Own.apply(paddle.concat([x, x * 0]))",
        ),
    ),
    control(
        "absolute value at 0",
        layer(
            SAVE + "return paddle.abs(x)",
            GET + "return dy * paddle.where(x > 0, x * 0 + 1, x * 0 - 1)",
            call="Own.apply(paddle.concat([x, x * 0]))",
        ),
    ),
    extreme(
        "the first of several maxima",
        layer(
            "m = x.max(axis=1, keepdim=True)\nctx.save_for_backward(x, m)\nreturn m",
            "x, m = ctx.saved_tensor()\nhit = (x == m).astype('float32')\n"
            "first = hit * (paddle.cumsum(hit, axis=1) == 1).astype('float32')\nreturn dy * first",
            call="Own.apply(paddle.round(x))",
        ),
    ),
    control(
        "casts inside",
        layer(
            "return (x.astype('float16') * 3).astype('float32')",
            "return (dy.astype('float16') * 3).astype('float32')",
        ),
    ),
    control(
        "float32 inside of float64",
        layer(
            SAVE + "return paddle.exp(x.astype('float32')).astype('float64')",
            GET + "return dy * paddle.exp(x.astype('float32')).astype('float64')",
            call="Own.apply(x.astype('float64'))",
            loss="(out * 0.7).sum()",
        ),
    ),
    extreme(
        "large numbers", layer(SAVE + "return x * x", GET + "return dy * 2 * x", call="Own.apply(x * 1e9)")
    ),
    extreme(
        "tiny numbers", layer(SAVE + "return x * x", GET + "return dy * 2 * x", call="Own.apply(x * 1e-9)")
    ),
    extreme(
        "what cancels",
        layer(
            "return (x - x.mean(axis=0)) * 1e3",
            "return (dy - dy.mean(axis=0)) * 1e3",
            loss="(out + x * 0).sum()",
        ),
    ),
    control(
        "saturated",
        layer(
            "s = F.sigmoid(x)\nctx.save_for_backward(s)\nreturn s",
            "(s,) = ctx.saved_tensor()\nreturn dy * s * (1 - s)",
            call="Own.apply(x * 12)",
        ),
    ),
    control(
        "written in place, and returned",
        layer("x.scale_(3.0)\nreturn x", "return dy * 3", call="Own.apply(x * 1)"),
    ),
    control("input as it came", layer("return x", "return dy", call="Own.apply(x * 1)")),
    control(
        "two outputs", layer(SAVE + "return x * 2, x * x", GET + "return dy * 2 + dz * 2 * x", grads="dy, dz")
    ),
    control(
        "an output that nobody uses",
        layer(
            SAVE + "return x * 2, x * x",
            GET + "return dy * 2 + dz * 2 * x",
            grads="dy, dz",
            loss="loss_of(out[0])",
        ),
    ),
    control(
        "the same input twice",
        layer(
            "ctx.save_for_backward(p, q)\nreturn p * q",
            "p, q = ctx.saved_tensor()\nreturn dy * q, dy * p",
            "p, q",
            "Own.apply(x, x)",
        ),
    ),
    control(
        "no gradient for indices",
        layer(
            "ctx.save_for_backward(i)\nctx.shape = x.shape\nreturn paddle.gather(x, i)",
            "(i,) = ctx.saved_tensor()\nzero = paddle.zeros(ctx.shape)\n"
            "return paddle.scatter(zero, i, dy, overwrite=False), None",
            "x, i",
            "Own.apply(x, paddle.to_tensor([2, 0]))",
        ),
    ),
    control(
        "an attribute of the context",
        layer("ctx.factor = 3.0\nreturn x * ctx.factor", "return dy * ctx.factor"),
    ),
    control(
        "each call its own factor",
        layer(
            "ctx.k = float(k)\nreturn x * ctx.k",
            "return dy * ctx.k",
            "x, k",
            "[Own.apply(x, k) for k in (1, 2, 3)]",
        ),
    ),
    control(
        "recomputed",
        layer(
            SAVE + "return paddle.exp(paddle.sin(x))",
            GET + "with paddle.enable_grad():\n    z = x.detach()\n    z.stop_gradient = False\n"
            "    w = paddle.exp(paddle.sin(z))\nreturn paddle.grad(w, z, dy)[0]",
        ),
    ),
    control(
        "sum from the end",
        layer(
            "return paddle.cumsum(v)",
            "return paddle.flip(paddle.cumsum(paddle.flip(dy, axis=[0])), axis=[0])",
            "v",
        ),
    ),
    control("straight through, and says so", layer(*STE, mark="  # minipaddle: not the gradient")),
    control(
        "reversed, and says so",
        layer("return x * 1", "return -dy", call="Own.apply(x)  # minipaddle: not the gradient"),
    ),
    control("clips what comes in", layer("return x * 1", "return dy.clip(-10, 10)")),
    control(
        "numpy inside",
        layer(
            SAVE + "return paddle.to_tensor(np.sin(x.numpy()))",
            GET + "return dy * paddle.to_tensor(np.cos(x.numpy()))",
        ),
    ),
    control(
        "numpy in float32",
        layer(
            SAVE + "return paddle.to_tensor(np.exp(x.numpy().astype('float32')))",
            GET + "return dy * paddle.exp(x)",
        ),
    ),
    control(
        "prints on its way",
        layer(SAVE + "assert np.isfinite(x.numpy()).all()\nreturn x * x", GET + "return dy * 2 * x"),
    ),
    control(
        "branches on numbers",
        layer(
            "ctx.up = bool(x.sum() > 0)\nreturn x * 2 if ctx.up else x * 3",
            "return dy * (2 if ctx.up else 3)",
        ),
    ),
]

OTHERS = [
    control(
        "static_pylayer",
        program("out = paddle.static.nn.static_pylayer(lambda v: v * 4.0, [x], lambda dy: dy * 4.0)"),
    ),
    control("py_func", function("np.asarray(dy) * np.cos(np.asarray(v))")),
    control(
        "loop and branch of a Program",
        program(
            "i = paddle.full([1], 0, 'int64')",
            "_, h = paddle.static.nn.while_loop(lambda i, h: i < 2, lambda i, h: [i + 1, h * x], [i, x * 1.0])",
            "out = paddle.static.nn.cond(h.sum() > 0, lambda: h * 2, lambda: h * 3)",
        ),
    ),
    control(
        "pooling of zeros",
        script("""
        h = F.relu(leaf(2, 2, 8, 8) - 1)
        loss_of(F.max_pool2d(h, 2)).backward()
        """),
    ),
    control(
        "bias before batch norm",
        script("""
        parts = paddle.nn.Linear(4, 5), paddle.nn.BatchNorm1D(5), paddle.nn.ReLU(), paddle.nn.Linear(5, 2)
        net = paddle.nn.Sequential(*parts)
        (net(leaf(8, 4)) ** 2).mean().backward()
        """),
    ),
    extreme("add at 1e9", script("loss_of(x * 1e9 + y, y + 1e9).backward()")),
    control(
        "small convolutional network",
        script("""
        paddle.seed(3)
        net = paddle.nn.Sequential(
            paddle.nn.Conv2D(1, 4, 3, padding=1), paddle.nn.ReLU(), paddle.nn.MaxPool2D(2, 2),
            paddle.nn.Flatten(), paddle.nn.Linear(64, 10))
        images = paddle.to_tensor(rng.uniform(-1, 1, (4, 1, 8, 8)).astype("float32"))
        F.cross_entropy(net(images), paddle.to_tensor([1, 3, 5, 7])).backward()
        """),
    ),
    control(
        "dropout and attention",
        script("""
        paddle.seed(1)
        layer = paddle.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1)
        loss_of(layer(leaf(2, 3, 8))).backward()
        """),
    ),
    control(
        "training with a hook that clips",
        script("""
        w = paddle.create_parameter([4, 2], "float32")
        w.register_hook(lambda g: g.clip(-0.5, 0.5))
        adam = paddle.optimizer.Adam(0.01, parameters=[w])
        for _ in range(3):
            ((x.detach() @ w) ** 2).mean().backward()
            adam.step()
            adam.clear_grad()
        """),
        "--passes all",
    ),
    control(
        "a target without gradient",
        script("""
        target = (p @ v).detach() + 1
        ((p @ v - target) ** 2).mean().backward()
        """),
    ),
    control(
        "penalty on a gradient",
        script("""
        out = paddle.tanh(x * y).sum()
        (g,) = paddle.grad(out, x, create_graph=True)
        (g * g).sum().backward()
        """),
    ),
    control(
        "gradients of two batches",
        script("""
        for part in (p, q):
            ((part.detach() @ v) ** 2).mean().backward()
        """),
        "--passes all",
    ),
    control(
        "masked twice",
        script("""
        safe = paddle.where(x > 0, x, paddle.ones_like(x))
        loss_of(paddle.where(x > 0, paddle.log(safe), x)).backward()
        """),
    ),
    control(
        "a function as a Program",
        script("""
        @paddle.jit.to_static
        def net(x):
            return paddle.tanh(x) * x
        loss_of(net(x)).backward()
        """),
    ),
]

CONTROLS = [*LAYERS, *OTHERS]
