"""Names that would be programs, tags or walls: on the page they are text."""

import html
import re

from minipaddle.tools.picture.picture import Picture
from tests.support.page import data_of

HOSTILE_SCRIPT = r"""
Evil = type("</script><img src=x onerror=window.evil=1>\"'\\ \u202eabc 🐼" + "x" * 10000, (paddle.autograd.PyLayer,), {
    "forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, dy: dy * 2)})
x = paddle.to_tensor([1.0], stop_gradient=False, )
x.name = "<b>bold</b>"
y = Evil.apply(x)  # </script><script>window.evil = 1</script>
y.backward()
"""


def test_nothing_runs(page_of):
    page = page_of(HOSTILE_SCRIPT).open()
    assert page("window.evil === undefined")
    assert page("document.querySelectorAll('img, b').length") == 0
    node = next(node["id"] for node in page("Object.values(data.facts)") if node["kind"] == "pylayer")
    page.choose(node)
    assert page.one("#panel h2").text.startswith("</script><img src=x onerror=window.evil=1>")
    page.click("#tab-source")
    assert "</script><script>window.evil = 1</script>" in page.one("#source").text
    assert page.complaints == []


def test_every_text_stays_in_its_place(hostile):
    text = Picture(hostile).html()
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    data = data_of(text)
    assert data["passes"][0]["nodes"]["f0"].get("title", "") == hostile.title
    assert html.escape(hostile.title) in text


def test_the_policy_allows_nothing_but_ours(chain):
    text = Picture(chain(2)).html()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="(.*?)"', text)[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in re.sub(
        r'xmlns="[^"]*"|https://www\.paddlepaddle\.org\.cn[^"]*', "", text.split("</style>")[1]
    )
