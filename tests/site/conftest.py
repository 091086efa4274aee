"""Without a browser the search is left out, as the tests of the page are (tests/picture/page/conftest.py)."""

from tests.support.browser import BROWSER, DRIVER, INSIST

collect_ignore = [] if (BROWSER and DRIVER) or INSIST else ["test_search.py"]
