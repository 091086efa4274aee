"""Whether there is a browser for the tests of the page."""

import os
import shutil

__all__ = ["BROWSER", "DRIVER", "HOW_TO_GET_A_BROWSER", "INSIST"]

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
INSIST = bool(os.environ.get("MINIPADDLE_ALL_TESTS"))
HOW_TO_GET_A_BROWSER = "the tests of the page need a browser: sudo apt-get install chromium chromium-driver"
