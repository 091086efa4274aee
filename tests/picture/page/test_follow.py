"""What a page says of a node whose numbers were changed is what Python says of a script that has these numbers."""

import re

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.page.facts import LONGEST, explained_lines
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.words.language import speak
from minipaddle.tools.words.numbers import cut, percent
from tests.support.live import BEGIN as HEAD
from tests.support.live import MOST, SCRIPTS, numbers, push, push_all, recorded
from tests.support.page import trace_of

DOUBLE = 'paddle.set_default_dtype("float64")\n'
"""In double precision no text shows that a browser's exp and NumPy's differ in the last bit."""
OWN = {
    "zeros": """
h = x @ w
flat = F.relu(h).sum() + paddle.sign(x).sum() + paddle.clip(x, -0.5, 0.5).sum() + F.relu6(h * 4).sum()
(flat + F.sigmoid(x * 6).mean() + paddle.tanh(h * 3).max() + (x + w.T).abs().sum()).backward()
""",
    "not finite": "((x * x - 1).sqrt() * (w.T * 2).log() / w.T).sum().backward()\n",
    "shares": "h = x * x\n((h * 2).sum() + (x * w.T).sum() + h.tanh().sum() - (h + x).sum()).backward()\n",
    "a gradient that is given": "(x * x).backward(w.T * w.T)\n",
    "added twice": "for _ in range(2):\n    (x * w.T).sum().backward()\n",
    "the user's own": """
class Cut(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return paddle.sign(z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * (paddle.abs(z) <= 1).astype(dy.dtype)

h = Cut.apply(x) @ w
h.register_hook(lambda g: g * 2 + paddle.tanh(h))
((h - 0.5) ** 2).mean().backward()
""",
    "indices": """
h = paddle.gather(x, paddle.to_tensor([1, 1])) @ w[1:].tanh().T.T[:, 1:].expand([2, 3]).T
h[:, 0].sum().backward()
""",
}
OTHERS = ("twice", "an optimizer", "in place", "attention", "order")
CASES = {what: DOUBLE + HEAD.replace("h = x @ w\n", "") + lines for what, lines in OWN.items()}
CASES |= {"many": DOUBLE + MOST, **{what: DOUBLE + SCRIPTS[what] for what in OTHERS}}


@pytest.fixture(autouse=True)
def names_and_types():
    """A script that is run again calls its layers as before; what types it chooses ends with the test."""
    dtype = paddle.get_default_dtype()
    yield
    paddle.set_default_dtype(dtype)


def rerun(write_script, script):
    with paddle.utils.unique_name.guard():
        return trace_of(write_script(script))


def with_numbers(script, given):
    """A script with other numbers in the places of those that stand there."""
    for name, given_ in given.items():
        script = re.sub(rf'given\("{name}", .*?\]\]\)', lambda _, given_=given_: repr(given_), script)
    return script


