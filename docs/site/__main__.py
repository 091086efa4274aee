"""`python -m docs.site`: the site in both languages."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time

from docs.site import code, lessons, lite, stage, whole
from docs.site.paths import BUILT, HERE, LANGUAGES, ROOT, source


def main() -> None:
    """Run the lessons, show the source code, build every language; exit with the code of what failed."""
    begin = time.monotonic()
    _say(f"{code.write_all()} pages of source code", begin)
    _say(f"{lite.build()} notebooks for the browser: {lite.LITE / 'lab' / 'index.html'}", begin)
    for folder, language in LANGUAGES.items():
        notebooks = lessons.run_all(folder)
        _say(f"{len(notebooks)} lessons run ({folder})", begin)
        stage.lay_out(folder, notebooks)
        shutil.rmtree(BUILT / folder, ignore_errors=True)
        _sphinx("html", folder, "-W", "--keep-going", "-D", f"language={language}")
        _say(f"{BUILT / folder / 'index.html'}", begin)
    found = whole.faults()
    if found:
        sys.exit("\n".join(["site: it is not whole", *found]))
    _say(f"whole: links, search, notebooks, wheels; {whole.size(BUILT)} MB with what it was made of", begin)


def _sphinx(builder: str, folder: str, *options: str) -> None:
    trees = BUILT / "doctrees" / folder
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-E",
        "-j",
        "auto",
        "-b",
        builder,
        "-c",
        HERE,
        "-d",
        trees,
    ]
    done = subprocess.run([*command, *options, source(folder), BUILT / folder], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def _say(what: str, begin: float) -> None:
    seconds = f" ({time.monotonic() - begin:.0f} s)"
    print(f"site: {what}{seconds}", flush=True)


main()
