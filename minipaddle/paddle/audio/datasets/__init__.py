"""paddle.audio.datasets: sounds with labels, from files that are on this machine; nothing is downloaded."""

from minipaddle.paddle.audio.datasets.dataset import AudioClassificationDataset
from minipaddle.paddle.audio.datasets.esc50 import ESC50
from minipaddle.paddle.audio.datasets.tess import TESS

__all__ = ["ESC50", "TESS", "AudioClassificationDataset"]
