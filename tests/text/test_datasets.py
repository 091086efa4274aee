"""Data sets of words and numbers, read from local files."""

import io
import tarfile

import numpy as np
import pytest

from minipaddle import paddle

T = paddle.text


def archive(path, files):
    """Write an archive of texts."""
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return str(path)


def test_houses_are_read_and_spread_between_a_half_and_minus_a_half(tmp_path):
    rows = np.random.default_rng(0).uniform(0, 9, (10, 14))
    np.savetxt(tmp_path / "housing.data", rows)
    train, test = (T.UCIHousing(str(tmp_path / "housing.data"), mode) for mode in ("train", "test"))
    assert (len(train), len(test)) == (8, 2)
    features, price = test[1]
    usual = (rows - rows.mean(0)) / (rows.max(0) - rows.min(0))
    np.testing.assert_allclose(features, usual[9, :13], rtol=1e-5)
    np.testing.assert_allclose(price, rows[9, 13:], rtol=1e-6)
    assert features.dtype == np.float32


def test_made_up_houses_stand_in_where_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MINIPADDLE_STAND_IN", raising=False)
    with pytest.raises(RuntimeError, match="downloads nothing"):
        T.UCIHousing()
    monkeypatch.setenv("MINIPADDLE_STAND_IN", "1")
    with pytest.warns(UserWarning, match="made-up"):
        assert len(T.UCIHousing()) == 404


def test_reviews_are_rows_of_numbers(tmp_path):
    files = {
        "aclImdb/train/pos/1.txt": "Good, good film!\n",
        "aclImdb/train/neg/1.txt": "bad film",
        "aclImdb/test/neg/1.txt": "A film",
        "aclImdb/README": "good good good",
    }
    data = T.Imdb(archive(tmp_path / "imdb.tar.gz", files), cutoff=1)
    assert data.word_idx == {b"film": 0, b"good": 1, "<unk>": 2}
    assert [(one.tolist(), label.tolist()) for one, label in (data[0], data[1])] == [
        ([1, 1, 0], [0]),
        ([2, 0], [1]),
    ]


def test_sentences_are_windows_or_rows(tmp_path):
    start = "./simple-examples/data/ptb"
    files = {f"{start}.train.txt": "a b a\nb a\n", f"{start}.valid.txt": "c a", f"{start}.test.txt": "a c\n"}
    path = archive(tmp_path / "ptb.tgz", files)
    pairs = T.Imikolov(path, window_size=2, min_word_freq=1)
    assert pairs.word_idx == {b"a": 0, "<e>": 1, "<s>": 2, b"b": 3, "<unk>": 4}
    assert [tuple(map(int, one)) for one in (pairs[number] for number in range(4))] == [
        (2, 0), (0, 3), (3, 0), (0, 1),
    ]  # fmt: skip
    rows = T.Imikolov(path, "SEQ", mode="test", min_word_freq=1)
    assert [one.tolist() for one in rows[0]] == [[2, 0, 4], [0, 4, 1]]
    with pytest.raises(AssertionError, match="Invalid gram length"):
        T.Imikolov(path)
    with pytest.raises(AssertionError, match="data type"):
        T.Imikolov(path, "WORDS")


def test_other_corpora_are_refused_by_name():
    with pytest.raises(AttributeError, match="these corpora come as downloads"):
        _ = T.WMT16
    with pytest.raises(AttributeError, match="these corpora come as downloads"):
        _ = T.datasets.WMT16
