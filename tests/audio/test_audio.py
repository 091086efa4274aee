"""What recordings of Paddle cannot say of paddle.audio: gradients in Programs, clipping, data sets on this machine."""

import csv
import wave

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import audio
from minipaddle.paddle.dataset import common


@pytest.fixture
def data_home(tmp_path, monkeypatch):
    monkeypatch.setattr(common, "DATA_HOME", str(tmp_path))
    return tmp_path


def test_a_spectrogram_in_a_program_is_the_eager_one():
    sound = np.sin(np.arange(200) / 7).astype("float32").reshape(1, 200)
    options = {"sr": 8000, "n_fft": 64, "n_mels": 8, "n_mfcc": 4}
    eager = audio.features.MFCC(**options)(paddle.to_tensor(sound)).numpy()
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            out = audio.features.MFCC(**options)(paddle.static.data("x", [1, 200], "float32"))
            executor = paddle.static.Executor()
            executor.run(startup)
            (static,) = executor.run(main, feed={"x": sound}, fetch_list=[out])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(static, eager, rtol=1e-4, atol=1e-4)


def test_a_pure_tone_is_strongest_where_it_is():
    rate, tone = 8000, 1000.0
    sound = paddle.to_tensor(np.sin(2 * np.pi * tone * np.arange(2048) / rate).astype("float32"))
    strength = audio.features.Spectrogram(n_fft=256, hop_length=128)(sound).mean(axis=1)
    assert audio.functional.fft_frequencies(rate, 256)[int(strength.argmax())].item() == tone


def test_too_loud_is_cut_off(tmp_path):
    path = tmp_path / "loud.wav"
    audio.save(path, paddle.to_tensor([[2.0, -3.0, 0.5]]), 8000)
    sound, rate = audio.load(path)
    assert rate == 8000
    assert sound.tolist() == [[1 - 2**-15, -1.0, 0.5]]


def test_other_sample_widths_are_refused(tmp_path):
    with wave.open(str(tmp_path / "wide.wav"), "wb") as file:
        file.setparams((1, 3, 4000, 0, "NONE", ""))
        file.writeframes(bytes(24))
    assert audio.info(tmp_path / "wide.wav").bits_per_sample == 24
    with pytest.raises(NotImplementedError, match="have 24 bits"):
        audio.load(tmp_path / "wide.wav")


def write(path, level):
    path.parent.mkdir(parents=True, exist_ok=True)
    audio.save(path, paddle.full([1, 1000], level), 8000)


def test_esc50_from_this_machine(data_home):
    root = data_home / "ESC-50-master"
    for fold in range(1, 6):
        write(root / "audio" / f"{fold}.wav", fold / 8)
    (root / "meta").mkdir()
    with open(root / "meta" / "esc50.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["filename", "fold", "target", "category"])
        rows.writerows([f"{fold}.wav", fold, 10 * fold - 1, ""] for fold in range(1, 6))
    train, left = audio.datasets.ESC50(), audio.datasets.ESC50("dev", feat_type="mfcc", n_mfcc=5)
    assert [label for _, label in train] == [19, 29, 39, 49]
    assert [audio.datasets.ESC50.label_list[label] for _, label in train][-1] == "Hand saw"
    features, label = left[0]
    assert (len(left), features.shape[0], label) == (1, 5, 9)
    assert train[0][0].tolist()[:2] == [0.25, 0.25]


def test_tess_from_this_machine(data_home):
    for mood in ("angry", "fear", "sad"):
        write(data_home / "TESS_Toronto_emotional_speech_set" / f"OAF_back_{mood}.wav", 0.5)
    assert [label for _, label in audio.datasets.TESS(n_folds=3, split=2)] == [0, 6]
    assert [label for _, label in audio.datasets.TESS("dev", n_folds=3, split=2)] == [2]
    with pytest.raises(RuntimeError, match="Unknown feat_type"):
        audio.datasets.TESS(feat_type="smell")


def test_what_is_not_here_is_not_fetched(data_home):
    with pytest.raises(RuntimeError, match=r"downloads nothing.*ESC-50-master\.zip"):
        audio.datasets.ESC50()
