"""The names that public code uses exist here: courses, guides and models, read by syntax tree."""

from minipaddle.engine.names.missing import REFUSED
from tests.support.scope import WANTED, listed, losses, usage


def test_what_leaves_is_listed_with_its_reason():
    assert {one.lost for one in listed()} == {one.lost for one in losses()}
    assert [one.file for one in listed() if not one.reason] == []


def test_nearly_every_file_finds_all_its_names():
    assert len(usage()) - len(listed()) >= WANTED


def test_what_is_said_to_be_used_by_no_course_is_in_no_file():
    used = {f"paddle.{name}" for names in usage().values() for name in names}
    unused = {name for name, sentence in REFUSED.items() if "no course" in sentence}
    assert {
        name for name in used if any(name == one or name.startswith(f"{one}.") for one in unused)
    } == set()
