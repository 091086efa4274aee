"""Numbers that are changed in the page: what follows is what Python gives for them."""

from pathlib import Path

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import minipaddle as paddle
from minipaddle.words.language import speak
from tests.support.page import NET, Page, trace_of

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


def rerun(script, given):
    """Run a script of ours with these numbers, and return what its variables hold."""
    found = {"paddle": paddle, "given": lambda name, otherwise: given.get(name, otherwise)}
    exec(compile(script, "rerun.py", "exec"), found)
    return found


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


def push(page, name, spot, number):
    """Type a number as a user does."""
    page("choose(arguments[0])", page.id_of(name))
    place = f"[{', '.join(map(str, spot))}]" if spot else ""
    box = page.one(f'#panel .push input[aria-label="{name}{place}"]')
    box.send_keys(Keys.CONTROL, "a", Keys.CONTROL)
    box.send_keys(repr(number), Keys.ENTER)
    return box


def edits(script, seed):
    """Twenty random edits, one after the other: of numbers large and small, in every leaf."""
    rng = np.random.default_rng(seed)
    now = {name: np.array(rerun(script, {})[name].numpy()) for name in ("x", "w")}
    for _ in range(20):
        name = ("x", "w")[rng.integers(2)]
        spot = tuple(int(rng.integers(size)) for size in now[name].shape)
        now[name][spot] = round(float(rng.normal(scale=1.5)), 3)
        yield name, spot, float(str(now[name][spot])), {key: array.copy() for key, array in now.items()}


