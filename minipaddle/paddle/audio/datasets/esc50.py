"""ESC-50: 2,000 sounds of five seconds, 50 kinds of sounds around us (https://github.com/karolpiczak/ESC-50)."""

from __future__ import annotations

import csv
from typing import Any, ClassVar

from minipaddle.paddle.audio.datasets.dataset import AudioClassificationDataset, folder_of


class ESC50(AudioClassificationDataset):
    """Environmental sounds in five parts, of which one is left for testing.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/datasets/ESC50_en.html)

    Args:
        mode: "train" for four parts; anything else for the part that is left.
        split: which part is left, 1 to 5.
        feat_type: see :class:`AudioClassificationDataset`.
        archive: the address of the archive, ``url``, and its sum, ``md5``.
        kwargs: options of the features.

    Raises:
        AssertionError: **1 <= split <= 5**.
        RuntimeError: **downloads nothing**: the data are not on this machine.
    """

    archive: ClassVar[dict[str, str]] = {
        "url": "https://paddleaudio.bj.bcebos.com/datasets/ESC-50-master.zip",
        "md5": "7771e4b9d86d0945acce719c7a59305a",
    }
    label_list = (
        # animals
        *("Dog", "Rooster", "Pig", "Cow", "Frog", "Cat", "Hen", "Insects (flying)", "Sheep", "Crow"),
        # nature
        *("Rain", "Sea waves", "Crackling fire", "Crickets", "Chirping birds"),
        *("Water drops", "Wind", "Pouring water", "Toilet flush", "Thunderstorm"),
        # people
        *("Crying baby", "Sneezing", "Clapping", "Breathing", "Coughing"),
        *("Footsteps", "Laughing", "Brushing teeth", "Snoring", "Drinking, sipping"),
        # at home
        *("Door knock", "Mouse click", "Keyboard typing", "Door, wood creaks", "Can opening"),
        *("Washing machine", "Vacuum cleaner", "Clock alarm", "Clock tick", "Glass breaking"),
        # outside
        *("Helicopter", "Chainsaw", "Siren", "Car horn", "Engine"),
        *("Train", "Church bells", "Airplane", "Fireworks", "Hand saw"),
    )

    def __init__(
        self,
        mode: str = "train",
        split: int = 1,
        feat_type: str = "raw",
        archive: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        assert split in range(1, 6), (
            f"The selected split should be integer, and 1 <= split <= 5, but got {split}"
        )
        folder = folder_of(archive or self.archive, "ESC-50-master")
        with open(folder / "meta" / "esc50.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if (int(row["fold"]) != split) == (mode == "train")]
        files = [str(folder / "audio" / row["filename"]) for row in rows]
        super().__init__(files, [int(row["target"]) for row in rows], feat_type, **kwargs)
