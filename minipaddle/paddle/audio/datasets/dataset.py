"""Sounds with labels: a WAV file is an example, shown as it is or as a spectrogram."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minipaddle.paddle.audio.backends.wave_backend import load
from minipaddle.paddle.audio.features import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from minipaddle.paddle.dataset import common
from minipaddle.paddle.io import Dataset
from minipaddle.paddle.utils.download import get_path_from_url

_FEATURES: dict[str, Any] = {
    "raw": None,
    "melspectrogram": MelSpectrogram,
    "mfcc": MFCC,
    "logmelspectrogram": LogMelSpectrogram,
    "spectrogram": Spectrogram,
}


class AudioClassificationDataset(Dataset):
    """Pairs of a sound, or its features, and its label.

    Args:
        files: paths of WAV files of one channel.
        labels: a number for each.
        feat_type: "raw", "spectrogram", "melspectrogram", "logmelspectrogram", or "mfcc".
        sample_rate: accepted: the file says it.
        kwargs: options of the layer that `feat_type` names.

    Raises:
        RuntimeError: **Unknown feat_type**.
    """

    def __init__(
        self,
        files: Sequence[str],
        labels: Sequence[int],
        feat_type: str = "raw",
        sample_rate: int | None = None,
        **kwargs: Any,
    ) -> None:
        if feat_type not in _FEATURES:
            raise RuntimeError(f"Unknown feat_type: {feat_type}, it must be one in {list(_FEATURES)}")
        self.files, self.labels = files, labels
        self.feat_type, self.feat_config = feat_type, kwargs
        self.sample_rate = sample_rate

    def __getitem__(self, index: int) -> tuple[Any, int]:
        sound, self.sample_rate = load(self.files[index])
        features = _FEATURES[self.feat_type]
        if features is None:
            return sound.squeeze(0), self.labels[index]
        rate = {} if self.feat_type == "spectrogram" else {"sr": self.sample_rate}
        return features(**rate, **self.feat_config)(sound).squeeze(0), self.labels[index]

    def __len__(self) -> int:
        return len(self.files)


def folder_of(archive: dict[str, str], *parts: str) -> Path:
    """Return a folder among Paddle's data sets; if it is not there, unpack the archive that has it.

    Raises:
        RuntimeError: **downloads nothing**: the archive is not there, either.
    """
    folder = Path(common.DATA_HOME, *parts)
    if not folder.is_dir():
        get_path_from_url(archive["url"], common.DATA_HOME, archive.get("md5"))
    return folder
