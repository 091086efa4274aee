"""Pictures and trees in Chinese: every word but names, each as wide as it is, and none of it in data."""

import re

import pytest
from rich.cells import cell_len

import minipaddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder
from minipaddle.tools.words.language import phrase, phrases, reason, say, speak, spoken
from minipaddle.tools.words.terminal import UNICODE

SVG = "{http://www.w3.org/2000/svg}"
EVERYTHING = """
import numpy as np

class Doubled(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.scale(x, 2.0)

    @staticmethod
    def backward(ctx, dy):
        return dy * 2

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.steps = paddle.nn.LayerList([paddle.nn.Linear(3, 3) for _ in range(6)])

    def forward(self, x):
        for step in self.steps:
            x = x + paddle.tanh(step(x))
        return x

def tap(gradient):
    return gradient * 1.0

net = Net()
sgd = paddle.optimizer.SGD(parameters=net.parameters())
for _ in range(2):
    x = paddle.to_tensor(np.ones([4, 3], "float32"))
    lone = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    dead = paddle.to_tensor([-1.0, -2.0, -3.0], stop_gradient=False)
    made = paddle.randn([3])
    made.stop_gradient = False
    h = Doubled.apply(net(x)) + paddle.nn.functional.relu(dead) + made
    h.register_hook(tap)
    low = paddle.argmax(lone).astype("float32") + lone.detach().sum()
    loss = h.mean() + low
    loss.backward()
    sgd.step()
slope, = paddle.grad((made * made).sum(), made, create_graph=True)
(slope * slope).sum().backward()
"""
NAMES = {
    "script",
    "py",
    "grad",
    "GRAD",
    "NaN",
    "Inf",
    "PyLayer",
    "min",
    "max",
    "mean",
    "rms",
    "norm",
    "MB",
    "kB",
    "no_grad",
}
"""What is a name in both languages; `no_grad` is what the user wrote."""


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


@pytest.fixture(scope="module")
def trace():
    """The recording of a script in which there is all that a picture says."""
    recorder = Recorder("script.py")
    code = compile(EVERYTHING, "/nowhere/script.py", "exec")
    with watching(recorder):
        exec(code, {"paddle": minipaddle.paddle, "__name__": "__main__"})
    return recorder.trace


WORD = re.compile("[A-Za-z]{2,}")
OF_A_NAME = re.compile(r"--[a-z]+ \w+|\w+…|'zzz'")
"""An option as it is typed, a name that is cut, a pattern that is asked for."""


def names_in(trace):
    """Return all words that are names: of operators, values, layers, functions, files and types."""
    texts = [f"{event.title} {event.op}" for event in trace.events]
    texts += [f"{value.name} {value.dtype}" for value in trace.values]
    scopes = [event.scope for event in trace.events if event.scope is not None]
    while scopes:
        texts += [f"{one.path} {one.kind}" for one in scopes]
        scopes = [one.outer for one in scopes if one.outer is not None]
    texts += [cut.how for cut in trace.cuts]
    return {word for text in texts for word in WORD.findall(text)} | NAMES


def drawn_in_dot(picture):
    attributes = re.findall(r'(?:label|tooltip)="((?:[^"\\]|\\.)*)"', picture.dot)
    return [text.replace("\\n", "\n") for text in attributes] + re.findall(r">([^<>\n]+)<", picture.dot)


def tree(picture):
    return picture.text().splitlines()


LOOKS = [
    {},
    {"depth": "0"},
    {"depth": "all"},
    {"depth": "all", "fold": "none", "values": "full"},
    {"saved": True},
    {"layout": "tape", "highlight": "zzz"},
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("written", [drawn_in_dot, tree])
@pytest.mark.parametrize("number", [1, 4])
def test_every_word_but_names_is_chinese(chinese, trace, number, look, written):
    picture = Picture(mirror(trace, number), trace, Options(**look))
    names = names_in(trace)
    said = {text: sorted({*WORD.findall(OF_A_NAME.sub("", text))} - names) for text in written(picture)}
    assert {text: words for text, words in said.items() if words} == {}
    assert any("梯度" in text for text in said), "it is Chinese"


@pytest.mark.parametrize("number", [1, 2, 4])
def test_data_is_the_same_in_every_language(trace, number):
    english = Picture(mirror(trace, number), trace, Options(saved=True)).json()
    try:
        speak("zh")
        assert Picture(mirror(trace, number), trace, Options(saved=True)).json() == english
    finally:
        speak("en")


def test_ids_and_arrows_in_dot_are_the_same_in_every_language(trace):
    def skeleton():
        dot = Picture(mirror(trace), trace, Options(depth="all")).dot
        return re.findall(r"(?m)^\t+(?:\w+ -> )?\w+ (?=\[)|id=\"?\w+|rank=same.*", dot)

    english = skeleton()
    try:
        speak("zh")
        assert skeleton() == english
    finally:
        speak("en")
    assert len(english) > 50


def test_nothing_is_cut_that_is_whole_in_english(trace):
    def cut():
        texts = drawn_in_dot(Picture(mirror(trace, 4), trace))
        return [place for place, text in enumerate(texts) if text.endswith("…")]

    english = cut()
    try:
        speak("zh")
        assert cut() == english
    finally:
        speak("en")


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("number", [1, 4])
def test_the_tree_keeps_its_columns_and_fits_the_window(chinese, trace, number, width):
    graph = mirror(trace, number)
    lines = [line.plain for line in Picture(graph, trace, Options(saved=True)).lines(UNICODE, width)]
    assert max(map(cell_len, lines[1:])) <= width
    places = {cell_len(line[: line.index("script.py")]) for line in lines[1:] if "script.py" in line}
    assert len(places) == 1, "the user's lines stand below each other"


def test_a_phrase_is_english_until_it_is_said(chinese):
    state = phrase("gradient not reached")
    several = phrases("{before}, {after}", ["", phrase("{state} ({why})", state=state, why="detach"), "x.w"])
    assert several == "gradient not reached (detach), x.w"
    assert spoken(several) == "梯度没有到达（detach），x.w"
    assert say("{what} here", what=state) == "梯度没有到达，就在这里"
    assert spoken("gradient not reached") == "gradient not reached", "a name may read like a sentence"
    assert reason(ValueError(state)) == "梯度没有到达"
    assert str(ValueError(state)) == "gradient not reached"
