"""What public code uses is here: courses, guides and models, read by syntax tree."""

from tests.support.scope import WANTED, listed, losses, usage


def test_what_leaves_is_listed_with_its_reason():
    assert {one.lost for one in listed()} == {one.lost for one in losses()}
    assert [one.file for one in listed() if not one.reason] == []


def test_nearly_every_file_finds_all_its_names():
    assert len(usage()) - len(listed()) >= WANTED
