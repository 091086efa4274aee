"""A real browser, without a window: Debian's Chromium, driven by Selenium."""

import json

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from minipaddle.viz.model.mirror import mirror
from minipaddle.viz.options import Options
from minipaddle.viz.picture import Picture
from tests.support.browser import BROWSER, DRIVER, HOW_TO_GET_A_BROWSER, INSIST
from tests.support.page import NET, Page, trace_of

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
        "disable-features=BackForwardCache",
        "app=data:,",  # a window without bars to draw
        "window-size=1400,813",
    ):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(program(DRIVER)))
    yield driver
    driver.quit()


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


@pytest.fixture(params=["auto", "dot"])
def page(request, page_of):
    """The page of a small net, drawn by itself and by Graphviz: all but opening and closing must work on both."""
    return page_of(NET, request.param).open()


@pytest.fixture
def data(page):
    """What the script of the page reads."""
    return json.loads(page("document.getElementById('data').textContent"))["passes"][0]
