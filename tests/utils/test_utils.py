"""paddle.utils: releases, imports, downloads, and memory that NumPy shares."""

import hashlib
import tarfile

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import utils
from minipaddle.paddle.utils import download


@pytest.mark.parametrize("versions", [("2.0",), ("0.1", "9.0"), ("3.3.1.0",), ("3.3", "3.3.1")])
def test_the_release_is_new_enough(versions):
    utils.require_version(*versions)


@pytest.mark.parametrize(
    ("versions", "kind", "words"),
    [
        (("99.0",), Exception, "PaddlePaddle version 99.0 or higher is required, but 3.3.1 installed"),
        (("0.1", "1.0"), Exception, r"version in \[0.1, 1.0\] required"),
        ((3,), TypeError, "'min_version' in require_version must be str"),
        (("2.0", 3), TypeError, "'max_version'"),
        (("1.0.0.0.0",), ValueError, "must be in format"),
    ],
)
def test_the_release_is_another(versions, kind, words):
    with pytest.raises(kind, match=words):
        utils.require_version(*versions)


def test_run_check_computes_and_says_so(capsys):
    paddle.enable_static()
    utils.run_check()
    assert not paddle.in_dynamic_mode()
    paddle.disable_static()
    assert "PaddlePaddle works well on 1 CPU." in capsys.readouterr().out


def test_run_check_finds_a_wrong_step(monkeypatch):
    monkeypatch.setattr("minipaddle.paddle.utils.install_check._STEPPED", np.zeros((2, 1), "float32"))
    with pytest.raises(AssertionError, match="a step eagerly ended at"):
        utils.run_check()


@pytest.mark.parametrize("kind", ["outside", "absolute", "link"])
def test_an_archive_stays_in_its_folder(tmp_path, kind):
    place = tmp_path / "cache"
    place.mkdir()
    member = tarfile.TarInfo(
        {"outside": "../evil", "absolute": str(tmp_path / "evil"), "link": "net/evil"}[kind]
    )
    if kind == "link":
        member.type, member.linkname = tarfile.SYMTYPE, str(tmp_path)
    with tarfile.open(place / "model.tar", "w") as archive:
        archive.addfile(member)
    with pytest.raises(RuntimeError, match="nothing was unpacked"):
        download.get_path_from_url("https://example.com/model.tar", str(place))
    assert {path.name for path in tmp_path.rglob("*")} == {"cache", "model.tar"}


def test_a_file_is_found_and_never_fetched(tmp_path):
    url = "https://example.com/a/model.tar.gz"
    with pytest.raises(RuntimeError, match="downloads nothing"):
        download.get_path_from_url(url, str(tmp_path))
    (tmp_path / "weights").write_text("1")
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "weights", "net/weights")
    content = (tmp_path / "model.tar.gz").read_bytes()
    known = hashlib.md5(content).hexdigest()
    assert download.get_path_from_url(url, str(tmp_path), known, decompress=False) == str(
        tmp_path / "model.tar.gz"
    )
    assert download.get_path_from_url(url, str(tmp_path)) == str(tmp_path / "net")
    assert (tmp_path / "net" / "weights").read_text() == "1"
    with pytest.raises(RuntimeError, match="MD5"):
        download.get_path_from_url(url, str(tmp_path), "0" * 32)
