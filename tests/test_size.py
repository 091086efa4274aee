"""The ceilings in pyproject.toml: rooms, tests, files, folders. They may fall, and are never raised."""

import pytest

from tests.support.size import (
    BUDGETS,
    PACKAGE,
    ROOT,
    files,
    files_in_folders,
    folders_at_the_top,
    lines_of,
    rooms,
)


@pytest.mark.parametrize("room", list(rooms()), ids=lambda room: room.name)
def test_a_room_stays_below_its_ceiling(room):
    assert room.left >= 0


def test_a_file_is_one_thought():
    long = {str(path.relative_to(ROOT)): lines_of(path) for path in files()}
    assert {path: lines for path, lines in long.items() if lines > BUDGETS["file"]} == {}


def test_a_folder_of_many_files_is_a_room_that_was_not_built():
    many = {folder: count for folder, count in files_in_folders().items() if count > BUDGETS["folder"]}
    assert many == {}


def test_whoever_opens_the_package_sees_four_rooms():
    assert folders_at_the_top() == ["engine", "ops", "paddle", "tools"]


def test_every_line_of_the_package_is_in_one_room_or_in_its_front():
    *named, in_all, _ = rooms()
    front = [path for path in files() if path.parent == PACKAGE]
    assert sum(room.lines for room in named) + lines_of(*front) == in_all.lines
