"""`python -m docs.site.axe`: pages of the built site through axe-core, in chromium; a tool for developers.

axe-core comes from npm (`npm pack axe-core`), once, into `build/axe`. Serious and critical findings fail.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from typing import Any

from selenium import webdriver

from docs.site.paths import BUILT, ROOT

_PAGES = (
    *(
        "en/index.html",
        "zh/index.html",
        "en/README.html",
        "en/docs/graph.html",
        "en/docs/custom-gradients.html",
    ),
    *(
        "en/tutorials/08_mirror_picture.html",
        "zh/tutorials/03_py_layer.html",
        "en/reference/paddle-linalg.html",
    ),
    *("en/docs/misconceptions/README.html", "en/docs/extending/README.html", "en/search.html"),
    *("code/minipaddle/engine/walk/walk.py.html", "code/minipaddle/engine/tape/index.html"),
    *("../course/en/index.html", "../course/en/meeting_1.html", "../course/en/meeting_1.slides.html"),
)
_GRAVE = ("serious", "critical")


def main() -> None:
    """Print what axe finds, a line each; exit with 1 if something serious is among it."""
    found = list(_findings())
    print("\n".join(found) or f"axe: {len(_PAGES)} pages, light and dark, nothing serious")
    sys.exit(bool(found))


def _findings() -> Iterator[str]:
    script = _axe()
    for scheme in ("light", "dark"):
        browser = webdriver.Chrome(options=_options())
        browser.set_script_timeout(120)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        for page in _PAGES:
            browser.get((BUILT / page).resolve().as_uri())
            browser.execute_script(script)
            result: Any = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
            for one in result["violations"]:
                if one["impact"] in _GRAVE:
                    where = one["nodes"][0]["html"][:100]
                    yield f"{scheme} {page}: {one['id']} ({one['impact']}, {len(one['nodes'])}): {where}"
        browser.quit()


def _options() -> webdriver.ChromeOptions:
    options = webdriver.ChromeOptions()
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(flag)
    return options


def _axe() -> str:
    """Return the text of axe-core, which npm brings."""
    place = ROOT / "build" / "axe"
    npm = shutil.which("npm")
    if not list(place.glob("*.tgz")):
        if npm is None:
            sys.exit("axe-core comes from npm, which is not here")
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "pack", "--silent", "axe-core@4"], cwd=place, check=True, capture_output=True)
    with tarfile.open(next(place.glob("*.tgz"))) as packed:
        member = packed.extractfile("package/axe.min.js")
        return "" if member is None else member.read().decode()


if __name__ == "__main__":
    main()
