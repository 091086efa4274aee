"""Slides in a browser, at 1280 by 720: nothing is cut off, and every letter can be read from the last row."""

import re
import shlex

import pytest

from docs.site import slides
from docs.site.scripts import pages
from tests.support.transcripts import lay_out

COMMANDS = slides.drawings("".join(page.read_text(encoding="utf-8") for page in pages()))
MEASURE = """return [...document.querySelectorAll("section")].map((slide) => {
  const texts = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT), sizes = [];
  while (texts.nextNode()) {
    const place = texts.currentNode.parentElement;
    if (texts.currentNode.textContent.trim() && !place.closest("aside"))
      sizes.push(parseFloat(getComputedStyle(place).fontSize));
  }
  const pictures = [...slide.querySelectorAll("img")].map((one) => [one.getAttribute("src"), one.clientWidth]);
  return [slide.innerText.split("\\n")[0], slide.scrollHeight, Math.min(...sizes), pictures];
});"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_on_a_slide_can_be_read(chromium, run_cli, tmp_path, language):
    lay_out(tmp_path)
    for name, command in COMMANDS.items():
        done = run_cli(*shlex.split(command), "--lang", language, "-o", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    shown = []
    for meeting in slides.meetings(language):
        page = tmp_path / "page.html"
        page.write_text(slides.deck(meeting, language), encoding="utf-8")
        chromium.get(page.as_uri())
        for title, height, smallest, pictures in chromium.execute_script(MEASURE):
            assert height <= 720, title
            assert smallest >= 24, title
            for name, width in pictures:
                drawn = (tmp_path / name).read_text(encoding="utf-8")
                units = float(re.search(r'viewBox="\S+ \S+ (\S+) ', drawn)[1])
                assert width == 1280
                assert min(map(float, re.findall(r'font-size="(.*?)"', drawn))) * width / units >= 18, name
                shown.append(name)
    chromium.get_log("browser")  # a deck alone lacks reveal's files: nothing for the next test to hear of
    assert sorted(shown) == sorted(COMMANDS)
