"""Mistakes that are not in a backward: numbers that stop being finite, gradients that do not arrive, training loops."""

from tests.support.planted import Planted, script


def net(body: str, before: str = "") -> str:
    """Return a training loop of three steps with this body; `before` stands above it."""
    head = """\
paddle.seed(1)
net = paddle.nn.Sequential(paddle.nn.Linear(4, 6), paddle.nn.Tanh(), paddle.nn.Linear(6, 3))
data = paddle.to_tensor(rng.normal(size=(8, 4)).astype("float32"))
labels = paddle.to_tensor([0, 1, 2, 0, 1, 2, 0, 1])
wanted = paddle.to_tensor(rng.normal(size=(8, 3)).astype("float32"))
opt = paddle.optimizer.SGD(0.05, parameters=net.parameters())
"""
    return script(
        head + before + "for _ in range(4):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    )


NANS = [
    Planted(
        "probability of zero",
        "log",
        script("s = F.softmax(x * 200)\nz = -paddle.log(s)  # HERE\nz.mean().backward()"),
    ),
    Planted(
        "softmax by hand",
        "exp",
        script("e = paddle.exp(x * 90)  # HERE\n(e / e.sum(axis=1, keepdim=True)).max().backward()"),
    ),
    Planted(
        "arc cosine at 1",
        "acos_grad",
        script("c = (x / x)\nz = paddle.acos(c)  # HERE\nloss_of(z).backward()"),
    ),
    Planted("root of a negative number", "sqrt", script("z = paddle.sqrt(x)  # HERE\nz.sum().backward()")),
    Planted("inverse root of zero", "rsqrt", script("z = paddle.rsqrt(x - x)  # HERE\nz.sum().backward()")),
    Planted(
        "divided by a norm of zero",
        "divide",
        script(
            "h = F.relu(x - 9)\nz = h / paddle.sqrt((h * h).sum(axis=1, keepdim=True))  # HERE\nz.sum().backward()"
        ),
    ),
    Planted(
        "all of a row masked",
        "softmax",
        script(
            "m = paddle.full([3, 4], float('-inf'))\nz = F.softmax(x + m, axis=-1)  # HERE\nloss_of(z).backward()"
        ),
    ),
    Planted(
        "infinity less infinity",
        "exp",
        script("a = paddle.exp(p * 100)  # HERE\nz = a - a\nz.sum().backward()"),
    ),
    Planted(
        "logarithm below its range", "log1p", script("z = paddle.log1p(-p - 1)  # HERE\nz.sum().backward()")
    ),
    Planted(
        "negative number to a fraction", "pow", script("z = paddle.pow(-p, 0.5)  # HERE\nz.sum().backward()")
    ),
    Planted(
        "half underflows and divides",
        "divide",
        script("h = (p * 1e-8).astype('float16')\nz = 1 / h  # HERE\nz.astype('float32').sum().backward()"),
    ),
    Planted(
        "mean of nothing", "mean", script("k = x[x > 9]\nz = k.mean()  # HERE\n(z + x.sum()).backward()")
    ),
    Planted("cosh overflows", "cosh", script("z = paddle.cosh(x * 100)  # HERE\nz.sum().backward()")),
    Planted("square overflows", "square", script("z = paddle.square(x * 1e20)  # HERE\nz.sum().backward()")),
    Planted(
        "in a loop",
        "multiply",
        script("h = p * 1.0\nfor _ in range(20):\n    h = h * h * 50  # HERE\nh.sum().backward()"),
    ),
    Planted(
        "an own layer divides by zero",
        "divide",
        script(
            "class Own(PyLayer):\n"
            "    @staticmethod\n"
            "    def forward(ctx, x):\n"
            "        return x * 2\n"
            "    @staticmethod\n"
            "    def backward(ctx, dy):\n"
            "        return dy / (dy - dy)  # HERE\n"
            "Own.apply(x).sum().backward()"
        ),
    ),
    Planted(
        "a network blows up",
        "pow",
        net("loss = ((net(data) * 1e12) ** 4).mean()  # HERE\nloss.backward()\nopt.step()\nopt.clear_grad()"),
    ),
]

LOOPS = [
    Planted(
        "never cleared",
        "not cleared",
        net("F.cross_entropy(net(data), labels).backward()  # HERE\nopt.step()"),
    ),
    Planted(
        "a layer that the optimizer does not know",
        "no optimizer",
        net(
            "F.mse_loss(more(net(data)), wanted).backward()  # HERE\n"
            "opt.step()\n"
            "opt.clear_grad()\n"
            "more.clear_gradients()",
            "more = paddle.nn.Linear(3, 3)\n",
        ),
    ),
    Planted(
        "probabilities for logits",
        "",
        net("F.cross_entropy(F.softmax(net(data)), labels).backward()  # HERE\nopt.step()\nopt.clear_grad()"),
    ),
    Planted(
        "a column less a row",
        "",
        net(
            "e = net(data)[:, :1] - wanted[:, 0]  # HERE\n(e ** 2).mean().backward()\nopt.step()\nopt.clear_grad()"
        ),
    ),
    Planted(
        "losses are added up",
        "",
        net(
            "total = total + F.mse_loss(net(data), wanted)  # HERE\n"
            "total.backward(retain_graph=True)\n"
            "opt.step()\n"
            "opt.clear_grad()",
            "total = 0.0\n",
        ),
    ),
    Planted(
        "rate too high",
        "",
        net(
            "F.mse_loss(net(data) * 3, wanted).backward()\nopt.step()  # HERE\nopt.clear_grad()",
            "opt = paddle.optimizer.SGD(400.0, parameters=net.parameters())\n",
        ).replace("range(4)", "range(12)"),
    ),
    Planted(
        "in eval mode",
        "",
        net(
            "F.mse_loss(drop(net(data)), wanted).backward()\nopt.step()\nopt.clear_grad()",
            "drop = paddle.nn.Dropout(0.5)\ndrop.eval()  # HERE\n",
        ),
    ),
    Planted("no step", "", net("F.mse_loss(net(data), wanted).backward()\nopt.clear_grad()  # HERE")),
]

CUTS = [
    Planted(
        "round trip through numpy",
        "numpy",
        script("h = paddle.to_tensor(np.tanh((x * 2).numpy()))  # HERE\n(h * y).sum().backward()"),
    ),
    Planted(
        "detached by mistake", "detach", script("h = (x * 2).detach()  # HERE\n(h * y).sum().backward()")
    ),
    Planted(
        "under no_grad",
        "no_grad",
        script("with paddle.no_grad():\n    h = x * 2  # HERE\n(h * y).sum().backward()"),
    ),
    Planted(
        "through an integer",
        "cast",
        script("h = (x * 2).astype('int32').astype('float32')  # HERE\n(h * y).sum().backward()"),
    ),
    Planted(
        "through the largest index",
        "argmax",
        script("h = paddle.argmax(x, axis=1).astype('float32')  # HERE\n(h * y[:, 0]).sum().backward()"),
    ),
    Planted("a float of it", "float", script("k = float(x.sum())  # HERE\n(y * k).sum().backward()")),
    Planted("units that are dead", "relu", script("h = F.relu(x - 9)  # HERE\n(h * y).sum().backward()")),
    Planted("saturated", "sigmoid", script("h = F.sigmoid(x * 1e4)  # HERE\n(h * y).sum().backward()")),
    Planted("rounded", "round", script("h = paddle.round(x * 2)  # HERE\n(h * y).sum().backward()")),
]
