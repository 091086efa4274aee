"""The Chinese search takes a query apart, in a browser, into the words of its index."""

import json

import pytest

from docs.site.paths import HERE

SPLITTER = (HERE / "static" / "split.js").read_text(encoding="utf-8")
INDEX = {
    "terms": ["反向", "传播", "梯度", "定义", "自定义", "算子", "链式", "pylayer"],
    "titleterms": ["法则"],
}
QUERIES = {
    "梯度": ["梯度"],
    "反向传播": ["反向", "传播"],
    "自定义算子": ["自定义", "算子"],
    "链式法则": ["链式", "法则"],
    "梯度的算子": ["梯度", "算子"],
    "PyLayer的梯度": ["PyLayer", "梯度"],
    "反向，no_grad 算子": ["反向", "no_grad", "算子"],
    "熊猫": ["熊猫"],
    "constructor": ["constructor"],
    "": [],
}
PAGE = """<!doctype html><meta charset="utf-8"><script>const Search = {{ _index: {index} }};
{splitter}</script><body><script>
document.body.textContent = JSON.stringify({queries}.map((query) => splitQuery(query)));
</script>"""


@pytest.fixture(scope="module")
def answers(chromium, tmp_path_factory):
    """What each query is taken apart into."""
    index = {name: dict.fromkeys(words, 0) for name, words in INDEX.items()}
    page = tmp_path_factory.mktemp("search") / "page.html"
    filled = PAGE.format(index=json.dumps(index), splitter=SPLITTER, queries=json.dumps([*QUERIES]))
    page.write_text(filled, encoding="utf-8")
    chromium.get(page.as_uri())
    return dict(zip(QUERIES, json.loads(chromium.execute_script("return document.body.textContent"))))


@pytest.mark.parametrize(("query", "words"), QUERIES.items())
def test_a_query_becomes_the_longest_words_of_the_index(answers, query, words):
    assert answers[query] == words