def edits(count):
    """Random numbers: large, small, zero and negative ones, with digits enough for no sum to be half of a digit."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        yield {
            name: (rng.normal(size=shape) * rng.choice([0.0, 0.1, 1.0, 1.0, 4.0], size=shape))
            .round(9)
            .tolist()
            for name, shape in (("x", (2, 3)), ("w", (3, 2)))
        }


SAID = (
    "Object.fromEntries(data.order.map((id) =>"
    " [id, ['rule', 'numbers', 'notes'].map((one) => data.facts[id][one] ?? [])])"
    ".filter(([, lines]) => lines.some((one) => one.length)))"
)


def said_in(page):
    return page(SAID)


def said_by(trace, number, only=None):
    graph = mirror(trace, number)
    nodes = graph.nodes.items()
    told = {id_: explained_lines(node, graph.trace) for id_, node in nodes if only is None or id_ in only}
    found = {
        id_: [[cut(line, LONGEST) for line in lines.get(one, [])] for one in ("rule", "numbers", "notes")]
        for id_, lines in told.items()
    }
    return {id_: lines for id_, lines in found.items() if any(lines)}


@pytest.mark.parametrize("script", CASES.values(), ids=CASES.keys())
def test_all_that_is_said_of_other_numbers_is_what_python_says(page_of, write_script, script):
    """In Chinese, where other sentences are said for the first time; other numbers in them are no news."""
    changed = list(edits(8))
    scripts = [recorded(script), *(with_numbers(script, given) for given in changed)]
    traces = [rerun(write_script, one) for one in scripts]
    number, seen = said_after(page_of, script, changed)
    assert seen == [said_by(trace, number) for trace in traces]
    speak("zh")
    try:
        _, chinese = said_after(page_of, f"{script}# zh\n", changed)
        for trace, new, said in zip(traces, news(seen), chinese, strict=True):
            assert said.items() >= said_by(trace, number, new).items()
    finally:
        speak("en")


def said_after(page_of, script, changed):
    """Return the number of the pass of a page, and what the page says at first and after each change."""
    with paddle.utils.unique_name.guard():
        page = page_of(recorded(script)).open()
    seen = [said_in(page), *push_all(page, changed, SAID)]
    page("resetPushed()")
    assert said_in(page) == seen[0]
    assert len({str(one) for one in seen}) == len(seen)
    assert page.complaints == []
    return page("data.number"), seen


def news(seen):
    """Return for each time the nodes of which something is said that was not said of them before, but for numbers."""
    known = set()
    for lines in seen:
        now = {(id_, re.sub(r"[-\d.e+]+", "#", str(said))): id_ for id_, said in lines.items()}
        yield {id_ for one, id_ in now.items() if one not in known}
        known |= now.keys()


def test_the_panel_follows_what_is_typed_and_what_is_dragged(page_of, write_script):
    script = CASES["zeros"]
    page = page_of(recorded(script)).open()
    rule = page.id_of("relu_grad", "backward")
    page.choose(rule)
    before = page.one("#notes").text
    push(page, "x", (0, 1), 3.25)
    page.choose(rule)
    other = rerun(write_script, recorded(script).replace("[[0.5, -2.0", "[[0.5, 3.25"))
    formula, put_in, notes = said_by(other, 1)[rule]
    assert page.one("#notes").text.splitlines()[1 : len(notes) + 1] == notes
    assert page.one("#notes").text != before
    assert page.one("#formulas").text.splitlines()[1:4] == [*formula, "With numbers put in", *put_in]
    page(
        "(() => { push().set(push().live.inputs[0], 1, -2); showPushed(); })()"
    )  # as a box does that is dragged
    assert page.one("#notes").text == before
    assert page.complaints == []


def test_where_a_guard_that_is_not_shown_has_something_to_do_the_formula_is_told_of_the_recorded_numbers(
    page_of, write_script
):
    """No formula shows a guard against 0 where no number is 0; without it, the gradient of a norm that is 0 is NaN."""
    script = DOUBLE + HEAD + "(paddle.norm(h) + w.sum()).backward()\n"
    page = page_of(recorded(script)).open()
    rule = page.id_of("p_norm_grad", "backward")
    began = said_in(page)
    zeros = {"x": [[0.0] * 3] * 2, "w": [[1.0] * 2] * 3}
    push_all(page, [zeros])
    other = rerun(write_script, with_numbers(script, zeros))
    assert (
        said_in(page)[rule][0][-1]
        == f"{began[rule][0][-1]}: told of the recorded numbers only, reset shows it again"
    )
    gradient = next(value for value in other.values if value.name == "h@GRAD")
    assert numbers(page, "h@GRAD").tolist() == gradient.array.tolist() == [[0, 0], [0, 0]]
    page("resetPushed()")
    assert said_in(page) == began


def test_a_formula_that_does_not_give_its_value_is_told_of_the_recorded_numbers(page_of):
    page = page_of(recorded(CASES["zeros"])).open()
    rule = page.id_of("relu_grad", "backward")
    ((formula,), *_) = said_in(page)[rule]
    push(page, "x", (0, 1), 3.25)
    assert said_in(page)[rule][0] == [formula]
    number = page("push().live.lines[arguments[0]].rule[0].find(([how]) => how === 'holds')[1][0]", rule)
    page(
        "(() => { push().formulas.run = () => {}; push().formulas.arrays[arguments[0]][0] += 1; })()", number
    )
    assert said_in(page)[rule][0] == [f"{formula}: told of the recorded numbers only, reset shows it again"]


def test_numbers_are_rounded_as_python_rounds_them(page_of):
    page = page_of(recorded(CASES["shares"])).open()
    halves = [
        2.0625,
        1.0625,
        12345.0,
        -0.00012345,
        0.5,
        1e-5,
        123456.0,
        99995.0,
        0.0,
        -2.0,
        3.00048828125,
        1e22,
    ]
    assert page("arguments[0].map(brief)", halves) == [f"{number + 0.0:.4g}" for number in halves]
    parts = [0.125, 0.375, 0.0025, 0.00125, 0.615, -20.0, 1.0]
    assert page("arguments[0].map(percent)", parts) == [percent(part) for part in parts]
