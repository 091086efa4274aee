"""The browser for the tests of pages, without a window: Debian's Chromium, driven by Selenium; whether there is one."""

import os
import shutil

__all__ = ["BROWSER", "DRIVER", "HOW_TO_GET_A_BROWSER", "INSIST", "started"]

DEBIAN = "/usr/lib/chromium/chromium-headless-shell"  # what its script starts: one that is ended leaves that running
KNOWN = DEBIAN, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
"""The quickest first."""
BROWSER = next(filter(None, map(shutil.which, KNOWN)), None)
DRIVER = shutil.which("chromedriver")
INSIST = bool(os.environ.get("MINIPADDLE_ALL_TESTS"))
STILL = "enable-begin-frame-control", "run-all-compositor-stages-before-draw"
"""Options with which a frame is painted when it is asked for, and nothing asks; Chromium with windows has none."""
HOW_TO_GET_A_BROWSER = "the tests of the page need a browser: sudo apt-get install chromium chromium-driver"


def started(paints=True):
    """Start it; who has it quits it.

    Without painting it takes a third less time; but where the mouse is dragged, where a double click is made or the
    window changes its size, it waits for a frame that never comes.
    """
    from selenium.webdriver import Chrome, ChromeOptions  # they take long to import, and most tests need none
    from selenium.webdriver.chrome.service import Service

    assert BROWSER, HOW_TO_GET_A_BROWSER
    assert DRIVER, HOW_TO_GET_A_BROWSER
    options = ChromeOptions()
    options.binary_location = BROWSER
    still = () if paints or "headless-shell" not in BROWSER else STILL
    for argument in (
        *still,
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
    return Chrome(options=options, service=Service(DRIVER))
