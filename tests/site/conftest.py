"""Without a browser search and slides are left out, as the tests of the page are (tests/picture/page/conftest.py)."""

from tests.support.browser import BROWSER, DRIVER, INSIST

collect_ignore = [] if (BROWSER and DRIVER) or INSIST else ["test_search.py", "test_slides.py"]
