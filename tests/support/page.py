"""A page in a browser, as the tests of pages see it, and the script that most of them draw."""

import json
import re
from contextlib import suppress
from contextvars import copy_context
from itertools import count

from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

import minipaddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.importer import paddle_is_minipaddle
from minipaddle.tools.record import Recorder

__all__ = ["NET", "RESIDUAL", "SQUASH", "Page", "data_of", "trace_of"]

SQUASH = """
class Squash(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - y * y)
"""
"""A PyLayer of the user's."""
NET = f"""{SQUASH}
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        return Squash.apply(self.fc(x))

paddle.seed(3)
net = paddle.nn.Sequential(*[Block() for _ in range(3)])
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
x = paddle.to_tensor([[1.0, 2.0]])
loss = net(x).sum()
loss.backward()
optimizer.step()
"""

RESIDUAL = """
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.one, self.two = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)

    def forward(self, x):
        return x + self.two(paddle.tanh(self.one(x)))

paddle.seed(1)
net = paddle.nn.Sequential(*[Block() for _ in range(4)], paddle.nn.Linear(2, 1))
net(paddle.ones([3, 2])).mean().backward()
"""
"""Blocks that add their input to their result."""

OPENED = count()


class Page:
    """A page that is open, and what a test wants to know of it."""

    def __init__(self, driver, path):
        self.driver = driver
        self.url = path.as_uri()

    def open(self, fragment=""):
        """Open it anew: another fragment alone would only move within the page that is open."""
        self.driver.get(f"{self.url}?{next(OPENED)}{fragment}")
        return self

    def __call__(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """What is seen in each of these, asked in one call."""
        return self("[...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector)

    def attributes(self, selector, name):
        """An attribute of each of these, asked in one call."""
        return self(
            "[...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute(arguments[1]))",
            selector,
            name,
        )

    def click(self, selector, times=1):
        """Click as the mouse would; when it is done many times, by the script, which need not be waited for."""
        if times == 1:
            self.one(selector).click()
        else:
            self("Array.from({length: arguments[1]}, () => arguments[0].click())", self.one(selector), times)

    def node(self, id_):
        """The group of a node."""
        return self("drawing.group(arguments[0])", id_)

    def choose(self, id_):
        """Click a node as the mouse would."""
        self("drawing.group(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", id_)

    def select(self, selector, value):
        """Choose from a list as a user does."""
        Select(self.one(selector)).select_by_value(value)

    def classes(self, name):
        return {*self.attributes(f".view .node.{name}", "data-node")}

    def press(self, key):
        self(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
            key,
        )

    def id_of(self, title, side="forward"):
        found = self(
            "data.order.map((id) => data.facts[id])"
            ".find((one) => one.title === arguments[0] && one.side === arguments[1])?.id",
            title,
            side,
        )
        assert found is not None, (title, side)
        return found

    @property
    def box(self):
        """The part of the drawing that is seen: its corner, width and height."""
        return self("(({x, y, width, height}) => [x, y, width, height])(stage.box)")

    @property
    def complaints(self):
        """What the browser has against the page since it was asked last."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def data_of(text):
    """The data of a page from its text, with the names of fields for the letters that stand there."""
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    for table in data["values"], *(one[name] for one in data["passes"] for name in ("nodes", "closed")):
        for key, fact in table.items():
            table[key] = {data["names"][letter]: said for letter, said in fact.items()}
    return data


def trace_of(script, *ends):
    """Run a file that finds `paddle`, under a recorder; `ends`: errors that may end it."""
    return copy_context().run(_traced, script, ends)  # modes that it chooses end with it


def _traced(script, ends):
    recorder = Recorder(script.name)
    with suppress(*ends), paddle_is_minipaddle(), watching(recorder):
        exec(
            compile(script.read_text(encoding="utf-8"), str(script), "exec"),
            {"paddle": minipaddle.paddle, "__name__": "__main__"},
        )
    return recorder.finish()
