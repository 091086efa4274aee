"""A real browser, without a window: Debian's Chromium, driven by Selenium."""

import json

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

import minipaddle
from minipaddle.core.watching import watching
from minipaddle.trace import Recorder
from minipaddle.viz.model.mirror import mirror
from minipaddle.viz.options import Options
from minipaddle.viz.picture import Picture
from tests.browser import BROWSER, DRIVER, HOW_TO_GET_A_BROWSER, INSIST

NET = """
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


# `.ci/run` installs a browser and insists. On a bare machine the rest of the suite runs, and pytest says at the end
# what was left out (tests/conftest.py).
collect_ignore_glob = [] if (BROWSER and DRIVER) or INSIST else ["test_*.py"]


def program(found):
    assert found, HOW_TO_GET_A_BROWSER
    return found


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests."""
    options = ChromeOptions()
    options.binary_location = program(BROWSER)
    for argument in (
        "headless=new",
        "no-sandbox",
        "disable-gpu",
        "disable-dev-shm-usage",
        "window-size=1400,900",
    ):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(program(DRIVER)))
    yield driver
    driver.quit()


class Page:
    """A page that is open, and what a test wants to know of it."""

    def __init__(self, driver, path):
        self.driver = driver
        self.url = path.as_uri()

    def open(self, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}{fragment}")
        return self

    def __call__(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector):
        self.one(selector).click()

    def node(self, id_):
        """The group of a node in the view that is shown."""
        return self.one(f'.view:not([hidden]) [data-node="{id_}"]')

    def choose(self, id_):
        """Click a node as the mouse would."""
        self("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", self.node(id_))

    def select(self, selector, value):
        """Choose from a list as a user does."""
        Select(self.one(selector)).select_by_value(value)

    def classes(self, name):
        return {node.get_attribute("data-node") for node in self.all(f".view:not([hidden]) .node.{name}")}

    def press(self, key):
        self(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
            key,
        )

    def id_of(self, title, side="forward"):
        nodes = self("Object.values(data.nodes)")
        return next(node["id"] for node in nodes if node["title"] == title and node["side"] == side)

    @property
    def box(self):
        return [float(part) for part in self("svg().getAttribute('viewBox')").split()]

    @property
    def complaints(self):
        """What the browser has against the page since it was asked last."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def trace_of(script):
    """Run a file that finds `paddle`, under a recorder."""
    recorder = Recorder(script.name)
    with watching(recorder):
        exec(
            compile(script.read_text(encoding="utf-8"), str(script), "exec"),
            {"paddle": minipaddle, "__name__": "__main__"},
        )
    return recorder.finish()


@pytest.fixture(scope="session")
def drawn_once(tmp_path_factory):
    """`drawn_once(what, draw)` returns the file that `draw(file)` writes; the same page is drawn for one test only."""
    files = {}

    def file_of(what, draw):
        if what not in files:
            file = tmp_path_factory.mktemp("page") / "page.html"
            draw(file)
            files[what] = file
        return files[what]

    return file_of


@pytest.fixture
def page_of(chromium, write_script, drawn_once):
    """`page_of(source, engine="auto", **options)` writes the page of a script, and returns it, not yet open."""

    def page_of(source, engine="auto", pass_number=None, **options):
        def draw(file):
            trace = trace_of(write_script(source))
            Picture(mirror(trace, pass_number), trace, Options(**options), engine).save(file)

        return Page(chromium, drawn_once((source, engine, pass_number, *options.items()), draw))

    return page_of


@pytest.fixture(params=["auto", "tape"])
def page(request, page_of):
    """The page of a small net, drawn by Graphviz if there is one, and by ourselves: all must work on both."""
    return page_of(NET, request.param).open()


@pytest.fixture
def data(page):
    """What the script of the page reads."""
    return json.loads(page("document.getElementById('data').textContent"))["passes"][0]
