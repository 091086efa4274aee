"""Mistakes that are not in a backward: numbers that stop being finite."""

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
