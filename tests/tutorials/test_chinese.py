"""The lessons in Chinese: nothing is missing or out of date, and code, numbers and links are those of the original."""

import ast
import re
from collections import Counter

from minipaddle.tools.words.language import entries
from minipaddle.tools.words.prose import script_in_chinese
from tests.support.cases import for_each
from tests.support.process import ROOT
from tests.support.translations import pages, readme_in_chinese

PAGES = pages()
CODE, LINK, NUMBER = r"`[^`]*`", r"\]\(([^)]*)\)", r"\d+(?:\.\d+)?"
OTHER_ADDRESSES = {
    "README_cn.md": "README.md",
    "https://www.paddlepaddle.org.cn/en": "https://www.paddlepaddle.org.cn/",
}

each_page = for_each("page", {page.source.relative_to(ROOT).as_posix(): page for page in PAGES})


@each_page
def test_every_paragraph_has_a_translation_and_none_is_left_over(page):
    """Reword the English, and `make words` marks its Chinese as fuzzy, which is none."""
    assert [unit for unit in page.units if unit not in page.chinese] == []
    assert [unit for unit in entries(page.text) if unit and unit not in page.units] == []
    assert "#~" not in page.text
    assert "fuzzy" not in page.text


@each_page
def test_no_paragraph_stands_twice(page):
    assert page.text.count('\nmsgid "') == len(page.units) + 1, "one more for the header"


@each_page
def test_names_numbers_and_links_are_those_of_the_original(page):
    for unit, said in page.chinese.items():
        assert set(re.findall(CODE, said)) == set(re.findall(CODE, unit)), said
        links = [OTHER_ADDRESSES.get(link, link) for link in re.findall(LINK, unit)]
        assert re.findall(LINK, said) == links, said
        bare, original = (re.sub(f"{CODE}|{LINK}", "", text) for text in (said, unit))
        assert Counter(re.findall(NUMBER, bare)) == Counter(re.findall(NUMBER, original)), said
        assert said.count("**") == unit.count("**"), said
        assert said.count("|") == unit.count("|"), said


@each_page
def test_a_translation_is_written_as_chinese_is(page):
    for unit, said in page.chinese.items():
        bare = re.sub(CODE, "x", said)
        is_a_name = said == unit and not re.search(r"[A-Za-z] [A-Za-z]", re.sub(CODE, "", unit))
        is_code = not re.search(r"[A-Za-z] ", re.sub(CODE, "", unit))
        assert re.search(r"[\u4e00-\u9fff]", bare) or is_a_name or is_code, unit
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[,;?!][\u4e00-\u9fff]", bare), said
        parts = bare.split("**")
        for before, bold, after in zip(parts[::2], parts[1::2], parts[2::2]):
            assert not re.search(r"\w\*\*\W", f"{before[-1:]}**{bold[:1]}"), f"begins no bold: {said}"
            assert not re.search(r"\W\*\*\w", f"{bold[-1:]}**{after[:1]}"), f"ends no bold: {said}"
        assert not re.search(r"[\u4e00-\u9fff]`|`[\u4e00-\u9fff]", said), f"a space beside code: {said}"
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", bare), (
            f"a space: {said}"
        )


@each_page
def test_the_readme_in_chinese_is_the_translated_one(page):
    if page.source == ROOT / "README.md":
        written = (ROOT / "README_cn.md").read_text(encoding="utf-8")
        assert written == readme_in_chinese(), "make words"


@each_page
def test_its_code_is_the_same(page):
    if page.source.suffix != ".py":
        return
    english = page.source.read_text(encoding="utf-8")
    chinese = script_in_chinese(english, page.chinese, 110)
    assert ast.dump(ast.parse(chinese)) == ast.dump(ast.parse(english))
    assert re.findall(r"^# {5}.*", chinese, re.M) == re.findall(r"^# {5}.*", english, re.M), "its commands"
    assert chinese.count("# %%") == english.count("# %%")


@each_page
def test_the_list_of_lessons_calls_it_as_it_calls_itself(page):
    (listed,) = [one for one in PAGES if one.source == ROOT / "tutorials" / "README.md"]
    rows = {unit: said for unit, said in listed.chinese.items() if f"]({page.source.name})" in unit}
    for said in rows.values():
        assert said.startswith(f"| [{page.chinese[page.units[0]]}]({page.source.name}) |")
    is_lesson = page.source.suffix == ".py" and page.source.parent.name == "tutorials"
    assert rows or not is_lesson
