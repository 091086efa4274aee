"""TESS: 2,800 words, spoken by two women in seven moods (https://doi.org/10.5683/SP2/E8H2MF)."""

from __future__ import annotations

from typing import Any, ClassVar

from minipaddle.paddle.audio.datasets.dataset import AudioClassificationDataset, folder_of


class TESS(AudioClassificationDataset):
    """Words in moods, in `n_folds` parts, of which one is left for testing.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/datasets/TESS_en.html)

    Args:
        mode: "train" for all parts but one; anything else for the part that is left.
        n_folds: how many parts; every `n_folds`-th file, by name, is in the same.
        split: which part is left, from 1.
        feat_type: see :class:`AudioClassificationDataset`.
        archive: the address of the archive, ``url``, and its sum, ``md5``.
        kwargs: options of the features.

    Raises:
        AssertionError: **n_folds >= 1**, **1 <= split**.
        RuntimeError: **downloads nothing**: the data are not on this machine.
    """

    archive: ClassVar[dict[str, str]] = {
        "url": "https://bj.bcebos.com/paddleaudio/datasets/TESS_Toronto_emotional_speech_set.zip",
        "md5": "1465311b24d1de704c4c63e4ccc470c7",
    }
    label_list = ("angry", "disgust", "fear", "happy", "neutral", "ps", "sad")

    def __init__(
        self,
        mode: str = "train",
        n_folds: Any = 5,
        split: int = 1,
        feat_type: str = "raw",
        archive: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        assert isinstance(n_folds, int) and n_folds >= 1, (
            f"the n_folds should be integer and n_folds >= 1, but got {n_folds}"
        )
        assert split in range(1, n_folds + 1), (
            f"The selected split should be integer and should be 1 <= split <= {n_folds}, but got {split}"
        )
        folder = folder_of(archive or self.archive, "TESS_Toronto_emotional_speech_set")
        numbered = enumerate(sorted(folder.rglob("*.wav")))
        files = [file for number, file in numbered if (number % n_folds + 1 != split) == (mode == "train")]
        moods = [file.stem.split("_")[2] for file in files]
        super().__init__([*map(str, files)], [*map(self.label_list.index, moods)], feat_type, **kwargs)
