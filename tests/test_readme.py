"""The pages at the door are true: what they show is typed in."""

import re
from itertools import groupby

import pytest

from tests.support.process import ROOT
from tests.support.transcripts import BLOCK, agrees, exchanges, lay_out, retype, type_in

PAGES = ("README.md",)  # README_cn.md is its translation: tests/tutorials/test_chinese.py
TEXT = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
BLOCKS = {
    f"{page}-{number}": block for page in PAGES for number, block in enumerate(BLOCK.findall(TEXT[page]), 1)
}


@pytest.mark.parametrize("name", BLOCKS)
def test_transcript(name, tmp_path):
    lay_out(tmp_path)
    for command, said in exchanges(BLOCKS[name]):
        printed = type_in(command, tmp_path)
        assert agrees(said, printed), "\n".join(
            ["make docs? the page is not true:", f"$ {command}", *printed]
        )


def test_the_page_has_a_transcript():
    assert [page for page, _ in groupby(name.rpartition("-")[0] for name in BLOCKS)] == list(PAGES)


def test_retyping_mends_what_is_wrong_and_keeps_the_gaps(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n```console\n$ echo 1; echo 2\n...\n$ echo 3\nwrong\n```\n```sh\n$ echo 4\n```\n")
    retype(page)
    assert page.read_text() == (
        "a\n```console\n$ echo 1; echo 2\n...\n$ echo 3\n3\n```\n```sh\n$ echo 4\n```\n"
    )


def test_verbs_named_in_the_pages_exist(tmp_path):
    verbs = set(re.findall(r"^([a-z]+):.*?##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {verb for text in TEXT.values() for verb in re.findall(r"make ([a-z]+)", text)}
    listed = set(re.findall(r"make ([a-z]+)", "\n".join(type_in(f"make -C '{ROOT}' help", tmp_path))))
    assert named <= verbs == listed
