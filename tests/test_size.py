"""The budgets in pyproject.toml: rooms, files, folders. Raising one needs a reason in the commit."""

import pytest

from tests.support.size import BUDGETS, ROOT, folders, lines_of, python_files, together


@pytest.mark.parametrize("size", list(together()), ids=lambda size: size.rooms)
def test_rooms_are_not_longer_than_their_ideas(size):
    assert size.lines <= size.budget


def test_a_file_is_one_thought():
    long = {str(path.relative_to(ROOT)): lines_of(path) for path in python_files()}
    assert {path: lines for path, lines in long.items() if lines > BUDGETS["file"]} == {}


def test_a_folder_of_many_files_is_a_room_that_was_not_built():
    assert {folder: files for folder, files in folders().items() if files > BUDGETS["folder"]} == {}
