"""The search: the Chinese one takes a query apart into the words of its index, both rank by where words stand."""

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


RANKED = {
    "why is my gradient None": ["questions#none", "lost", "picture"],
    "vanishing gradient": ["lost", "questions#none", "picture"],
    "zebra": ["lost", "picture", "questions"],
}
HEADINGS = {
    "Where it is lost": [[0, None]],
    "Gradients of gradients, and gradients of these": [[1, None]],
    "What people ask": [[2, None]],
    "Why is my gradient None?": [[2, "none"]],
}
RANKS = """<!doctype html><meta charset="utf-8"><script>
const Search = {{ _index: {{ alltitles: {headings}, docnames: ["11_vanishing_gradient", "picture", "questions"] }} }};
const titles = ["Where it is lost", "Gradients of gradients, and gradients of these", "What people ask"];
const stopwords = new Set(["is", "my", "why"]), splitQuery = (query) => query.split(" ");
class Stemmer {{ stemWord(word) {{ return word; }} }}
{scorer}</script><body><script>
const found = ["lost", "picture", "questions"].map((name, number) =>
  [Search._index.docnames[number], titles[number], "", null, 15, name, "text"]);
found.forEach((item) => (item[4] = Scorer.score(item)));
document.body.textContent = JSON.stringify(found.sort((a, b) => b[4] - a[4]).map((item) => item[5] + item[2]));
</script>"""


@pytest.mark.parametrize(("query", "pages"), RANKED.items())
def test_pages_are_ranked_by_where_the_words_stand(chromium, tmp_path, query, pages):
    scorer = (HERE / "static" / "scorer.js").read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(RANKS.format(headings=json.dumps(HEADINGS), scorer=scorer), encoding="utf-8")
    chromium.get(f"{page.as_uri()}?q={query.replace(' ', '%20')}")
    assert json.loads(chromium.execute_script("return document.body.textContent")) == pages
