"""Mistakes in code that computes with NumPy, in Programs, in hooks; and numbers that are not finite."""

from tests.support.planted import Planted, layer, script

SAVE = "ctx.save_for_backward(x)\n"
GET = "(x,) = ctx.saved_tensor()\n"

NUMPY = [
    Planted(
        "numpy, sign",
        "sign",
        layer(
            SAVE + "return paddle.to_tensor(np.cos(x.numpy()))",
            GET + "return dy * paddle.to_tensor(np.sin(x.numpy()))  # HERE",
        ),
    ),
    Planted(
        "numpy, factor",
        "factor",
        layer(SAVE + "return paddle.to_tensor(x.numpy() ** 2)", GET + "return dy * x  # HERE"),
    ),
    Planted(
        "numpy, one element of many",
        "elements",
        layer(
            SAVE + "return paddle.to_tensor(np.sin(x.numpy()))",
            GET + "g = np.cos(x.numpy())\ng[17, 3] = 5\nreturn dy * paddle.to_tensor(g)  # HERE",
            call="Own.apply(leaf(60, 50))",
        ),
    ),
    Planted(
        "numpy, transposed",
        "transposed",
        layer("return paddle.to_tensor(a.numpy().T.copy())", "return dy * 1.0  # HERE", "a"),
    ),
]

PROGRAM = """
paddle.enable_static()
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [2, 3])
    x.stop_gradient = False
    {body}
    grads = paddle.static.gradients((out * out).sum(), x)
exe = paddle.static.Executor()
exe.run(startup)
feed = np.linspace(0.5, 1.9, 6).reshape(2, 3).astype("float32")
exe.run(main, {{"x": feed}}, [out, *grads])
"""


def program(*lines: str) -> str:
    """Return a script that builds a Program of these lines, and runs its backward."""
    return script(PROGRAM.format(body="\n    ".join(lines)))


def function(backward: str) -> str:
    """Return a Program with a py_func of sine and a backward that returns this."""
    return program(
        'out = main.global_block().create_var(name="s", shape=[2, 3], dtype="float32")',
        "def sine(v): return np.sin(np.asarray(v))",
        f"def back(v, s, dy): return {backward}  # HERE",
        "paddle.static.py_func(sine, x, out, back)",
    )


STATIC = [
    Planted(
        "static, factor",
        "factor",
        program(
            "out = paddle.static.nn.static_pylayer(",
            "    lambda v: v * v * v, [x],",
            "    lambda dy: dy * 3.0)  # HERE",
        ),
    ),
    Planted(
        "static, sign",
        "sign",
        program(
            "out = paddle.static.nn.static_pylayer(",
            "    lambda v: v * -2.0, [x],",
            "    lambda dy: dy * 2.0)  # HERE",
        ),
    ),
    Planted(
        "static, slope of tanh",
        "factor",
        program(
            "out = paddle.static.nn.static_pylayer(",
            "    lambda v: paddle.tanh(v), [x],",
            "    lambda dy: dy * 1.0)  # HERE",
        ),
    ),
    Planted("function, factor", "factor", function("2 * np.asarray(dy) * np.cos(np.asarray(v))")),
    Planted("function, sign", "sign", function("-np.asarray(dy) * np.cos(np.asarray(v))")),
    Planted(
        "to_static",
        "factor",
        script("""
        class Own(PyLayer):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, dy):
                (x,) = ctx.saved_tensor()
                return dy * x  # HERE

        @paddle.jit.to_static
        def net(x):
            return Own.apply(x) * 2

        loss_of(net(x)).backward()
        """),
    ),
]

BUGS = [*NUMPY, *STATIC]

HOOKS = [
    Planted(
        "hook doubles",
        "gives 2 times what came in",
        script("h = x * 3\nh.register_hook(lambda g: g * 2)  # HERE\nloss_of(h).backward()"),
    ),
    Planted(
        "hook of a leaf reverses",
        "gives -1 times what came in",
        script("x.register_hook(lambda g: -g)  # HERE\nloss_of(x * y).backward()"),
    ),
    Planted(
        "hook clips",
        "gives what came in, cut at 0.5",
        script("h = x * 3\nh.register_hook(lambda g: g.clip(-0.5, 0.5))  # HERE\nloss_of(h).backward()"),
    ),
    Planted(
        "hook gives zeros",
        "gives zeros",
        script("h = x * 3\nh.register_hook(lambda g: g * 0)  # HERE\nloss_of(h).backward()"),
    ),
]

NANS = [
    Planted("log of zero", "log", script("z = paddle.log(x - x)  # HERE\nz.sum().backward()")),
    Planted(
        "masked quotient",
        "divide",
        script("z = paddle.where(x > 0, 1 / (x - x), x)  # HERE\nloss_of(z).backward()"),
    ),
    Planted("root at zero", "sqrt_grad", script("z = paddle.sqrt(x * 0)  # HERE\nloss_of(z).backward()")),
    Planted(
        "overflow of exp", "exp", script("z = paddle.exp(x * 400)  # HERE\n(z / (1 + z)).sum().backward()")
    ),
    Planted(
        "norm of zero", "sqrt_grad", script("z = paddle.sqrt(((x - x) ** 2).sum())  # HERE\nz.backward()")
    ),
    Planted(
        "half overflows",
        "multiply",
        script("h = (x + 300).astype('float16')\nz = h * h  # HERE\nz.astype('float32').sum().backward()"),
    ),
    Planted("zero to the power", "pow_grad", script("z = (x * 0) ** 0.5  # HERE\nz.sum().backward()")),
    Planted("zero by zero", "divide", script("z = (x - x) / (y - y)  # HERE\nz.sum().backward()")),
]
