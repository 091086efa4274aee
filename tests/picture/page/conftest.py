"""Pages in a real browser (tests/support/browser.py)."""

from functools import partial

import pytest

from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.options import Options
from minipaddle.tools.picture.picture import Picture
from tests.support.browser import BROWSER, DRIVER, INSIST
from tests.support.page import NET, Page, data_of, trace_of

# `.ci/run` installs a browser and insists. On a bare machine the rest of the suite runs, and pytest reports at the end
# what was left out (tests/conftest.py).
collect_ignore_glob = [] if (BROWSER and DRIVER) or INSIST else ["test_*.py"]


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
    """`page_of(source, **options)` writes the page of a script, and returns it, not yet open."""
    return partial(drawn, chromium, write_script, drawn_once)


@pytest.fixture
def painted_page_of(painting, write_script, drawn_once):
    """The same in a browser that paints."""
    return partial(drawn, painting, write_script, drawn_once)


def drawn(driver, write_script, drawn_once, source, pass_number=None, **options):
    """Return the page of a script. With all of it open, if nothing else is asked for."""

    def draw(file):
        trace = trace_of(write_script(source))
        Picture(mirror(trace, pass_number), trace, Options(**{"fold": "none"} | options)).save(file)

    return Page(driver, drawn_once((source, pass_number, *options.items()), draw))


@pytest.fixture
def page(page_of):
    """The page of a small net."""
    return page_of(NET).open()


@pytest.fixture
def data(page):
    """What the script of the page reads."""
    return data_of(page("document.documentElement.outerHTML"))["passes"][0]
