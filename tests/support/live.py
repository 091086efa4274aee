"""Scripts whose pages are pushed, and how a test does that."""

import numpy as np
from selenium.webdriver.common.keys import Keys

SIGN = """
class Sign(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return paddle.sign(z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * (paddle.abs(z) <= 1).astype(dy.dtype)

x = paddle.to_tensor(given("x", [[0.5, -2.0], [1.5, 0.25]]))
w = paddle.to_tensor(given("w", [[0.5], [1.0]]), stop_gradient=False)
z = x @ w
s = Sign.apply(z)
loss = ((s - 0.5) ** 2).mean()
loss.backward()
"""
MOST = """
F = paddle.nn.functional
x = paddle.to_tensor(given("x", [[0.5, -2.0, 1.0], [1.5, 0.25, -0.3]]), stop_gradient=False)
w = paddle.to_tensor(given("w", [[0.3, -0.2], [0.1, 0.7], [-0.6, 0.4]]), stop_gradient=False)
h = F.layer_norm(x, 3) @ w
a = F.gelu(h) + F.softplus(h) * F.sigmoid(h) - F.relu(h).exp()
b = paddle.concat([a, paddle.where(h > 0.1, h, h * h)], axis=1)[:, 1:].cumsum(1)
c = F.softmax(b) * paddle.clip(b, -0.5, 0.5) + paddle.erf(b).T.reshape([2, 3])
loss = F.cross_entropy(c, paddle.to_tensor([0, 2])) + paddle.einsum("ij,ij->", c, b) + b.max() + b.std()
loss.backward()
"""


def recorded(script):
    return script.replace("given(", "(lambda name, otherwise: otherwise)(")


def numbers(page, name):
    """The numbers that the page has now for a value."""
    found = page(
        "(() => { const wanted = Object.values(data.facts).flatMap((one) => one.results)"
        ".find((one) => one.name === arguments[0]);"
        " return [[...push().numbers(wanted.id)], push().shape(wanted.id)]; })()",
        name,
    )
    return np.array(found[0]).reshape(found[1])


def push_all(page, edits, after="undefined"):
    """Change all numbers of leaves, as often as there are edits; return what a script says `after` each of them."""
    return page(
        "arguments[0].map((given) => { for (const [name, numbers] of Object.entries(given)) {"
        " const id = push().live.inputs.find((one) => data.nodes[nodeOf(one)].title === name);"
        " if (id === undefined) continue;"
        " const [last, ...others] = [...numbers.flat().entries()].reverse();"  # the last one changes what follows
        " others.forEach(([at, number]) => push().program.give(push().live.values[id], at, number));"
        f" push().set(id, ...last); }} return {after}; }})",
        edits,
    )


def push(page, name, spot, number):
    """Type a number as a user does."""
    page("choose(arguments[0])", page.id_of(name))
    place = f"[{', '.join(map(str, spot))}]" if spot else ""
    box = page.one(f'#panel .push input[aria-label="{name}{place}"]')
    box.send_keys(Keys.CONTROL, "a", Keys.CONTROL)
    box.send_keys(repr(number), Keys.ENTER)
    return box


BEGIN = """
F = paddle.nn.functional
x = paddle.to_tensor(given("x", [[0.5, -2.0, 1.0], [1.5, 0.25, -0.3]]), stop_gradient=False)
w = paddle.to_tensor(given("w", [[0.3, -0.2], [0.1, 0.7], [-0.6, 0.4]]), stop_gradient=False)
h = x @ w
"""
OTHERS = {
    "a hook": "h.register_hook(lambda g: g * 2 + paddle.tanh(h))\n(h * h).sum().backward()",
    "detach": "(h * h.detach()).sum().backward()",
    "twice": "(g,) = paddle.grad(h.tanh().sum(), [x], create_graph=True)\n(g**2 + h.mean()).sum().backward()",
    "two passes": "h.exp().mean().backward()\n(x @ w).exp().mean().backward()",
    "an optimizer": """
p = paddle.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Constant(0.5))
adam = paddle.optimizer.AdamW(0.1, parameters=[p], grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5))
for _ in range(2):
    ((x @ w @ p) ** 2).mean().backward()
    adam.step()
    adam.clear_grad()
""",
    "in place": "h.add_(x[:, :2])\nh.scale_(2.0)\nh.exp().sum().backward()",
    "a convolution": "F.conv2d(x.reshape([1, 1, 2, 3]), w.reshape([1, 1, 2, 3])[:, :, :, :2]).tanh().sum().backward()",
    "attention": "(F.softmax(h @ h.T / 2) @ h).norm().backward()",
    "order": """
(x.max(1) * w.T.min(1).sum()).sum().backward(retain_graph=True)
(x.min() * h.max() + h.max(1).sum()).backward()
""",
    "equal numbers": """
one = paddle.ones([2, 3]) + 0 * x
(one.min(1).sum() + one.max()).backward()
""",
    "probabilities": "F.binary_cross_entropy(F.sigmoid(h), paddle.to_tensor([[1.0, 0.0], [0.25, 1.0]])).backward()",
    "float16": "(h.astype('float16').tanh() * x.astype('float16').max()).astype('float32').sum().backward()",
    "batch norm": "(paddle.nn.BatchNorm1D(3)(w @ x) ** 3).sum().backward()",
}


PROGRAM = """
import numpy as np

paddle.enable_static()
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
    x = paddle.static.data("x", [2, 3])
    begin = paddle.nn.initializer.Assign(np.array(given("w", [[0.3, -0.2], [0.1, 0.7], [-0.6, 0.4]]), "float32"))
    h = x @ paddle.static.create_parameter([3, 2], "float32", name="w", default_initializer=begin)
    i = paddle.full([1], 0, "int64")
    i, h = paddle.static.nn.while_loop(lambda i, h: i < 3, lambda i, h: [i + 1, (h * 1.5).tanh()], [i, h])
    loss = h.mean()
    paddle.optimizer.Adam(0.1).minimize(loss)
exe = paddle.static.Executor()
exe.run(startup)
fed = np.array(given("x", [[0.5, -2.0, 1.0], [1.5, 0.25, -0.3]]), "float32")
exe.run(main, feed={"x": fed}, fetch_list=[loss])
paddle.disable_static()
"""
SCRIPTS = {what: BEGIN + lines for what, lines in OTHERS.items()} | {"a Program with a loop": PROGRAM}
