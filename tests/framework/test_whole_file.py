"""Files that appear when complete: an interrupted write leaves no half file, and keeps the old one."""

import os
import signal
import stat
import sys
import threading

import pytest

from minipaddle.paddle.framework.whole_file import whole_file, write_whole
from tests.support.process import run_in_subprocess


@pytest.fixture
def old(tmp_path):
    """A file with content, alone in its folder."""
    path = tmp_path / "numbers.txt"
    path.write_bytes(b"before")
    return path


def only(path, content):
    assert path.read_bytes() == content
    assert os.listdir(path.parent) == [path.name]


def write_half(path, kind):
    with whole_file(path) as file:
        file.write(b"half")
        raise kind


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt, MemoryError])
def test_an_error_half_way_leaves_the_old_file(old, kind):
    with pytest.raises(kind):
        write_half(old, kind)
    only(old, b"before")


def test_the_old_file_is_there_until_the_new_one_is_complete(old):
    with whole_file(old) as file:
        file.write(b"after" * 100_000)
        assert old.read_bytes() == b"before"
    only(old, b"after" * 100_000)


def test_permissions_stay(old):
    old.chmod(0o640)
    write_whole(old, b"after")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_new_files_get(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_whole(tmp_path / "whole", b"")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("there", [True, False], ids=["a file", "nothing yet"])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path, there):
    target, link = tmp_path / "target", tmp_path / "link"
    if there:
        target.write_bytes(b"before")
    link.symlink_to(target)
    write_whole(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"


def test_a_link_to_a_folder_that_is_not_there_makes_it(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "target")
    write_whole(tmp_path / "link", b"after")
    only(tmp_path / "folder" / "target", b"after")


def test_missing_folders_are_made(tmp_path):
    write_whole(tmp_path / "a" / "b" / "c", b"after")
    only(tmp_path / "a" / "b" / "c", b"after")


def test_a_long_name_is_written(tmp_path):
    write_whole(tmp_path / ("n" * 255), b"after")
    only(tmp_path / ("n" * 255), b"after")


def test_a_device_is_written_to_and_stays_one():
    write_whole(os.devnull, b"after")
    assert not os.path.isfile(os.devnull)


def test_a_full_device_says_so():
    with pytest.raises(OSError, match="No space left"):
        write_whole("/dev/full", b"after")


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "folder", b"after")
    assert os.listdir(tmp_path) == ["folder"]


def test_another_thread_writes_too(old):
    thread = threading.Thread(target=write_whole, args=(old, b"after"))
    thread.start()
    thread.join()
    only(old, b"after")


ENDED = """
import os, signal, sys
from minipaddle.paddle.framework.whole_file import whole_file
number = getattr(signal, sys.argv[2])
signal.signal(number, signal.SIG_DFL)  # a parent may have let it be ignored: nohup does
with whole_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), number)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_process_that_is_ended_leaves_the_old_file_and_no_half(old, name):
    done = run_in_subprocess(sys.executable, "-c", ENDED, old, name)
    assert done.returncode == -getattr(signal, name), done.stderr
    only(old, b"before")


def test_a_signal_that_somebody_answers_is_theirs(old, monkeypatch):
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with whole_file(old) as file:
            os.kill(os.getpid(), signal.SIGTERM)
            file.write(b"after")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]
    only(old, b"after")


def test_signals_are_as_they_were_afterwards(old):
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    write_whole(old, b"after")
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == before
