"""paddle.text.datasets: what is written about houses, films and the world, in files that are on this machine."""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.text.datasets.housing import UCIHousing
from minipaddle.text.datasets.imdb import Imdb
from minipaddle.text.datasets.imikolov import Imikolov

__all__ = ["Imdb", "Imikolov", "UCIHousing"]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
