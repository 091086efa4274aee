"""The browser for the tests of pages, without a window: Debian's Chromium, driven by Selenium; whether there is one."""

import os
import shutil

__all__ = ["BROWSER", "DRIVER", "HOW_TO_GET_A_BROWSER", "INSIST", "started"]

KNOWN = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"  # the quickest first
BROWSER = next(filter(None, map(shutil.which, KNOWN)), None)
DRIVER = shutil.which("chromedriver")
INSIST = bool(os.environ.get("MINIPADDLE_ALL_TESTS"))
HOW_TO_GET_A_BROWSER = "the tests of the page need a browser: sudo apt-get install chromium chromium-driver"


def started():
    """Start it; who has it quits it."""
    from selenium.webdriver import Chrome, ChromeOptions  # they take long to import, and most tests need none
    from selenium.webdriver.chrome.service import Service

    assert BROWSER, HOW_TO_GET_A_BROWSER
    assert DRIVER, HOW_TO_GET_A_BROWSER
    options = ChromeOptions()
    options.binary_location = BROWSER
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
    return Chrome(options=options, service=Service(DRIVER))