@pytest.mark.parametrize("script", [SIGN, MOST], ids=["sign", "many"])
def test_what_follows_from_an_edit_is_what_python_gives(page_of, script):
    page = page_of(recorded(script)).open()
    for name, spot, number, given in edits(script, 1):
        push(page, name, spot, number)
        wanted = rerun(script, given)
        np.testing.assert_allclose(numbers(page, "loss"), wanted["loss"].numpy(), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(numbers(page, "w.grad"), wanted["w"].grad.numpy(), rtol=1e-5, atol=1e-5)
    assert page.complaints == []


def test_dragging_arrow_keys_and_reset(page_of):
    page = page_of(recorded(SIGN)).open()
    page("choose(arguments[0])", page.id_of("w"))
    before = {name: numbers(page, name).tolist() for name in ("z", "w.grad")}
    texts = page("[...svg().querySelectorAll('text')].map((one) => one.textContent)")
    steps = page.one("#steps").text
    box = page.one('#panel .push input[aria-label="w[1, 0]"]')
    ActionChains(page.driver).drag_and_drop_by_offset(box, 60, 0).perform()
    dragged = numbers(page, "w")[1, 0]
    assert dragged > 1
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert numbers(page, "w")[1, 0] == pytest.approx(dragged - 0.2)
    assert box.get_attribute("role") == "spinbutton"
    assert float(box.get_attribute("aria-valuenow")) == pytest.approx(dragged - 0.2, 1e-5)
    assert numbers(page, "z").tolist() != before["z"]
    assert page.one("#steps").text != steps
    page.click("#push .reset")
    assert {name: numbers(page, name).tolist() for name in before} == before
    assert page("[...svg().querySelectorAll('text')].map((one) => one.textContent)") == texts
    assert page.one("#steps").text == steps
    assert not page.all("#push .reset")


@pytest.mark.parametrize("engine", ["auto", "dot"])
def test_the_picture_the_sentences_and_the_colours_are_those_of_a_page_of_the_new_numbers(page_of, engine):
    """The page of a script that has the numbers says what a page says that was pushed there."""
    page = page_of(recorded(SIGN), engine).open()
    page.select("#colours", "grad")
    push(page, "w", (0, 0), 0.125)
    push(page, "w", (1, 0), 2.0)
    said = looks(page)
    other = page_of(recorded(SIGN.replace("[[0.5], [1.0]]", "[[0.125], [2.0]]")), engine).open()
    other.select("#colours", "grad")
    assert said == looks(other)


def looks(page):
    """What is seen of a page: texts in nodes, steps, the legend, colours, and the tables of numbers."""
    return page(
        "({nodes: [...nodes()].map((one) => [...one.querySelectorAll('text')].map((text) => text.textContent)),"
        " steps: [...document.querySelectorAll('#steps li')].map((one) => one.textContent),"
        " scale: document.getElementById('scale').textContent,"
        " fills: [...nodes()].map((one) => one.querySelector('[style]')?.style.fill ?? ''),"
        " results: Object.values(data.facts).map((one) => one.results),"
        " alarms: [...nodes()].map((one) => one.classList.contains('role-alarm'))})"
    )


def test_a_nan_is_an_alarm_and_an_empty_gradient_is_told(page_of):
    page = page_of(
        "x = paddle.to_tensor([4.0, 9.0], stop_gradient=False)\nx.sqrt().sum().backward()\n"
    ).open()
    push(page, "x", (0,), -1.0)
    push(page, "x", (1,), float("-4"))
    root = page.id_of("sqrt_grad", "backward")
    assert "role-alarm" in page.node(root).get_attribute("class") or "NaN" in page.node(root).text
    page.click("#push .reset")
    assert "role-alarm" not in page.node(root).get_attribute("class")


def test_what_is_said_of_the_recorded_numbers_is_left_out_until_reset(page_of):
    page = page_of(
        "x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)\npaddle.nn.functional.relu(x).sum().backward()\n"
    ).open()
    rule = page.id_of("relu_grad", "backward")
    page.choose(rule)
    said = page.one("#panel").text
    assert "1 of 2 elements become zero" in said
    push(page, "x", (1,), 3.0)
    page.choose(rule)
    assert "elements become zero" not in page.one("#panel").text
    assert "told of the recorded numbers only" in page.one("#panel").text
    page.click("#push .reset")
    page.choose(rule)
    assert page.one("#panel").text == said


LEAF = "x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)\n"
REFUSED = {
    "svd (program.py": LEAF + "paddle.linalg.svd(x)[1].sum().backward()\n",
    "complex (program.py": LEAF + "paddle.complex(x, x).abs().sum().backward()\n",
    "too many for a page": "x = paddle.ones([201]); x.stop_gradient = False\nx.sum().backward()\n",
    "outside of paddle's operators": """
class Twice(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.to_tensor(x.numpy() * 2)

    @staticmethod
    def backward(ctx, dy):
        return dy * 2

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
Twice.apply(x).sum().backward()
""",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_a_page_cannot_compute_is_named(page_of, why):
    page = page_of(REFUSED[why]).open()
    assert "The numbers here cannot be changed" in page.one(".legend").text
    assert why.replace("program.py", "") in page.one(".legend").text
    page.choose(page.id_of("x"))
    assert not page.all("#panel .push")
    assert page.complaints == []


def test_what_stays_as_it_was_recorded_is_told(page_of):
    page = page_of(
        "paddle.seed(1)\nx = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"
        "y = paddle.nn.functional.dropout(x, 0.5) * 2\nif y.sum() > 0:\n    y = y * 3\n"
        "(y + paddle.bernoulli(x / 4)).sum().backward()\n"
    ).open()
    told = page.one("#push").text
    assert "As recorded" in told
    assert "bernoulli" in told
    assert "what it made of that stays" in told
    mask = numbers(page, "dropout_0_out") != 0
    push(page, "x", (0,), 7.0)
    assert ((numbers(page, "dropout_0_out") != 0) == mask).all()


@pytest.mark.parametrize("options", [{"live": False}, {"share_safe": True}])
def test_a_page_without_it_has_nothing_of_it(page_of, options):
    page = page_of(NET, **options).open()
    assert page("book.passes[0].live") is None
    assert not page.all("#push")
    assert "class Program" not in page.driver.page_source


def test_in_chinese(page_of):
    speak("zh")
    try:
        page = page_of(recorded(SIGN) + "# zh\n").open()
    finally:
        speak("en")
    assert "修改一个数值" in page.one("#push").text


@pytest.mark.parametrize(
    ("was", "becomes"),
    [('["matmul",', '["evil",'), ('"values":{', '"values":7,"x":{'), ('["take",', '["take",[9999999],')],
)
def test_a_damaged_program_leaves_the_page_alone(page_of, tmp_path, was, becomes):
    page = page_of(recorded(MOST))
    text = Path(page.url.removeprefix("file://")).read_text(encoding="utf-8")
    assert was in text
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace(was, becomes), encoding="utf-8")
    page = Page(page.driver, broken).open()
    page.choose(page.id_of("w"))
    assert page.one("#panel h2").text == "w"
    assert not page.all("#panel .push")
    assert page.one("#push").text == "The numbers here cannot be changed: the page is damaged"
    assert page.complaints == []


SUM = """
x = paddle.to_tensor(given("x", [3.0, -2.0]), stop_gradient=False)
y = x * x
((y * 2).sum() + (x * given("w", -5.75)).sum() + y.exp().log().sum()).backward()
"""


def test_the_shares_of_a_sum_follow(page_of):
    page = page_of(recorded(SUM)).open()
    push(page, "x", (0,), 1.0)
    push(page, "x", (1,), 0.9)
    texts = "[...svg().querySelectorAll('.edge text')].map((one) => one.textContent.trim())"
    said, steps = page(texts), page.one("#steps").text
    other = page_of(recorded(SUM.replace("[3.0, -2.0]", "[1.0, 0.9]"))).open()
    assert [label for label in said if label] == page(texts)
    assert "the terms cancel" in steps
    assert steps == other.one("#steps").text


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
top, places = paddle.topk(x, 2)
(x.sort(1, descending=True) * w.T).sum().backward(retain_graph=True)
((top * h).sum() + x.median() * h.max() + (x.argmax(1).astype("float32") * h.sum(1)).sum()).backward()
""",
    "windows": """
image = x.reshape([1, 1, 2, 3])
mean = F.avg_pool2d(image, 2, stride=1, padding=1, exclusive=False)
most = F.max_pool2d(image, 2, stride=1, padding=1, return_mask=True)[0]
((F.max_pool2d(image, 2, stride=1, padding=1) ** 2).sum() + mean.tanh().sum()).backward(retain_graph=True)
(F.adaptive_max_pool2d(image, [1, 2]).sum() * most.sum()).backward()
""",
    "products": "(h.prod() + x.cumprod(1).sum() + w.cumprod(0).tanh().prod()).backward()",
    "equal numbers": """
one = paddle.ones([2, 3]) + 0 * x
(F.max_pool2d(one.reshape([1, 1, 2, 3]), 2, stride=1).sum() + one.sort(1)[:, 0].sum() + one.max()).backward()
""",
    "matrices": """
a = h @ h.T + paddle.eye(2)
loss = paddle.linalg.det(a) + paddle.linalg.inv(a).sum() + paddle.linalg.cholesky(a).sum()
(loss + paddle.linalg.solve(a, h).sum() + paddle.linalg.slogdet(a)[1]).backward()
""",
    "probabilities": "F.binary_cross_entropy(F.sigmoid(h), paddle.to_tensor([[1.0, 0.0], [0.25, 1.0]])).backward()",
    "an LSTM": "paddle.seed(1)\n(paddle.nn.LSTM(2, 2)(h.reshape([1, 2, 2]))[0] ** 2).sum().backward()",
    "a GRU both ways": """
paddle.seed(1)
net = paddle.nn.GRU(2, 2, direction="bidirect")
net(h.reshape([1, 2, 2]), sequence_length=paddle.to_tensor([1]))[0].sum().backward()
""",
    "two layers of a simple RNN": """
paddle.seed(1)
out, last = paddle.nn.SimpleRNN(2, 2, num_layers=2, activation="relu")(h.reshape([1, 2, 2]))
(out.sum() + last.tanh().sum()).backward()
""",
    "float16": "(h.astype('float16').tanh() * x.astype('float16').max()).astype('float32').sum().backward()",
    "bfloat16": "(h.astype('bfloat16').tanh() * x.astype('bfloat16').max()).astype('float32').sum().backward()",
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
NEAR = 2**-7
"""Of 16 bits: what one rounding may do to a bfloat16, where sums were added in another order."""
SCRIPTS = {what: BEGIN + lines for what, lines in OTHERS.items()} | {"a Program with a loop": PROGRAM}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_every_value_of_a_page_is_that_of_a_rerun(page_of, write_script, script):
    page = page_of(recorded(script)).open()
    rng = np.random.default_rng(2)
    for _ in range(3):
        given = {
            "x": rng.normal(size=(2, 3)).round(3).tolist(),
            "w": rng.normal(size=(3, 2)).round(3).tolist(),
        }
        page(
            "(() => { push().reset(); for (const [name, numbers] of Object.entries(arguments[0])) {"
            " const id = push().live.inputs.find((one) => data.nodes[nodeOf(one)].title === name);"
            " if (id !== undefined) numbers.flat().forEach((number, at) => push().set(id, at, number)); } })()",
            given,
        )
        again = script.replace('given("x", [[0.5, -2.0, 1.0], [1.5, 0.25, -0.3]])', repr(given["x"]))
        again = again.replace('given("w", [[0.3, -0.2], [0.1, 0.7], [-0.6, 0.4]])', repr(given["w"]))
        values = trace_of(write_script(again)).values
        found = page("Object.keys(push().live.values).map((id) => [Number(id), [...push().numbers(id)]])")
        assert len(found) > 5
        for id_, numbers_ in found:
            wanted = np.asarray(values[id_].array).ravel()
            scale = max(0.1, float(np.abs(wanted).max(initial=0)))
            near = NEAR if "float16" in script else 1e-5
            np.testing.assert_allclose(
                numbers_, wanted, rtol=near, atol=near * scale, err_msg=values[id_].name
            )


ROUNDS = """
x = paddle.to_tensor(given("x", [[0.5, -1.0]]), stop_gradient=False)
w = paddle.to_tensor(given("w", [[0.3, -0.2], [0.1, 0.7]]))
h = x
for _ in range(6):
    h = paddle.tanh(h @ w)
h.sum().backward()
"""


def test_the_cells_of_strips_follow(page_of):
    cells = "[...svg().querySelectorAll('.cell')].map((one) => [one.getAttribute('class'), one.textContent.trim()])"
    page = page_of(recorded(ROUNDS)).open("#v=folded")
    before = page(cells)
    page("push().set(push().live.inputs[0], 0, 3)")
    page("showPushed()")
    pushed = page(cells)
    other = page_of(recorded(ROUNDS.replace("[[0.5, -1.0]]", "[[3.0, -1.0]]"))).open("#v=folded")
    assert len(before) > 6
    assert pushed == other(cells)
    assert pushed != before
    page.open("#v=folded")("push().set(push().live.inputs[0], 0, 3)")
    page("showPushed()")
    page.click("#push .reset")
    assert page(cells) == before
